#pragma once
// The distinct values of a path with their ids, for counting and facets by value.

#include "codec/keys.hpp"
#include "engine/index/index_entries.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace cairn::codec {
class Bitmap;
}  // namespace cairn::codec

namespace cairn::engine {

class View;

/// Receives one value and its ids. `value` is its index form (codec::append_index_value), valid
/// during the call. An error ends the visit.
using VisitPosting = std::function<Status(std::string_view value, const codec::Bitmap& ids)>;

/// Visits each distinct value once, in unspecified order. Ids include hidden records. `entry` is
/// scalar or element.
///
/// Cost: the first time a pass over the path's entries; later only changes are read, unless there
/// are many thousands of values. Errors: unsupported if the view has no index.
[[nodiscard]] Status visit_values(const View& view, codec::EntityKind kind, std::uint32_t path,
                                  codec::EntryKind entry, const VisitPosting& visit);

/// Visits the texts that begin with `beginning` in the same way, except for those of more than
/// codec::max_indexed_string_bytes. Cost: as for visit_values(), for these texts alone.
[[nodiscard]] Status visit_texts_from(const View& view, codec::EntityKind kind, std::uint32_t path,
                                      codec::EntryKind entry, std::string_view beginning,
                                      const VisitPosting& visit);

/// True if more than `most` different texts at the path are so long that their index form does not
/// contain them. May also be true for fewer texts if these are in many records. Considers committed
/// texts only. Cost: at most `most` steps.
[[nodiscard]] Result<bool> has_long_texts(const View& view, codec::EntityKind kind,
                                          std::uint32_t path, std::size_t most);

/// The approximate number of values that visit_values() would visit. Cost: at most a short scan of
/// the first ones.
[[nodiscard]] Result<double> estimate_values(const View& view, codec::EntityKind kind,
                                             std::uint32_t path, codec::EntryKind entry);

/// The number of values that visit_values() would visit, if it is known without cost.
[[nodiscard]] std::optional<std::size_t> known_value_count(const View& view, codec::EntityKind kind,
                                                           std::uint32_t path,
                                                           codec::EntryKind entry);

/// Receives the name of a posting, valid during the call.
using VisitPostingName = std::function<void(std::string_view name)>;
void visit_property_postings(codec::EntityKind kind, std::string_view property, const Value& value,
                             PathSource& paths, const VisitPostingName& visit);

}  // namespace cairn::engine
