// check_storable of whole records.
// Asked by the engine's editors before a record is encoded; the limits are in limits.hpp. Labels
// and properties are bounded in number, since verifying and searching follow it, and all values of
// a record together in bytes, since FlatBuffers address 2 GiB at most and a record is held in
// memory whole.

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
    if (value == nullptr) continue;  // what a reference names has limits where it is stored
    if (value->type() == ValueType::vector)
      return Error{
          ErrorCode::type_error, "a vector belongs into the column family \"vectors\"", {}};
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
