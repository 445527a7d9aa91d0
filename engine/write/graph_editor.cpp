// Creating and erasing nodes and relationships. Each change is translated into the keys that it affects. The
// write_set with these keys is both what later reads of the transaction see and what the commit writes:
//
// create node    record | texts, vectors | external id      | postings: all, namespace, labels, values
// create rel.    record | texts, vectors | adj_out, adj_in  | postings: all, namespace, type, values
//
// A change first performs all checks that may refuse it: limits, names, missing ends, used external ids, vectors that
// an index would refuse. Then it makes the first write. After that only a read of the store can fail, and then the
// transaction must be rolled back. Ids are assigned after the checks, so that a refused record uses none.
//
// graph_editor_changes.cpp changes existing records, property_editor.cpp their values and the postings of the values.
#include "engine/write/graph_editor.hpp"

#include "codec/byte_io.hpp"
#include "engine/system/clock.hpp"
#include "engine/write/limits.hpp"

#include <algorithm>

namespace cairn::engine {
namespace {

using codec::EntityKind;
using codec::SystemPath;

/// True if the value needs no normalization. A vector must be checked, and a list may become a vector if an index
/// demands it.
bool is_stored_as_it_is(const Value& value, bool has_indexes) {
  const bool may_become_vector = value.list() != nullptr && has_indexes;
  return !value.is_null() && value.type() != ValueType::vector && !may_become_vector;
}

/// The error for an entity that does not exist.
Error not_found(EntityKind kind, std::uint64_t id) {
  return Error{ErrorCode::not_found, entity_text(kind, id) + " does not exist", {}};
}

}  // namespace

Result<codec::NodeRecord> GraphEditor::node(std::uint64_t id) const {
  CAIRN_ASSIGN(auto record, records_.node(id));
  if (!record) return not_found(EntityKind::node, id);
  return *std::move(record);
}

Result<codec::RelationshipRecord> GraphEditor::relationship(std::uint64_t id) const {
  CAIRN_ASSIGN(auto record, records_.relationship(id));
  if (!record) return not_found(EntityKind::relationship, id);
  return *std::move(record);
}

// A namespace is read-only if use_place() has listed it.
Status GraphEditor::check_writable(EntityKind kind, std::uint64_t id,
                                   const codec::RecordHeader& header) const {
  if (std::ranges::find(read_only_, header.name_space) == read_only_.end()) return {};
  const std::string& name =
      catalog_.current().name(codec::CatalogKind::name_space, header.name_space);
  return Error{ErrorCode::unsupported,
               entity_text(kind, id) + " is in the namespace \"" + name +
                   "\", which is read-only here; change it in a statement that writes to that "
                   "namespace",
               {}};
}

// The last step of each change. The labels that the record has now decide which full-text indexes are affected.
void GraphEditor::lay(std::uint64_t id, const codec::NodeRecord& record) {
  touch_if_text(EntityKind::node, id, record.labels);
  write_set_.put(Family::nodes, codec::record_key(id), codec::encode_record(record));
}

void GraphEditor::lay(std::uint64_t id, const codec::RelationshipRecord& record) {
  touch_if_text(EntityKind::relationship, id, groups_of(record));
  write_set_.put(Family::relationships, codec::record_key(id), codec::encode_record(record));
}

codec::RecordHeader GraphEditor::new_header(std::optional<std::int64_t> expires_at) const {
  codec::RecordHeader header;
  header.expires_at = expires_at;
  header.name_space = name_space_;
  header.created = header.updated = system_time();
  return header;
}

// If the record is refused later, a new namespace remains in the catalog, as after use_place().
Result<codec::RecordHeader> GraphEditor::header_of(const SystemFields& fields) {
  if (!fields.author.empty()) CAIRN_TRY(check_name("author", fields.author, options_));
  if (!fields.name_space.empty()) CAIRN_TRY(check_name("namespace", fields.name_space, options_));
  codec::RecordHeader header;
  header.name_space = catalog_.intern_name_space(fields.name_space);
  header.created = fields.created ? *fields.created : system_time();
  header.updated = fields.updated.value_or(header.created);
  header.deleted_at = fields.deleted_at;
  header.expires_at = fields.expires_at;
  header.valid_from = fields.valid_from;
  header.valid_to = fields.valid_to;
  return header;
}

// Does not check the owner of the external id. That check reads the store, so the caller does it last.
Status GraphEditor::check_node(std::span<const std::string> labels, const Properties& properties,
                               std::string_view external_id) const {
  for (const std::string& label : labels) CAIRN_TRY(check_name("label", label, options_));
  CAIRN_TRY(check_label_count(labels.size()));
  CAIRN_TRY(check_properties(properties, options_));
  return external_id.empty() ? Status() : check_name("external id", external_id, options_);
}

// Avoids a copy of the properties in the usual case, in which each value is stored as it is.
Result<const Properties*> GraphEditor::normalized(EntityKind kind,
                                                  std::span<const std::uint32_t> groups,
                                                  const Properties& properties,
                                                  Properties& changed) const {
  const bool has_indexes = !catalog_.current().indexes().empty();
  const bool stays = std::all_of(properties.begin(), properties.end(), [&](const auto& property) {
    return is_stored_as_it_is(property.second, has_indexes);
  });
  if (stays) return &properties;
  for (const auto& [name, value] : properties) {
    if (value.is_null()) continue;
    CAIRN_ASSIGN(auto stored, properties_.normalized(kind, groups, name, value));
    changed.emplace_hint(changed.end(), name, std::move(stored));
  }
  return &changed;
}

// Must be called before the record is written, because it fills `out`, the properties of the record.
Status GraphEditor::store_all(const PropertyOwner& owner, const Properties& properties,
                              codec::StoredProperties& out) {
  out.reserve(out.size() + properties.size());
  for (const auto& [name, value] : properties) {
    CAIRN_TRY(properties_.set(owner, out, name, value));
  }
  return {};
}

/// A label that the catalog lacks is in no index, so it may be ignored.
std::vector<std::uint32_t> GraphEditor::known_labels(std::span<const std::string> labels) const {
  std::vector<std::uint32_t> known;
  for (const std::string& label : labels) {
    if (const auto id = catalog_.current().find_label(label)) known.push_back(*id);
  }
  return known;
}

// A type that the catalog lacks is in no index.
std::vector<std::uint32_t> GraphEditor::known_type(std::string_view type) const {
  const auto number = catalog_.current().find_type(type);
  return number ? std::vector{*number} : std::vector<std::uint32_t>();
}

Result<Value> GraphEditor::stored_form(EntityKind kind, std::span<const std::string> labels_or_type,
                                       std::string_view name, const Value& value) const {
  const auto groups =
      kind == EntityKind::node ? known_labels(labels_or_type) : known_type(labels_or_type.front());
  return properties_.normalized(kind, groups, name, value);
}

std::vector<std::uint32_t> GraphEditor::intern_labels(std::span<const std::string> labels) {
  std::vector<std::uint32_t> ids;
  for (const std::string& label : labels) {
    ids.push_back(catalog_.intern(codec::CatalogKind::label, label));
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

Result<std::uint64_t> GraphEditor::create_node(std::span<const std::string> labels,
                                               const Properties& properties,
                                               std::string_view external_id,
                                               std::optional<std::int64_t> expires_at) {
  return add_node(labels, properties, external_id, new_header(expires_at), author_);
}

Result<std::uint64_t> GraphEditor::restore_node(std::span<const std::string> labels,
                                                const Properties& properties,
                                                std::string_view external_id,
                                                const SystemFields& fields) {
  CAIRN_ASSIGN(const codec::RecordHeader header, header_of(fields));
  return add_node(labels, properties, external_id, header, fields.author);
}

// Does the common part of create_node() and restore_node().
Result<std::uint64_t> GraphEditor::add_node(std::span<const std::string> labels,
                                            const Properties& properties,
                                            std::string_view external_id,
                                            const codec::RecordHeader& header,
                                            const std::string& author) {
  CAIRN_TRY(check_node(labels, properties, external_id));
  Properties changed;
  CAIRN_ASSIGN(const Properties* values,
               normalized(EntityKind::node, known_labels(labels), properties, changed));
  if (!external_id.empty()) CAIRN_TRY(free_external_id(header.name_space, external_id));
  codec::NodeRecord record;
  record.labels = intern_labels(labels);
  CAIRN_ASSIGN(const std::uint64_t id, ids_.next(EntityKind::node, header.name_space));
  record.header = header;
  record.external_id = external_id;
  record.author = author;
  CAIRN_TRY(store_all({EntityKind::node, id, record.labels}, *values, record.properties));
  enter(EntityKind::node, id, header);
  for (const std::uint32_t label : record.labels) {
    change_posting(system_posting(EntityKind::node, SystemPath::label, label), id, true);
  }
  // The id is stored as 8 bytes in big-endian order, like ids in keys.
  if (!external_id.empty()) {
    std::string value;
    codec::append_big(value, id);
    write_set_.put(Family::external_ids, codec::external_id_key(header.name_space, external_id),
                   value);
  }
  touch_if_constrained(EntityKind::node, id, record.labels);
  lay(id, record);
  return id;
}

Result<std::uint64_t> GraphEditor::create_relationship(std::uint64_t source, std::string_view type,
                                                       std::uint64_t target,
                                                       const Properties& properties,
                                                       std::optional<std::int64_t> expires_at) {
  return add_relationship(source, type, target, properties, new_header(expires_at), author_);
}

Result<std::uint64_t> GraphEditor::restore_relationship(std::uint64_t source, std::string_view type,
                                                        std::uint64_t target,
                                                        const Properties& properties,
                                                        const SystemFields& fields) {
  CAIRN_ASSIGN(const codec::RecordHeader header, header_of(fields));
  return add_relationship(source, type, target, properties, header, fields.author);
}

// Does the common part of create_relationship() and restore_relationship().
Result<std::uint64_t> GraphEditor::add_relationship(std::uint64_t source, std::string_view type,
                                                    std::uint64_t target,
                                                    const Properties& properties,
                                                    const codec::RecordHeader& header,
                                                    const std::string& author) {
  CAIRN_TRY(check_name("relationship type", type, options_));
  CAIRN_TRY(check_properties(properties, options_));
  for (const std::uint64_t end : {source, target}) {
    CAIRN_ASSIGN(const bool is_there, records_.exists(EntityKind::node, end));
    if (!is_there) return not_found(EntityKind::node, end);
  }
  // A new type gets its number after the checks.
  Properties changed;
  CAIRN_ASSIGN(const Properties* values,
               normalized(EntityKind::relationship, known_type(type), properties, changed));
  codec::RelationshipRecord record;
  record.type = catalog_.intern(codec::CatalogKind::relationship_type, type);
  record.source = source;
  record.target = target;
  CAIRN_ASSIGN(const std::uint64_t id, ids_.next(EntityKind::relationship, header.name_space));
  record.header = header;
  record.author = author;
  CAIRN_TRY(
      store_all({EntityKind::relationship, id, groups_of(record)}, *values, record.properties));
  enter(EntityKind::relationship, id, header);
  change_posting(system_posting(EntityKind::relationship, SystemPath::type, record.type), id, true);
  change_adjacency(id, record, true);
  touch_if_constrained(EntityKind::relationship, id, groups_of(record));
  lay(id, record);
  return id;
}

// Reverses create_node(): removes from postings and indexes all that the current record has there.
Status GraphEditor::erase_node(std::uint64_t id) {
  CAIRN_ASSIGN(const auto record, node(id));
  CAIRN_TRY(check_writable(EntityKind::node, id, record.header));
  std::vector<Adjacent> any;
  // A single relationship is enough to refuse, and a node may have millions.
  AdjacencyReader::Request request;
  request.node = id;
  request.limit = 1;
  CAIRN_TRY(adjacency_.read(request, any));
  if (!any.empty()) {
    return Error{ErrorCode::conflict,
                 entity_text(EntityKind::node, id) +
                     " still has relationships; erase them first, or erase it with them "
                     "(erase_node_and_relationships(), DETACH DELETE)",
                 {}};
  }
  CAIRN_TRY(properties_.forget({EntityKind::node, id, record.labels}, record.properties));
  leave(EntityKind::node, id, record.header);
  for (const std::uint32_t label : record.labels) {
    change_posting(system_posting(EntityKind::node, SystemPath::label, label), id, false);
  }
  if (!record.external_id.empty()) {
    write_set_.erase(Family::external_ids,
                     codec::external_id_key(record.header.name_space, record.external_id));
  }
  touch_if_text(EntityKind::node, id, record.labels);
  write_set_.erase(Family::nodes, codec::record_key(id));
  return {};
}

Status GraphEditor::erase_relationship(std::uint64_t id) {
  CAIRN_ASSIGN(const auto record, relationship(id));
  CAIRN_TRY(check_writable(EntityKind::relationship, id, record.header));
  return drop_relationship(id, record);
}

Status GraphEditor::erase_attached(std::uint64_t id) {
  CAIRN_ASSIGN(const auto record, relationship(id));
  return drop_relationship(id, record);
}

// Reverses add_relationship().
Status GraphEditor::drop_relationship(std::uint64_t id, const codec::RelationshipRecord& record) {
  CAIRN_TRY(
      properties_.forget({EntityKind::relationship, id, groups_of(record)}, record.properties));
  leave(EntityKind::relationship, id, record.header);
  change_posting(system_posting(EntityKind::relationship, SystemPath::type, record.type), id,
                 false);
  change_adjacency(id, record, false);
  touch_if_text(EntityKind::relationship, id, groups_of(record));
  write_set_.erase(Family::relationships, codec::record_key(id));
  return {};
}

// The namespaces of the relationships are not checked: they are erased as a part of the node.
Status GraphEditor::erase_node_and_relationships(std::uint64_t id) {
  if (!read_only_.empty()) {
    CAIRN_ASSIGN(const auto record, node(id));
    CAIRN_TRY(check_writable(EntityKind::node, id, record.header));
  }
  // Reads the whole list first, because erasing changes the write_set that is read here. A self-loop is in the list
  // once.
  std::vector<Adjacent> adjacent;
  AdjacencyReader::Request request;
  request.node = id;
  CAIRN_TRY(adjacency_.read(request, adjacent));
  for (const Adjacent& step : adjacent) CAIRN_TRY(erase_attached(step.relationship));
  return erase_node(id);
}

// A transaction may add and remove an id several times. The last change wins when the commit collects the changes
// (ChunkChanges).
void GraphEditor::change_posting(const std::string& name, std::uint64_t id, bool added) {
  write_set_.postings().change(name, {id, added});
}

// A relationship has two keys without a value: one at its source, one at its target.
void GraphEditor::change_adjacency(std::uint64_t id, const codec::RelationshipRecord& record,
                                   bool added) {
  const auto set = [&](Family family, std::uint64_t node, std::uint64_t other) {
    std::string key = codec::adjacency_key({node, record.type, other, id});
    if (added)
      write_set_.put(family, std::move(key), "");
    else
      write_set_.erase(family, std::move(key));
  };
  set(Family::adj_out, record.source, record.target);
  set(Family::adj_in, record.target, record.source);
}

// Enters (or removes) an entity in the posting and the counter of each system field that it has. `all` contains every
// entity; a namespace of 0 has no posting.
void GraphEditor::change_system_postings(EntityKind kind, std::uint64_t id,
                                         const codec::RecordHeader& header, bool added) {
  const auto set = [&](const std::string& name, Counter counter) {
    change_posting(name, id, added);
    write_set_.counters().of(counter, kind) += added ? 1 : -1;
  };
  set(system_posting(kind, SystemPath::all), Counter::live);
  if (header.name_space != 0) {
    set(system_posting(kind, SystemPath::name_space, header.name_space), Counter::name_spaced);
  }
  if (header.deleted_at) set(system_posting(kind, SystemPath::deleted), Counter::deleted);
  if (header.expires_at) set(expiry_posting(kind, *header.expires_at), Counter::expiring);
}

}  // namespace cairn::engine
