#pragma once
// The keys of all column families as types. Numbers are big-endian, so that keys sort by them.
//
// nodes, relationships := id:be64 part:u8 [property:be32]      part 0 hot record, 1 one large text
// adj_out, adj_in      := node:be64 type:be32 other:be64 relationship:be64
// external_ids         := namespace:be32 text
// index                := kind:u8 path:be32 entry:u8 value-bytes chunk:be48
// vectors              := space:be32 kind:u8 entity:be64
// vector_log           := space:be32 sequence:be64
// catalog              := catalog-kind:u8 id:be32
// stats                := counter:u8 kind:u8 id:be32                 -> count:be64, signed

#include "codec/entity_kind.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::codec {

/// What a small id of the catalog stands for. The numbers are stored.
enum class CatalogKind : std::uint8_t {
  label = 1,
  relationship_type = 2,
  property = 3,
  path = 4,
  name_space = 5,
  index = 6,
  embedding_space = 7,
  constraint = 8,
};

/// What an index entry says about the value at its path.
enum class EntryKind : std::uint8_t {
  presence = 1,          ///< value bytes: one OrderedTag; the path holds a value of this type
  scalar = 2,            ///< value bytes: append_index_value of the value itself
  element = 3,           ///< value bytes: append_index_value of one element of a list
  container = 4,         ///< value bytes: container_hash of the whole list or map
  instant = 5,           ///< value bytes: be64 microseconds (sign flipped) of an ISO date string
  element_presence = 6,  ///< value bytes: one OrderedTag; the list has an element of this type
};

/// Paths below first_user_path are reserved for the engine. Their entries are of EntryKind::scalar
/// or presence.
enum class SystemPath : std::uint32_t {
  all = 1,         ///< presence, no value bytes: every live entity
  label = 2,       ///< value bytes be32 label id
  type = 3,        ///< value bytes be32 relationship type id
  name_space = 4,  ///< value bytes be32 namespace id, only for namespaces other than the default
  deleted = 5,     ///< no value bytes: entities that are soft-deleted
  expires_at = 6,  ///< value bytes be64 microseconds (sign flipped)
};
inline constexpr std::uint32_t first_user_path = 64;

/// One end of a relationship: `node` is its source in adj_out, and its target in adj_in.
struct AdjacencyKey {
  std::uint64_t node = 0;
  std::uint32_t type = 0;
  std::uint64_t other = 0;
  std::uint64_t relationship = 0;
  friend bool operator==(const AdjacencyKey&, const AdjacencyKey&) = default;
};

/// The key of one chunk of a posting. The chunk has those of 65,536 adjacent ids whose records
/// have, at the path, what `entry` says.
struct IndexKey {
  EntityKind kind = EntityKind::node;
  std::uint32_t path = 0;
  EntryKind entry = EntryKind::scalar;
  std::string value;        ///< encoded, self-delimiting
  std::uint64_t chunk = 0;  ///< id >> 16
  friend bool operator==(const IndexKey&, const IndexKey&) = default;
};

[[nodiscard]] std::string record_key(std::uint64_t id);
[[nodiscard]] std::string large_text_key(std::uint64_t id, std::uint32_t property);
[[nodiscard]] std::string adjacency_key(const AdjacencyKey& key);
/// All keys of a node (or of a node and a type, or also of the other node) start with these bytes.
[[nodiscard]] std::string adjacency_prefix(std::uint64_t node);
[[nodiscard]] std::string adjacency_prefix(std::uint64_t node, std::uint32_t type);
[[nodiscard]] std::string adjacency_prefix(std::uint64_t node, std::uint32_t type,
                                           std::uint64_t other);
[[nodiscard]] std::string external_id_key(std::uint32_t name_space, std::string_view text);
[[nodiscard]] std::string index_key(const IndexKey& key);
/// Returns an index key without its chunk: the name of the posting list.
[[nodiscard]] std::string index_prefix(EntityKind kind, std::uint32_t path, EntryKind entry,
                                       std::string_view value);
void append_chunk(std::string& prefix, std::uint64_t chunk);
[[nodiscard]] std::string vector_key(std::uint32_t space, EntityKind kind, std::uint64_t entity);
[[nodiscard]] std::string vector_log_key(std::uint32_t space, std::uint64_t sequence);
[[nodiscard]] std::string catalog_key(CatalogKind kind, std::uint32_t id);

[[nodiscard]] Result<std::uint64_t> decode_record_key(
    std::string_view key);  ///< accepts part 0 and 1
/// Returns the id at the front of a key of nodes, relationships or adjacency. The key must have at
/// least 8 bytes.
[[nodiscard]] std::uint64_t leading_id(std::string_view key) noexcept;
[[nodiscard]] bool is_hot_record_key(std::string_view key) noexcept;
/// Returns the property whose large text has this key; nullopt for a hot record or any other key.
[[nodiscard]] std::optional<std::uint32_t> large_text_property(std::string_view key) noexcept;
[[nodiscard]] Result<AdjacencyKey> decode_adjacency_key(std::string_view key);
struct ExternalIdKey {
  std::uint32_t name_space = 0;
  std::string text;
  friend bool operator==(const ExternalIdKey&, const ExternalIdKey&) = default;
};
[[nodiscard]] Result<ExternalIdKey> decode_external_id_key(std::string_view key);
[[nodiscard]] Result<IndexKey> decode_index_key(std::string_view key);
/// Returns the chunk number at the end of an index key; the key must have at least 12 bytes.
[[nodiscard]] std::uint64_t chunk_of_index_key(std::string_view key) noexcept;

/// The key of the vector that an entity has in an embedding space.
struct VectorKey {
  std::uint32_t space = 0;
  EntityKind kind = EntityKind::node;
  std::uint64_t entity = 0;
  friend bool operator==(const VectorKey&, const VectorKey&) = default;
};
[[nodiscard]] Result<VectorKey> decode_vector_key(std::string_view key);
struct VectorLogKey {
  std::uint32_t space = 0;
  std::uint64_t sequence = 0;
  friend bool operator==(const VectorLogKey&, const VectorLogKey&) = default;
};
[[nodiscard]] Result<VectorLogKey> decode_vector_log_key(std::string_view key);
/// The key of a name or a definition; ids count separately for each kind.
struct CatalogKey {
  CatalogKind kind = CatalogKind::label;
  std::uint32_t id = 0;
  friend bool operator==(const CatalogKey&, const CatalogKey&) = default;
};
[[nodiscard]] Result<CatalogKey> decode_catalog_key(std::string_view key);

/// Counters, maintained for each entity kind.
enum class Counter : std::uint8_t {
  live = 1,         ///< all records, hidden ones included
  deleted = 2,      ///< soft-deleted records
  expiring = 3,     ///< records with an expiry time, past or future
  name_spaced = 4,  ///< records outside the default namespace
  vectors = 5,
};

struct StatsKey {
  Counter counter = Counter::live;
  EntityKind kind = EntityKind::node;
  std::uint32_t id = 0;  ///< always 0; reserved for counts of single labels
  friend bool operator==(const StatsKey&, const StatsKey&) = default;
};
[[nodiscard]] std::string stats_key(const StatsKey& key);
[[nodiscard]] Result<StatsKey> decode_stats_key(std::string_view key);

/// Returns the smallest string greater than every string that starts with `prefix`; empty if no
/// string is greater.
[[nodiscard]] std::string prefix_end(std::string prefix);

}  // namespace cairn::codec
