// Values of nodes, relationships, catalog and vectors: refused, or what they decode to is encoded
// and decoded alike.

#include "codec/catalog_entry.hpp"
#include "codec/meta.hpp"
#include "codec/record.hpp"

#include <cstdlib>

namespace {

using namespace cairn::codec;

void expect(bool holds) {
  if (!holds) std::abort();
}

void check_records(std::string_view bytes) {
  if (const auto node = decode_node_record(bytes); node && check_storable(*node)) {
    expect(decode_node_record(encode_record(*node)).value() == *node);
    for (const StoredProperty& property : node->properties)
      expect(find_property(bytes, property.key).value() == property.value);
  }
  if (const auto other = decode_relationship_record(bytes); other && check_storable(*other))
    expect(decode_relationship_record(encode_record(*other)).value() == *other);
  (void)find_property(bytes, 3);
}

void check_others(std::string_view bytes) {
  if (const auto entry = decode_index_entry(bytes))
    expect(decode_index_entry(encode(*entry)).value() == *entry);
  (void)decode_name_entry(bytes);
  (void)decode_path_entry(bytes);
  (void)decode_space_entry(bytes);
  if (const auto vector = decode_vector(bytes)) expect(encode_vector(*vector) == bytes);
  if (const auto file = decode_commit_file(bytes)) expect(encode(*file) == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_records(bytes);
  check_others(bytes);
  return 0;
}
