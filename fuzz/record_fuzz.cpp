// Decodes records of nodes and relationships, catalog entries, vectors and lists of backups: they
// are refused, or decoded and encoded alike.

#include "codec/backup_manifest.hpp"
#include "codec/byte_io.hpp"
#include "codec/catalog_entry.hpp"
#include "codec/checksum.hpp"
#include "codec/meta.hpp"
#include "codec/record.hpp"
#include "codec/record_view.hpp"
#include "fuzz/support/expect.hpp"

#include <string>

namespace {

using namespace cairn::codec;
using cairn::fuzz::expect;

/// Checks that a NodeView accepts what decoding accepts, and returns the same.
void check_view(const std::string& bytes) {
  const auto view = NodeView::of(bytes);
  const auto node = decode_node_record(bytes);
  if (node) expect(view.has_value() && view->keys().size() == node->properties.size());
  for (std::size_t i = 0; view && i < view->keys().size(); ++i) {
    const auto value = view->value(i);
    // NaN differs from itself, so only the presence of values is compared.
    if (node) expect(value.has_value() && view->keys()[i] == node->properties[i].key);
  }
}

void check_records(std::string_view bytes) {
  if (bytes.size() >= 64) check_view(std::string(bytes));  // on the heap, so it is aligned
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
  if (const auto token = decode_token_entry(token_entry_key("a"), bytes))
    expect(token->name == "a" && encode(*token) == bytes);
}

/// Decodes a backup's list of files, as given and with a valid checksum. File names must stay
/// within their directory.
void check_backup_lists(std::string_view bytes) {
  std::string checked(bytes);
  append_little(checked, checksum(bytes));
  for (const std::string_view list : {bytes, std::string_view(checked)}) {
    const auto manifest = decode_backup_manifest(list);
    if (!manifest) continue;
    expect(encode(*manifest) == list);
    for (const BackupFile& file : manifest->files)
      expect(file.name.find("..") != 0 && file.name.find("/.") == std::string::npos);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_records(bytes);
  check_others(bytes);
  check_backup_lists(bytes);
  return 0;
}
