#include "engine/write/graph_editor.hpp"

#include "codec/byte_io.hpp"
#include "codec/limits.hpp"
#include "engine/write/limits.hpp"

#include <algorithm>
#include <chrono>

namespace cairn::engine {
namespace {

using codec::EntityKind;
using codec::SystemPath;

std::int64_t now_microseconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

Error not_found(EntityKind kind, std::uint64_t id) {
  return Error{ErrorCode::not_found, entity_text(kind, id) + " does not exist", {}};
}

std::span<const std::uint32_t> groups_of(const codec::NodeRecord& record) { return record.labels; }
std::span<const std::uint32_t> groups_of(const codec::RelationshipRecord& record) {
  return {&record.type, 1};
}

bool has_vector(const codec::StoredProperties& properties) {
  return std::any_of(properties.begin(), properties.end(), [](const codec::StoredProperty& p) {
    return std::holds_alternative<codec::VectorReference>(p.value);
  });
}

}  // namespace

// --- records ------------------------------------------------------------------------------------

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

Status GraphEditor::put(std::uint64_t id, codec::NodeRecord& record) {
  record.header.updated = now_microseconds();
  overlay_.put(Family::nodes, codec::record_key(id), codec::encode_record(record));
  return {};
}

Status GraphEditor::put(std::uint64_t id, codec::RelationshipRecord& record) {
  record.header.updated = now_microseconds();
  overlay_.put(Family::relationships, codec::record_key(id), codec::encode_record(record));
  return {};
}

template <class Change>
Status GraphEditor::modify(EntityKind kind, std::uint64_t id, Change&& change) {
  const auto apply = [&](auto record) -> Status {
    CAIRN_TRY(change(PropertyOwner{kind, id, groups_of(record)}, record));
    return put(id, record);
  };
  if (kind == EntityKind::node) {
    CAIRN_ASSIGN(auto record, node(id));
    return apply(std::move(record));
  }
  CAIRN_ASSIGN(auto record, relationship(id));
  return apply(std::move(record));
}

// --- making and erasing ---------------------------------------------------------------------------

Status GraphEditor::check_node(std::span<const std::string> labels, const Properties& properties,
                               std::string_view external_id) const {
  for (const std::string& label : labels) CAIRN_TRY(check_name("label", label, options_));
  if (labels.size() > codec::max_labels) {
    return Error{ErrorCode::invalid_argument,
                 "labels of one node: " + std::to_string(labels.size()) + "; the limit is " +
                     std::to_string(codec::max_labels),
                 {}};
  }
  CAIRN_TRY(check_properties(properties, options_));
  if (external_id.empty()) return {};
  CAIRN_TRY(check_name("external id", external_id, options_));
  CAIRN_ASSIGN(const auto used, records_.get(Family::external_ids,
                                             codec::external_id_key(name_space_, external_id)));
  if (!used) return {};
  return Error{ErrorCode::already_exists,
               "external id \"" + std::string(external_id) + "\" is used by another node",
               {}};
}

Result<Properties> GraphEditor::normalized(EntityKind kind, std::span<const std::uint32_t> groups,
                                           const Properties& properties) const {
  Properties result;
  for (const auto& [name, value] : properties) {
    if (value.is_null()) continue;
    CAIRN_ASSIGN(auto stored, properties_.normalized(kind, groups, name, value));
    result.emplace_hint(result.end(), name, std::move(stored));
  }
  return result;
}

Status GraphEditor::store_all(const PropertyOwner& owner, const Properties& properties,
                              codec::StoredProperties& out) {
  for (const auto& [name, value] : properties) {
    CAIRN_TRY(properties_.set(owner, out, name, value));
  }
  return {};
}

/// A label that is not in the catalog is in no index either.
std::vector<std::uint32_t> GraphEditor::known_labels(std::span<const std::string> labels) const {
  std::vector<std::uint32_t> known;
  for (const std::string& label : labels) {
    if (const auto id = catalog_.current().find_label(label)) known.push_back(*id);
  }
  return known;
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
                                               std::string_view external_id) {
  CAIRN_TRY(check_node(labels, properties, external_id));
  CAIRN_ASSIGN(const Properties values,
               normalized(EntityKind::node, known_labels(labels), properties));
  codec::NodeRecord record;
  record.labels = intern_labels(labels);
  CAIRN_ASSIGN(const std::uint64_t id, ids_.next(EntityKind::node, name_space_));
  record.header.name_space = name_space_;
  record.header.created = now_microseconds();
  record.external_id = external_id;
  CAIRN_TRY(store_all({EntityKind::node, id, record.labels}, values, record.properties));
  enter(EntityKind::node, id);
  for (const std::uint32_t label : record.labels) {
    change_posting(system_posting(EntityKind::node, SystemPath::label, label), id, true);
  }
  if (!external_id.empty()) {
    std::string value;
    codec::append_big(value, id);
    overlay_.put(Family::external_ids, codec::external_id_key(name_space_, external_id), value);
  }
  CAIRN_TRY(put(id, record));
  return id;
}

Result<std::uint64_t> GraphEditor::create_relationship(std::uint64_t source, std::string_view type,
                                                       std::uint64_t target,
                                                       const Properties& properties) {
  CAIRN_TRY(check_name("relationship type", type, options_));
  CAIRN_TRY(check_properties(properties, options_));
  for (const std::uint64_t end : {source, target}) {
    CAIRN_ASSIGN(const bool is_there, records_.exists(EntityKind::node, end));
    if (!is_there) return not_found(EntityKind::node, end);
  }
  codec::RelationshipRecord record;
  record.type = catalog_.intern(codec::CatalogKind::relationship_type, type);
  record.source = source;
  record.target = target;
  CAIRN_ASSIGN(const Properties values,
               normalized(EntityKind::relationship, groups_of(record), properties));
  CAIRN_ASSIGN(const std::uint64_t id, ids_.next(EntityKind::relationship, name_space_));
  record.header.name_space = name_space_;
  record.header.created = now_microseconds();
  CAIRN_TRY(
      store_all({EntityKind::relationship, id, groups_of(record)}, values, record.properties));
  enter(EntityKind::relationship, id);
  change_posting(system_posting(EntityKind::relationship, SystemPath::type, record.type), id, true);
  change_adjacency(id, record, true);
  CAIRN_TRY(put(id, record));
  return id;
}

Status GraphEditor::erase_node(std::uint64_t id) {
  CAIRN_ASSIGN(const auto record, node(id));
  std::vector<Adjacent> any;
  AdjacencyReader::Request request;
  request.node = id;
  request.limit = 1;
  CAIRN_TRY(adjacency_.read(request, any));
  if (!any.empty()) {
    return Error{ErrorCode::conflict,
                 entity_text(EntityKind::node, id) +
                     " still has relationships; erase them first, or use DETACH DELETE",
                 {}};
  }
  CAIRN_TRY(properties_.forget({EntityKind::node, id, record.labels}, record.properties));
  leave(EntityKind::node, id, record.header);
  for (const std::uint32_t label : record.labels) {
    change_posting(system_posting(EntityKind::node, SystemPath::label, label), id, false);
  }
  if (!record.external_id.empty()) {
    overlay_.erase(Family::external_ids,
                   codec::external_id_key(record.header.name_space, record.external_id));
  }
  overlay_.erase(Family::nodes, codec::record_key(id));
  return {};
}

Status GraphEditor::erase_relationship(std::uint64_t id) {
  CAIRN_ASSIGN(const auto record, relationship(id));
  CAIRN_TRY(
      properties_.forget({EntityKind::relationship, id, groups_of(record)}, record.properties));
  leave(EntityKind::relationship, id, record.header);
  change_posting(system_posting(EntityKind::relationship, SystemPath::type, record.type), id,
                 false);
  change_adjacency(id, record, false);
  overlay_.erase(Family::relationships, codec::record_key(id));
  return {};
}

void GraphEditor::change_posting(const std::string& name, std::uint64_t id, bool added) {
  overlay_.postings().change(name, {id, added});
}

void GraphEditor::change_adjacency(std::uint64_t id, const codec::RelationshipRecord& record,
                                   bool added) {
  const auto set = [&](Family family, std::uint64_t node, std::uint64_t other) {
    std::string key = codec::adjacency_key({node, record.type, other, id});
    if (added)
      overlay_.put(family, std::move(key), "");
    else
      overlay_.erase(family, std::move(key));
  };
  set(Family::adj_out, record.source, record.target);
  set(Family::adj_in, record.target, record.source);
}

/// A new entity enters what is kept of all entities.
void GraphEditor::enter(EntityKind kind, std::uint64_t id) {
  change_posting(system_posting(kind, SystemPath::all), id, true);
  overlay_.counters().of(Counter::live, kind) += 1;
  if (name_space_ == 0) return;
  change_posting(system_posting(kind, SystemPath::name_space, name_space_), id, true);
  overlay_.counters().of(Counter::name_spaced, kind) += 1;
}

void GraphEditor::leave(EntityKind kind, std::uint64_t id, const codec::RecordHeader& header) {
  const auto drop = [&](const std::string& name, Counter counter) {
    change_posting(name, id, false);
    overlay_.counters().of(counter, kind) -= 1;
  };
  drop(system_posting(kind, SystemPath::all), Counter::live);
  if (header.name_space != 0) {
    drop(system_posting(kind, SystemPath::name_space, header.name_space), Counter::name_spaced);
  }
  if (header.deleted_at) drop(system_posting(kind, SystemPath::deleted), Counter::deleted);
  if (header.expires_at) drop(expiry_posting(kind, *header.expires_at), Counter::expiring);
}

// --- changing -----------------------------------------------------------------------------------

Status GraphEditor::set_property(EntityKind kind, std::uint64_t id, std::string_view name,
                                 const Value& value) {
  CAIRN_TRY(check_property(name, value, options_));
  return modify(kind, id, [&](const PropertyOwner& owner, auto& record) -> Status {
    CAIRN_ASSIGN(const Value stored, properties_.normalized(kind, owner.groups, name, value));
    return properties_.set(owner, record.properties, name, stored);
  });
}

Status GraphEditor::set_properties(EntityKind kind, std::uint64_t id,
                                   const Properties& properties) {
  CAIRN_TRY(check_properties(properties, options_));
  return modify(kind, id, [&](const PropertyOwner& owner, auto& record) -> Status {
    CAIRN_ASSIGN(const Properties values, normalized(kind, owner.groups, properties));
    const codec::StoredProperties before = record.properties;
    for (const codec::StoredProperty& old : before) {
      const std::string& name = catalog_.current().name(codec::CatalogKind::property, old.key);
      if (values.contains(name)) continue;
      CAIRN_TRY(properties_.remove(owner, record.properties, old.key));
    }
    return store_all(owner, values, record.properties);
  });
}

Result<bool> GraphEditor::add_label(std::uint64_t id, std::string_view label) {
  CAIRN_TRY(check_name("label", label, options_));
  CAIRN_ASSIGN(auto record, node(id));
  const std::uint32_t number = catalog_.intern(codec::CatalogKind::label, label);
  const auto place = std::lower_bound(record.labels.begin(), record.labels.end(), number);
  if (place != record.labels.end() && *place == number) return false;
  record.labels.insert(place, number);
  change_posting(system_posting(EntityKind::node, SystemPath::label, number), id, true);
  touch_if_vector(EntityKind::node, id, record.properties);
  CAIRN_TRY(properties_.convert_lists({EntityKind::node, id, record.labels}, record.properties));
  CAIRN_TRY(put(id, record));
  return true;
}

Result<bool> GraphEditor::remove_label(std::uint64_t id, std::string_view label) {
  CAIRN_ASSIGN(auto record, node(id));
  const auto number = catalog_.current().find_label(label);
  if (!number || std::erase(record.labels, *number) == 0) return false;
  change_posting(system_posting(EntityKind::node, SystemPath::label, *number), id, false);
  touch_if_vector(EntityKind::node, id, record.properties);
  CAIRN_TRY(put(id, record));
  return true;
}

void GraphEditor::touch_if_vector(EntityKind kind, std::uint64_t id,
                                  const codec::StoredProperties& properties) {
  if (has_vector(properties)) overlay_.touch_vector(kind, id);
}

Status GraphEditor::set_deleted(EntityKind kind, std::uint64_t id, std::optional<std::int64_t> at) {
  return modify(kind, id, [&](const PropertyOwner&, auto& record) -> Status {
    const bool was_deleted = record.header.deleted_at.has_value();
    record.header.deleted_at = at;
    if (was_deleted == at.has_value()) return {};
    change_posting(system_posting(kind, SystemPath::deleted), id, at.has_value());
    overlay_.counters().of(Counter::deleted, kind) += at ? 1 : -1;
    return {};
  });
}

Status GraphEditor::set_expiry(EntityKind kind, std::uint64_t id, std::optional<std::int64_t> at) {
  return modify(kind, id, [&](const PropertyOwner&, auto& record) -> Status {
    auto& expiry = record.header.expires_at;
    auto& count = overlay_.counters().of(Counter::expiring, kind);
    if (expiry) change_posting(expiry_posting(kind, *expiry), id, false);
    if (at) change_posting(expiry_posting(kind, *at), id, true);
    count += (at ? 1 : 0) - (expiry ? 1 : 0);
    expiry = at;
    return {};
  });
}

Status GraphEditor::use_name_space(std::string_view name) {
  if (!name.empty()) CAIRN_TRY(check_name("namespace", name, options_));
  name_space_ = catalog_.intern_name_space(name);
  return {};
}

Status GraphEditor::convert_lists(EntityKind kind, std::uint64_t id) {
  return modify(kind, id, [&](const PropertyOwner& owner, auto& record) {
    return properties_.convert_lists(owner, record.properties);
  });
}

Status GraphEditor::index_property(EntityKind kind, std::uint64_t id, std::uint32_t key) {
  CAIRN_ASSIGN(const Value value, records_.property(kind, id, key));
  if (value.is_null()) return {};
  PostingNames names;
  append_property_postings(kind, catalog_.current().name(codec::CatalogKind::property, key), value,
                           catalog_, names);
  for (const std::string& name : names) change_posting(name, id, true);
  return {};
}

}  // namespace cairn::engine
