#pragma once
// The distinct values of a path with the ids that have each: what counting by value reads.

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

/// `value` is the index form of one scalar (codec::append_index_value), valid during the call.
/// An error ends the visit.
using VisitPosting = std::function<Status(std::string_view value, const codec::Bitmap& ids)>;

/// Visit each value once, in no promised order; ids are not reduced to the visible ones. `entry` is
/// scalar or element. Cost: one pass over the path's entries the first time; later
/// only what changed since is read, unless there are many thousands of values. Errors: unsupported for a view that
/// has no index of its own.
[[nodiscard]] Status visit_values(const View& view, codec::EntityKind kind, std::uint32_t path,
                                  codec::EntryKind entry, const VisitPosting& visit);

/// Whether more than `most` different texts at the path are so long that their index form does not tell
/// them. Committed ones only. Cost: a step for each, up to that many.
[[nodiscard]] Result<bool> has_long_texts(const View& view, codec::EntityKind kind,
                                          std::uint32_t path, std::size_t most);

/// About how many values such a visit would see. Cost: at most a short walk over the first of them.
[[nodiscard]] Result<double> estimate_values(const View& view, codec::EntityKind kind,
                                             std::uint32_t path, codec::EntryKind entry);

/// How many values such a visit would see, if that is known at no cost.
[[nodiscard]] std::optional<std::size_t> known_value_count(const View& view, codec::EntityKind kind,
                                                           std::uint32_t path,
                                                           codec::EntryKind entry);

// The postings of a property one by one, for who writes many records and keeps no list of them.

/// Calls back with the name of each posting, which lives until the call ends. Otherwise as
/// append_property_postings(), which makes a list of them.
using VisitPostingName = std::function<void(std::string_view name)>;
void visit_property_postings(codec::EntityKind kind, std::string_view property, const Value& value,
                             PathSource& paths, const VisitPostingName& visit);

}  // namespace cairn::engine
