#pragma once
// The postings to which a property value belongs. The name of a posting is the part of its index
// keys before the chunk (codec::index_prefix).
//
// value at path p            entries at p
//   scalar                   presence(type) scalar(value) [instant, if an ISO date string]
//   list                     presence(list) container(hash) and for each element:
//                              element_presence(type) [element(value), if a scalar]
//   map                      presence(map) container(hash), and its values at p.key
//   numeric list over 16     presence(unindexed_list) alone
//   vector                   presence(vector) alone
//
// The values of maps in a list are entered at p.key too. These entries mean "some map in the list
// has the value", which is a superset of the meaning of n.p.key. element_presence(map) at p shows
// whether there are such maps.

#include "codec/keys.hpp"
#include "codec/ordered_key.hpp"

#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// Presence marks of values that have no scalar entry.
inline constexpr auto vector_tag = codec::OrderedTag::vector;
inline constexpr auto unindexed_list_tag = codec::OrderedTag::unindexed_list;
/// Longer lists of numbers are regarded as embeddings and not indexed.
inline constexpr std::size_t max_indexed_numbers = 16;

using PostingNames = std::vector<std::string>;

/// Maps paths to their ids. During a write it makes new ids, during a check it only finds existing
/// ones.
class PathSource {
 public:
  virtual ~PathSource() = default;
  /// The id of a path, or nullopt if the path is not indexed.
  virtual std::optional<std::uint32_t> path_id(codec::EntityKind kind, std::string_view text) = 0;
};

/// Appends the postings of one property to `out`. `value` is the whole value with its texts and
/// vectors (any Vector value can represent a vector). Names may occur repeatedly.
void append_property_postings(codec::EntityKind kind, std::string_view property, const Value& value,
                              PathSource& paths, PostingNames& out);
/// Appends the postings of a text that is lost: only its presence, since all others depend on the
/// text.
void append_text_presence(codec::EntityKind kind, std::string_view property, PathSource& paths,
                          PostingNames& out);

/// The name of a posting of one of the engine's own paths.
[[nodiscard]] std::string system_posting(codec::EntityKind kind, codec::SystemPath path);
[[nodiscard]] std::string system_posting(codec::EntityKind kind, codec::SystemPath path,
                                         std::uint32_t id);
[[nodiscard]] std::string expiry_posting(codec::EntityKind kind, std::int64_t expires_at);

/// Name of a presence posting; `entry` is presence or element_presence.
[[nodiscard]] std::string presence_posting(codec::EntityKind kind, std::uint32_t path,
                                           codec::EntryKind entry, codec::OrderedTag tag);
/// The type tag by which the presence of a value is indexed. Long strings have the tag of strings.
[[nodiscard]] codec::OrderedTag presence_tag(const Value& value) noexcept;
/// True for a list whose elements and hash are not indexed.
[[nodiscard]] bool is_unindexed_list(const Value& value) noexcept;

}  // namespace cairn::engine
