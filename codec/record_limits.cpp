// check_storable() of whole records. The editors of the engine call it before a record is encoded;
// limits.hpp has the limits. Numbers of labels and properties are limited, because verification and
// searches take time for each. The bytes of all values are limited, because FlatBuffers address at
// most 2 GiB and a record is held in memory as a whole.

#include "codec/limits.hpp"
#include "codec/record.hpp"

namespace cairn::codec {
namespace {

Status check_at_most(const char* what, std::size_t size, std::size_t limit) {
  if (size <= limit) return {};
  return Error{ErrorCode::resource_limit,
               std::string(what) + std::to_string(size) + "; the limit is " + std::to_string(limit),
               {}};
}

Status check_properties(const StoredProperties& properties) {
  CAIRN_TRY(
      check_at_most("properties of a node or relationship: ", properties.size(), max_properties));
  std::size_t bytes = 0;
  for (const StoredProperty& property : properties) {
    const Value* value = std::get_if<Value>(&property.value);
    if (value == nullptr) continue;  // a referenced value is limited where it is stored
    if (value->type() == ValueType::vector)
      return Error{ErrorCode::type_error,
                   "a record cannot hold a vector: it belongs in the column family \"vectors\"",
                   {}};
    CAIRN_TRY(check_storable(*value));
    bytes += counted_bytes(*value);
  }
  return check_at_most("bytes of all properties: ", bytes, max_record_bytes);
}

Status check_author(const std::string& author) {
  return check_at_most("bytes of an author: ", author.size(), max_name_bytes);
}

}  // namespace

Status check_storable(const NodeRecord& record) {
  CAIRN_TRY(check_at_most("labels of a node: ", record.labels.size(), max_labels));
  CAIRN_TRY(check_at_most("bytes of an external id: ", record.external_id.size(), max_name_bytes));
  CAIRN_TRY(check_author(record.author));
  return check_properties(record.properties);
}

Status check_storable(const RelationshipRecord& record) {
  CAIRN_TRY(check_author(record.author));
  return check_properties(record.properties);
}

}  // namespace cairn::codec
