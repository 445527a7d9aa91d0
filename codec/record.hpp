#pragma once
// Node and relationship records: a fixed header, then a FlatBuffer of labels and properties. System
// fields are not properties: the author is in the flatbuffer, the others are in the header. Large
// texts are stored outside the hot record under keys of their own. Vectors are stored in the column
// family `vectors` only.
//
// record := layout:u8=1 kind:u8 present:u8 00 name_space:u32 schema_version:u32 0:u32 created:i64
//           updated:i64 deleted_at:i64 expires_at:i64 valid_from:i64 valid_to:i64 flatbuffer
//
// Numbers are little-endian. Bits of `present`, from 1: deleted_at, expires_at, valid_from,
// valid_to; an absent time is zero. The flatbuffer is the Node or Relationship of
// schema/record.fbs.

#include "codec/keys.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cairn::codec {

/// The system fields of a record, besides its author.
struct RecordHeader {
  std::uint32_t name_space = 0;
  std::uint32_t schema_version = 0;
  std::int64_t created = 0;  ///< microseconds since 1970 UTC, as all times here
  std::int64_t updated = 0;
  std::optional<std::int64_t> deleted_at;
  std::optional<std::int64_t> expires_at;
  std::optional<std::int64_t> valid_from;
  std::optional<std::int64_t> valid_to;
  friend bool operator==(const RecordHeader&, const RecordHeader&) = default;
};

/// Replaces a vector in the hot record.
struct VectorReference {
  std::uint32_t space = 0;
  std::uint32_t dimension = 0;
  friend bool operator==(const VectorReference&, const VectorReference&) = default;
};

/// Replaces a large text in the hot record.
struct TextReference {
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0;  ///< XXH3 64 of the text
  friend bool operator==(const TextReference&, const TextReference&) = default;
};

using StoredValue = std::variant<Value, VectorReference, TextReference>;

/// A top-level property: the catalog id of its key, and its value.
struct StoredProperty {
  std::uint32_t key = 0;
  StoredValue value;
  friend bool operator==(const StoredProperty&, const StoredProperty&) = default;
};

using StoredProperties = std::vector<StoredProperty>;  ///< ascending by key, each key once

struct NodeRecord {
  RecordHeader header;
  std::vector<std::uint32_t> labels;  ///< ascending
  std::string external_id;            ///< empty if the node has none
  StoredProperties properties;
  std::string author = {};  ///< who created the record; empty if unknown
  friend bool operator==(const NodeRecord&, const NodeRecord&) = default;
};

struct RelationshipRecord {
  RecordHeader header;
  std::uint32_t type = 0;
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  StoredProperties properties;
  std::string author = {};
  friend bool operator==(const RelationshipRecord&, const RelationshipRecord&) = default;
};

/// Longer texts are stored under a key of their own.
inline constexpr std::size_t large_text_bytes = 512;

/// Checks a record against the limits of codec/limits.hpp. Errors: type_error, resource_limit.
[[nodiscard]] Status check_storable(const NodeRecord& record);
[[nodiscard]] Status check_storable(const RelationshipRecord& record);

/// Precondition: check_storable() accepts the record.
[[nodiscard]] std::string encode_record(const NodeRecord& record);
[[nodiscard]] std::string encode_record(const RelationshipRecord& record);
/// Errors: corruption; the caller adds the key to the error.
[[nodiscard]] Result<NodeRecord> decode_node_record(std::string_view bytes);
[[nodiscard]] Result<RelationshipRecord> decode_relationship_record(std::string_view bytes);

/// Returns one property of a node or relationship record without decoding the rest; null if it is
/// absent.
[[nodiscard]] Result<StoredValue> find_property(std::string_view record, std::uint32_t key);
/// Decodes the header alone.
[[nodiscard]] Result<RecordHeader> decode_header(std::string_view record);
/// Returns who created the record; empty if unknown.
[[nodiscard]] Result<std::string> decode_author(std::string_view record);
/// Returns whether a record is of a node or of a relationship.
[[nodiscard]] Result<EntityKind> decode_record_kind(std::string_view record);

/// Returns the property with this key, or nullptr.
[[nodiscard]] const StoredProperty* find_stored(const StoredProperties& properties,
                                                std::uint32_t key) noexcept;

/// Encodes floats as stored in `vectors`: count:u32le checksum:u32le (float:le32)*. The checksum is
/// the lower half of checksum() (codec/checksum.hpp) over the floats.
[[nodiscard]] std::string encode_vector(std::span<const float> components);
[[nodiscard]] Result<std::vector<float>> decode_vector(std::string_view bytes);

}  // namespace cairn::codec
