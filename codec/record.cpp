// Encodes and decodes nodes and relationships, the primary data of a database. A record is a header
// of 64 bytes, so that system fields are read without FlatBuffers, and one FlatBuffer after it.
//
//  0         64
// header  | flatbuffer: labels, external id, keys, Values |
//
// A record can be read whole (decode_*), by one property (find_property) or in place
// (record_view.cpp). Each verifies the buffer first. Verification takes time per table, not per
// property, because values are stored in columns (README, Decisions): finding one of 8 properties
// takes 50 ns.
//
// Writers must have called check_storable(); encoders assert it. Safe on any thread; each thread
// has its own builder.
#include "codec/record.hpp"

#include "codec/limits.hpp"
#include "codec/record_table.hpp"
#include "codec/record_view.hpp"
#include "codec/stored_values.hpp"

#include <algorithm>
#include <cassert>

namespace cairn::codec {
namespace {

using Ids = std::vector<std::uint32_t>;
Ids copy_ids(const StoredIds* stored) {
  return stored == nullptr ? Ids() : Ids(stored->begin(), stored->end());
}

// A record without properties has neither keys nor values; has_count() checks that both agree.
template <class Table>
Result<StoredProperties> read_properties(const Table& table, std::size_t bytes) {
  const Ids keys = copy_ids(table.keys());
  if (!ascends(keys)) return malformed_record("its property keys do not ascend");
  ValuesReader reader(bytes);
  StoredProperties properties;
  if (reader.has_count(table.values(), keys.size())) properties.reserve(keys.size());
  for (std::uint32_t i = 0; i < keys.size() && reader.fault() == nullptr; ++i)
    properties.push_back({keys[i], reader.read_stored(*table.values(), i)});
  if (reader.fault() != nullptr) return malformed_record(reader.fault());
  return properties;
}

/// Reads one property. The order of the keys is not verified: damage there can hide a property, as
/// any changed key can, but cannot cause a read outside the buffer. Decoding the whole record
/// verifies the order. Cost: the verification, a binary search over the keys, and one value.
template <class Table>
Result<StoredValue> find_in(std::string_view body, std::uint32_t key) {
  const AlignedBytes bytes(body);
  CAIRN_ASSIGN(const Table* table, root_of_record<Table>(bytes));
  const StoredIds* keys = table->keys();
  if (keys == nullptr) return StoredValue();
  ValuesReader reader(bytes.size());
  (void)reader.has_count(table->values(), keys->size());
  const auto found = std::lower_bound(keys->begin(), keys->end(), key);
  const bool is_present = found != keys->end() && *found == key;
  StoredValue value;
  if (is_present && reader.fault() == nullptr)
    value = reader.read_stored(*table->values(), static_cast<std::uint32_t>(found - keys->begin()));
  if (reader.fault() != nullptr) return malformed_record(reader.fault());
  return value;
}

/// The keys and values of the properties, ready to be added to a table.
struct WrittenProperties {
  flatbuffers::Offset<StoredIds> keys;
  flatbuffers::Offset<fb::Values> values;
};

// Keys ascend, because find_property() bisects them.
WrittenProperties write_properties(flatbuffers::FlatBufferBuilder& builder,
                                   const StoredProperties& properties) {
  if (properties.empty()) return {};  // no field at all, rather than empty vectors
  Ids keys;
  keys.reserve(properties.size());
  ValuesWriter writer(builder, properties.size());
  for (const StoredProperty& property : properties) {
    keys.push_back(property.key);
    writer.add(property.value);
  }
  assert(ascends(keys));
  const auto values = writer.finish();
  return {builder.CreateVector(keys), values};
}

// Omitted if the author is unknown, so such records have the same bytes as before the field
// existed.
flatbuffers::Offset<flatbuffers::String> write_author(flatbuffers::FlatBufferBuilder& builder,
                                                      const std::string& author) {
  return author.empty() ? flatbuffers::Offset<flatbuffers::String>() : builder.CreateString(author);
}

/// Checks the length of a decoded name: a damaged offset can turn other bytes of the record into a
/// name.
Status check_name_bytes(const std::string& name, const char* problem) {
  if (name.size() <= max_name_bytes) return {};
  return malformed_record(problem);
}

template <class Table>
std::string read_author(const Table& table) {
  return table.author() == nullptr ? std::string() : table.author()->str();
}

/// A FlatBuffer builder that reuses its memory for the next record, unless a record was unusually
/// large. A commit encodes thousands of records, and growing a builder for each costs more than the
/// encoding. Each thread has one builder and encodes one record at a time.
class RecordBuilder {
 public:
  RecordBuilder() : builder_(kept()) {}
  RecordBuilder(const RecordBuilder&) = delete;
  RecordBuilder& operator=(const RecordBuilder&) = delete;
  ~RecordBuilder() {
    // GetSize() is read before Clear() resets it; Reset() frees the memory.
    const bool is_large = builder_.GetSize() > most_kept_bytes;
    builder_.Clear();
    if (is_large) builder_.Reset();
  }
  flatbuffers::FlatBufferBuilder& operator*() const noexcept { return builder_; }

 private:
  static constexpr std::size_t most_kept_bytes = std::size_t{64} << 10;
  static flatbuffers::FlatBufferBuilder& kept() {
    thread_local flatbuffers::FlatBufferBuilder builder;
    return builder;
  }
  flatbuffers::FlatBufferBuilder& builder_;
};

template <class Table>
std::string assemble(EntityKind kind, const RecordHeader& header,
                     flatbuffers::FlatBufferBuilder& builder, flatbuffers::Offset<Table> root) {
  builder.Finish(root);
  std::string out;
  out.reserve(record_header_bytes + builder.GetSize());
  append_record_header(out, kind, header);
  return out.append(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
}

}  // namespace

std::string encode_record(const NodeRecord& record) {
  assert(ascends(record.labels));
  const RecordBuilder kept;
  flatbuffers::FlatBufferBuilder& builder = *kept;
  const auto [keys, values] = write_properties(builder, record.properties);
  const auto external_id = record.external_id.empty() ? flatbuffers::Offset<flatbuffers::String>()
                                                      : builder.CreateString(record.external_id);
  const auto labels = record.labels.empty() ? flatbuffers::Offset<StoredIds>()
                                            : builder.CreateVector(record.labels);
  const auto author = write_author(builder, record.author);
  return assemble(EntityKind::node, record.header, builder,
                  fb::CreateNode(builder, labels, external_id, keys, values, author));
}

std::string encode_record(const RelationshipRecord& record) {
  const RecordBuilder kept;
  flatbuffers::FlatBufferBuilder& builder = *kept;
  const auto [keys, values] = write_properties(builder, record.properties);
  const auto author = write_author(builder, record.author);
  return assemble(EntityKind::relationship, record.header, builder,
                  fb::CreateRelationship(builder, record.type, record.source, record.target, keys,
                                         values, author));
}

// The header is checked first: in a record of the other kind, the flatbuffer would be read as the
// wrong table.
Result<NodeRecord> decode_node_record(std::string_view bytes) {
  NodeRecord record;
  CAIRN_ASSIGN(record.header, decode_header_of(EntityKind::node, bytes));
  const AlignedBytes body(bytes.substr(record_header_bytes));
  CAIRN_ASSIGN(const fb::Node* node, root_of_record<fb::Node>(body));
  record.labels = copy_ids(node->labels());
  if (!ascends(record.labels)) return malformed_record("its labels do not ascend");
  if (node->external_id() != nullptr) record.external_id = node->external_id()->str();
  CAIRN_ASSIGN(record.properties, read_properties(*node, body.size()));
  record.author = read_author(*node);
  CAIRN_TRY(check_name_bytes(record.external_id, "its external id is too long"));
  CAIRN_TRY(check_name_bytes(record.author, "its author is too long"));
  return record;
}

Result<RelationshipRecord> decode_relationship_record(std::string_view bytes) {
  RelationshipRecord record;
  CAIRN_ASSIGN(record.header, decode_header_of(EntityKind::relationship, bytes));
  const AlignedBytes body(bytes.substr(record_header_bytes));
  CAIRN_ASSIGN(const fb::Relationship* relationship, root_of_record<fb::Relationship>(body));
  record.type = relationship->type();
  record.source = relationship->source();
  record.target = relationship->target();
  CAIRN_ASSIGN(record.properties, read_properties(*relationship, body.size()));
  record.author = read_author(*relationship);
  CAIRN_TRY(check_name_bytes(record.author, "its author is too long"));
  return record;
}

Result<StoredValue> find_property(std::string_view record, std::uint32_t key) {
  CAIRN_ASSIGN(const EntityKind kind, decode_record_kind(record));
  const std::string_view body = record.substr(record_header_bytes);
  return kind == EntityKind::node ? find_in<fb::Node>(body, key)
                                  : find_in<fb::Relationship>(body, key);
}

Result<std::string> decode_author(std::string_view record) {
  CAIRN_ASSIGN(const EntityKind kind, decode_record_kind(record));
  const AlignedBytes body(record.substr(record_header_bytes));
  if (kind == EntityKind::node) {
    CAIRN_ASSIGN(const fb::Node* node, root_of_record<fb::Node>(body));
    return read_author(*node);
  }
  CAIRN_ASSIGN(const fb::Relationship* relationship, root_of_record<fb::Relationship>(body));
  return read_author(*relationship);
}

// Binary search, because the keys of decoded properties ascend.
const StoredProperty* find_stored(const StoredProperties& properties, std::uint32_t key) noexcept {
  const auto found = std::ranges::lower_bound(properties, key, {}, &StoredProperty::key);
  return found != properties.end() && found->key == key ? &*found : nullptr;
}

}  // namespace cairn::codec
