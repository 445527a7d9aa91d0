// Keys of all column families except `meta` and `text`. The header has the grammar of each key,
// FORMAT.md an example. Fields have fixed widths and big-endian numbers, so RocksDB's bytewise
// comparison is the scan order and a prefix is a range. Varints would sort wrongly.
//
// adj_out   | node 8 | type 4 | other 8 | relationship 8 |    prefixes: node, type, other
// index     | kind 1 | path 4 | entry 1 | value ... | chunk 6 |
//
// The value in an index key is self-delimiting (ordered_key.hpp), so no posting list's name is a
// prefix of another one. A scan over a name plus any 6 bytes finds only chunks of that posting
// list.
//
// Keys are read from disk after RocksDB has checked its block checksums. A malformed key therefore
// means damage and is reported as an error, never by an assertion. All functions are stateless and
// safe on any thread.
#include "codec/keys.hpp"

#include "codec/byte_io.hpp"

#include <array>
#include <cassert>

namespace cairn::codec {
namespace {

// The hot record of an entity sorts before its large texts, so one scan reads both.
constexpr std::uint8_t hot_part = 0;
constexpr std::uint8_t large_text_part = 1;
constexpr std::size_t record_key_bytes = 9;
constexpr std::size_t large_text_key_bytes = 13;
constexpr std::size_t chunk_bytes = 6;
constexpr std::size_t index_head_bytes = 6;  // kind, path, entry

template <class Enum>
void append_enum(std::string& out, Enum value) {
  out.push_back(static_cast<char>(value));
}

/// Reads an enumerator in [1, last]; any other number fails the cursor.
template <class Enum>
Enum read_enum(ByteCursor& cursor, Enum last) noexcept {
  const std::uint8_t number = cursor.read_byte();
  if (number == 0 || number > static_cast<std::uint8_t>(last)) cursor.fail();
  return static_cast<Enum>(number);
}

// A damaged key is not printed, because its bytes may be anything. Its length helps most to find
// the cause.
Error malformed(std::string_view column_family, std::string_view key) {
  return corruption("a key of " + std::to_string(key.size()) + " bytes in column family \"" +
                    std::string(column_family) + "\" is malformed");
}

}  // namespace

std::string record_key(std::uint64_t id) {
  std::string key;
  key.reserve(record_key_bytes);
  append_big(key, id);
  append_big(key, hot_part);
  return key;
}

// One key per text, so a record that is read without its texts costs the same whatever their
// length.
std::string large_text_key(std::uint64_t id, std::uint32_t property) {
  std::string key;
  key.reserve(large_text_key_bytes);
  append_big(key, id);
  append_big(key, large_text_part);
  append_big(key, property);
  return key;
}

std::string adjacency_key(const AdjacencyKey& key) {
  std::string bytes = adjacency_prefix(key.node, key.type, key.other);
  append_big(bytes, key.relationship);
  return bytes;
}

// Both directions have the same form; in `adj_in` the node is the target and `other` the source.
std::string adjacency_prefix(std::uint64_t node) {
  std::string bytes;
  append_big(bytes, node);
  return bytes;
}

std::string adjacency_prefix(std::uint64_t node, std::uint32_t type) {
  std::string bytes = adjacency_prefix(node);
  append_big(bytes, type);
  return bytes;
}

std::string adjacency_prefix(std::uint64_t node, std::uint32_t type, std::uint64_t other) {
  std::string bytes = adjacency_prefix(node, type);
  append_big(bytes, other);
  return bytes;
}

std::string external_id_key(std::uint32_t name_space, std::string_view text) {
  std::string key;
  append_big(key, name_space);
  key.append(text);
  return key;
}

// Reserves room for the chunk, because most callers call append_chunk() next.
std::string index_prefix(EntityKind kind, std::uint32_t path, EntryKind entry,
                         std::string_view value) {
  const std::array<char, index_head_bytes> head = {
      static_cast<char>(kind),      static_cast<char>(path >> 24), static_cast<char>(path >> 16),
      static_cast<char>(path >> 8), static_cast<char>(path),       static_cast<char>(entry)};
  std::string key;
  key.reserve(index_head_bytes + value.size() + chunk_bytes);
  key.append(head.data(), head.size());
  key.append(value);
  return key;
}

// A chunk number has 48 bits: an id without the 16 bits that its container holds.
void append_chunk(std::string& prefix, std::uint64_t chunk) {
  append_big(prefix, static_cast<std::uint16_t>(chunk >> 32));
  append_big(prefix, static_cast<std::uint32_t>(chunk));
}

std::string index_key(const IndexKey& key) {
  std::string bytes = index_prefix(key.kind, key.path, key.entry, key.value);
  append_chunk(bytes, key.chunk);
  return bytes;
}

std::string vector_key(std::uint32_t space, EntityKind kind, std::uint64_t entity) {
  std::string key;
  append_big(key, space);
  append_enum(key, kind);
  append_big(key, entity);
  return key;
}

std::string vector_log_key(std::uint32_t space, std::uint64_t sequence) {
  std::string key;
  append_big(key, space);
  append_big(key, sequence);
  return key;
}

std::string catalog_key(CatalogKind kind, std::uint32_t id) {
  std::string key;
  append_enum(key, kind);
  append_big(key, id);
  return key;
}

std::string stats_key(const StatsKey& key) {
  std::string bytes;
  append_enum(bytes, key.counter);
  append_enum(bytes, key.kind);
  append_big(bytes, key.id);
  return bytes;
}

// The last byte of a large text's key is the lowest byte of its property and may be 0, so the
// length is checked too.
bool is_hot_record_key(std::string_view key) noexcept {
  return key.size() == record_key_bytes && key.back() == static_cast<char>(hot_part);
}

// Accepts both parts, so that a scan over all records can also decode keys of large texts.
Result<std::uint64_t> decode_record_key(std::string_view key) {
  ByteCursor cursor(key);
  const auto id = cursor.read_big<std::uint64_t>();
  const std::uint8_t part = cursor.read_byte();
  if (part == large_text_part) (void)cursor.read_big<std::uint32_t>();
  if (!cursor.finished() || part > large_text_part) return malformed("nodes or relationships", key);
  return id;
}

std::uint64_t leading_id(std::string_view key) noexcept {
  return ByteCursor(key).read_big<std::uint64_t>();
}

// key[8] is the part, after eight bytes of id.
std::optional<std::uint32_t> large_text_property(std::string_view key) noexcept {
  if (key.size() != large_text_key_bytes || key[8] != static_cast<char>(large_text_part))
    return std::nullopt;
  return ByteCursor(key.substr(9)).read_big<std::uint32_t>();
}

Result<AdjacencyKey> decode_adjacency_key(std::string_view key) {
  ByteCursor cursor(key);
  AdjacencyKey decoded;
  decoded.node = cursor.read_big<std::uint64_t>();
  decoded.type = cursor.read_big<std::uint32_t>();
  decoded.other = cursor.read_big<std::uint64_t>();
  decoded.relationship = cursor.read_big<std::uint64_t>();
  if (!cursor.finished()) return malformed("adj_out or adj_in", key);
  return decoded;
}

// The text needs no end mark, because it is the last part of the key.
Result<ExternalIdKey> decode_external_id_key(std::string_view key) {
  ByteCursor cursor(key);
  ExternalIdKey decoded;
  decoded.name_space = cursor.read_big<std::uint32_t>();
  decoded.text = cursor.rest();
  if (cursor.failed()) return malformed("external_ids", key);
  return decoded;
}

// The value is between the fixed head and the fixed chunk. It is not decoded here, because its
// meaning depends on the path and the kind of entry.
Result<IndexKey> decode_index_key(std::string_view key) {
  if (key.size() < index_head_bytes + chunk_bytes) return malformed("index", key);
  ByteCursor cursor(key);
  IndexKey decoded;
  decoded.kind = read_enum(cursor, EntityKind::relationship);
  decoded.path = cursor.read_big<std::uint32_t>();
  decoded.entry = read_enum(cursor, EntryKind::element_presence);
  if (cursor.failed()) return malformed("index", key);
  decoded.value = key.substr(index_head_bytes, key.size() - index_head_bytes - chunk_bytes);
  decoded.chunk = chunk_of_index_key(key);
  return decoded;
}

// The caller has checked the length (with decode_index_key(), or by the name that it searched
// with).
std::uint64_t chunk_of_index_key(std::string_view key) noexcept {
  assert(key.size() >= index_head_bytes + chunk_bytes);
  ByteCursor cursor(key.substr(key.size() - chunk_bytes));
  const std::uint64_t high = cursor.read_big<std::uint16_t>();
  return high << 32 | cursor.read_big<std::uint32_t>();
}

Result<VectorKey> decode_vector_key(std::string_view key) {
  ByteCursor cursor(key);
  VectorKey decoded;
  decoded.space = cursor.read_big<std::uint32_t>();
  decoded.kind = read_enum(cursor, EntityKind::relationship);
  decoded.entity = cursor.read_big<std::uint64_t>();
  if (!cursor.finished()) return malformed("vectors", key);
  return decoded;
}

Result<VectorLogKey> decode_vector_log_key(std::string_view key) {
  ByteCursor cursor(key);
  VectorLogKey decoded;
  decoded.space = cursor.read_big<std::uint32_t>();
  decoded.sequence = cursor.read_big<std::uint64_t>();
  if (!cursor.finished()) return malformed("vector_log", key);
  return decoded;
}

Result<CatalogKey> decode_catalog_key(std::string_view key) {
  ByteCursor cursor(key);
  CatalogKey decoded;
  decoded.kind = read_enum(cursor, CatalogKind::constraint);
  decoded.id = cursor.read_big<std::uint32_t>();
  if (!cursor.finished()) return malformed("catalog", key);
  return decoded;
}

Result<StatsKey> decode_stats_key(std::string_view key) {
  ByteCursor cursor(key);
  StatsKey decoded;
  decoded.counter = read_enum(cursor, Counter::vectors);
  decoded.kind = read_enum(cursor, EntityKind::relationship);
  decoded.id = cursor.read_big<std::uint32_t>();
  if (!cursor.finished()) return malformed("stats", key);
  return decoded;
}

// A byte 0xff has no successor, so it is dropped and the byte before it is incremented. An empty
// result means "to the end of the family": cursors treat it as no bound.
std::string prefix_end(std::string prefix) {
  while (!prefix.empty() && static_cast<unsigned char>(prefix.back()) == 0xff) prefix.pop_back();
  if (!prefix.empty()) ++prefix.back();
  return prefix;
}

}  // namespace cairn::codec
