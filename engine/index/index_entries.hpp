#pragma once
// Which postings a property value belongs to. A posting is named by the bytes of its index keys
// before the chunk (codec::index_prefix).
//
// value at path p            entries at p
//   scalar                   presence(type) scalar(value) [instant, if an ISO date string]
//   list                     presence(list) container(hash) and for each element:
//                              element_presence(type) [element(value), if a scalar]
//   map                      presence(map) container(hash), and its values at p.key
//   numeric list over 16     presence(unindexed_list) alone
//   vector                   presence(vector) alone
//
// The values of maps in a list are entered at p.key too. Those say "some map in the list has it",
// a superset of what n.p.key means; element_presence(map) at p tells whether there are any.

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

/// Presence marks of values without scalar entries.
inline constexpr auto vector_tag = codec::OrderedTag::vector;
inline constexpr auto unindexed_list_tag = codec::OrderedTag::unindexed_list;
/// Longer lists of numbers are taken for embeddings and not indexed.
inline constexpr std::size_t max_indexed_numbers = 16;

using PostingNames = std::vector<std::string>;

/// Gives paths their ids: makes new ones on a write, only finds them on a check.
class PathSource {
 public:
  virtual ~PathSource() = default;
  /// nullopt: the path is not indexed.
  virtual std::optional<std::uint32_t> path_id(codec::EntityKind kind, std::string_view text) = 0;
};

/// Append the postings of one property. `value` is the whole value, texts and vectors fetched (a
/// vector may be in by any Vector value). Names may repeat.
void append_property_postings(codec::EntityKind kind, std::string_view property, const Value& value,
                              PathSource& paths, PostingNames& out);
/// Of a text that is lost: that there is one. The rest cannot be known.
void append_text_presence(codec::EntityKind kind, std::string_view property, PathSource& paths,
                          PostingNames& out);

/// Name of a posting of the engine's own paths.
[[nodiscard]] std::string system_posting(codec::EntityKind kind, codec::SystemPath path);
[[nodiscard]] std::string system_posting(codec::EntityKind kind, codec::SystemPath path,
                                         std::uint32_t id);
[[nodiscard]] std::string expiry_posting(codec::EntityKind kind, std::int64_t expires_at);

/// Name of a presence posting; `entry` is presence or element_presence.
[[nodiscard]] std::string presence_posting(codec::EntityKind kind, std::uint32_t path,
                                           codec::EntryKind entry, codec::OrderedTag tag);
/// The mark under which a value of this type is present; long strings count as strings.
[[nodiscard]] codec::OrderedTag presence_tag(const Value& value) noexcept;
/// True for a list that is not indexed by elements and hash.
[[nodiscard]] bool is_unindexed_list(const Value& value) noexcept;

}  // namespace cairn::engine
