// Changes of existing records by GraphEditor: properties, labels, system fields, and nodes found by their external
// id.
//
// Each change reads, decodes, encodes and writes the whole record, however small the change is. Large texts and
// vectors have their own keys and are not rewritten.

#include "codec/byte_io.hpp"
#include "engine/system/clock.hpp"
#include "engine/write/graph_editor.hpp"
#include "engine/write/left_sessions.hpp"
#include "engine/write/limits.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace cairn::engine {
namespace {

using codec::EntityKind;
using codec::SystemPath;

/// True if the record refers to a vector. The vectors themselves are stored under other keys.
bool has_vector(const codec::StoredProperties& properties) {
  return std::any_of(properties.begin(), properties.end(), [](const codec::StoredProperty& p) {
    return std::holds_alternative<codec::VectorReference>(p.value);
  });
}

}  // namespace

// Handles both kinds of records, which differ only in their C++ type.
template <class Change>
Status GraphEditor::modify_if(EntityKind kind, std::uint64_t id, Change&& change) {
  const auto apply = [&](auto record) -> Status {
    CAIRN_ASSIGN(const bool is_changed, change(PropertyOwner{kind, id, groups_of(record)}, record));
    if (is_changed) put(id, record);
    return {};
  };
  if (kind == EntityKind::node) {
    CAIRN_ASSIGN(auto record, node(id));
    return apply(std::move(record));
  }
  CAIRN_ASSIGN(auto record, relationship(id));
  return apply(std::move(record));
}

template <class Change>
Status GraphEditor::modify(EntityKind kind, std::uint64_t id, Change&& change) {
  return modify_if(kind, id, [&](const PropertyOwner& owner, auto& record) -> Result<bool> {
    CAIRN_TRY(check_writable(kind, id, record.header));
    CAIRN_TRY(change(owner, record));
    return true;
  });
}

Status GraphEditor::set_property(EntityKind kind, std::uint64_t id, std::string_view name,
                                 const Value& value) {
  CAIRN_TRY(check_property(name, value, options_));
  return modify(kind, id, [&](const PropertyOwner& owner, auto& record) -> Status {
    // The size is checked together with the record, because the limits of a whole record depend on its other
    // properties.
    CAIRN_TRY(check_room(record.properties, catalog_.current().find_property(name), value));
    CAIRN_ASSIGN(const Value stored, properties_.normalized(kind, owner.groups, name, value));
    touch_if_constrained(kind, id, owner.groups, name);
    return properties_.set(owner, record.properties, name, stored);
  });
}

// Replaces all properties: removes those that are absent in the map, then sets the others.
Status GraphEditor::set_properties(EntityKind kind, std::uint64_t id,
                                   const Properties& properties) {
  CAIRN_TRY(check_properties(properties, options_));
  return modify(kind, id, [&](const PropertyOwner& owner, auto& record) -> Status {
    Properties changed;
    CAIRN_ASSIGN(const Properties* values, normalized(kind, owner.groups, properties, changed));
    touch_if_constrained(kind, id, owner.groups);
    return replace_all(owner, *values, record.properties);
  });
}

Status GraphEditor::replace_all(const PropertyOwner& owner, const Properties& properties,
                                codec::StoredProperties& stored) {
  // Iterates over a copy, because a removal changes the container.
  const codec::StoredProperties before = stored;
  for (const codec::StoredProperty& old : before) {
    const std::string& name = catalog_.current().name(codec::CatalogKind::property, old.key);
    if (!properties.contains(name)) CAIRN_TRY(properties_.remove(owner, stored, old.key));
  }
  return store_all(owner, properties, stored);
}

// Performs all checks before the first change, so that a refused map changes nothing.
Status GraphEditor::update_properties(EntityKind kind, std::uint64_t id,
                                      const Properties& properties) {
  CAIRN_TRY(check_properties(properties, options_));
  return modify(kind, id, [&](const PropertyOwner& owner, auto& record) -> Status {
    Properties changed;
    CAIRN_ASSIGN(const Properties* values, normalized(kind, owner.groups, properties, changed));
    CAIRN_TRY(check_room(record.properties, properties, catalog_.current()));
    for (const auto& [name, value] : properties) touch_if_constrained(kind, id, owner.groups, name);
    for (const auto& [name, value] : properties)
      if (value.is_null()) CAIRN_TRY(properties_.set(owner, record.properties, name, value));
    return store_all(owner, *values, record.properties);
  });
}

Result<bool> GraphEditor::add_label(std::uint64_t id, std::string_view label) {
  CAIRN_TRY(check_name("label", label, options_));
  CAIRN_ASSIGN(auto record, node(id));
  CAIRN_TRY(check_writable(EntityKind::node, id, record.header));
  const auto known = catalog_.current().find_label(label);
  const auto& labels = record.labels;
  if (known && std::binary_search(labels.begin(), labels.end(), *known)) return false;
  CAIRN_TRY(check_label_count(labels.size() + 1));
  // The label may bring the node into a vector index that has another dimension. Such a label is refused before
  // anything is changed, the catalog included. A label without a number is in no index.
  std::vector<std::uint32_t> with_known = labels;
  if (known) {
    with_known.insert(std::lower_bound(with_known.begin(), with_known.end(), *known), *known);
  }
  CAIRN_TRY(properties_.check_vectors({EntityKind::node, id, with_known}, record.properties));
  const std::uint32_t number = catalog_.intern(codec::CatalogKind::label, label);
  record.labels.insert(std::lower_bound(labels.begin(), labels.end(), number), number);
  const PropertyOwner owner{EntityKind::node, id, record.labels};
  change_posting(system_posting(EntityKind::node, SystemPath::label, number), id, true);
  touch_if_vector(EntityKind::node, id, record.properties);
  touch_if_constrained(EntityKind::node, id, record.labels);
  CAIRN_TRY(properties_.convert_lists(owner, record.properties));
  put(id, record);
  return true;
}

// Removing a label cannot violate a limit, a vector index or a constraint, so nothing else is checked.
Result<bool> GraphEditor::remove_label(std::uint64_t id, std::string_view label) {
  CAIRN_ASSIGN(auto record, node(id));
  CAIRN_TRY(check_writable(EntityKind::node, id, record.header));
  const auto number = catalog_.current().find_label(label);
  if (!number || std::erase(record.labels, *number) == 0) return false;
  // Marks the node for the indexes of the removed label. put() marks it for the remaining labels.
  touch_if_text(EntityKind::node, id, {&*number, 1});
  change_posting(system_posting(EntityKind::node, SystemPath::label, *number), id, false);
  touch_if_vector(EntityKind::node, id, record.properties);
  put(id, record);
  return true;
}

void GraphEditor::touch_if_vector(EntityKind kind, std::uint64_t id,
                                  const codec::StoredProperties& properties) {
  if (has_vector(properties)) write_set_.touch_vector(kind, id);
}

void GraphEditor::touch_if_text(EntityKind kind, std::uint64_t id,
                                std::span<const std::uint32_t> groups) {
  for (const auto& [number, index] : catalog_.current().indexes()) {
    if (index.kind != codec::IndexKind::full_text || index.entity != kind) continue;
    const auto& wanted = index.labels_or_types;
    const bool is_member = std::any_of(groups.begin(), groups.end(), [&](std::uint32_t group) {
      return std::find(wanted.begin(), wanted.end(), group) != wanted.end();
    });
    if (is_member) write_set_.touch_text(kind, id);
  }
}

// A property without a number in the catalog has no constraint.
void GraphEditor::touch_if_constrained(EntityKind kind, std::uint64_t id,
                                       std::span<const std::uint32_t> groups,
                                       std::optional<std::string_view> property) {
  const Catalog& catalog = catalog_.current();
  if (catalog.constraints().empty()) return;
  const auto key = property ? catalog.find_property(*property) : std::nullopt;
  if (property && !key) return;
  const auto holds_for_it = [&](const auto& numbered) {
    const codec::ConstraintEntry& constraint = numbered.second;
    return constraint.entity == kind &&
           std::ranges::find(groups, constraint.label_or_type) != groups.end() &&
           (!key || std::ranges::find(constraint.properties, *key) != constraint.properties.end());
  };
  if (std::ranges::any_of(catalog.constraints(), holds_for_it))
    write_set_.touch_constrained(kind, id);
}

Status GraphEditor::set_deleted(EntityKind kind, std::uint64_t id, std::optional<std::int64_t> at) {
  return modify(kind, id, [&](const PropertyOwner&, auto& record) -> Status {
    change_deletion(kind, id, record.header, at);
    return {};
  });
}

// A second deletion changes only the time in the header. The posting and the count depend only on whether there is a
// time.
void GraphEditor::change_deletion(EntityKind kind, std::uint64_t id, codec::RecordHeader& header,
                                  std::optional<std::int64_t> at) {
  const bool was_deleted = header.deleted_at.has_value();
  header.deleted_at = at;
  if (was_deleted == at.has_value()) return;
  change_posting(system_posting(kind, SystemPath::deleted), id, at.has_value());
  write_set_.counters().of(Counter::deleted, kind) += at ? 1 : -1;
}

Status GraphEditor::set_expiry(EntityKind kind, std::uint64_t id, std::optional<std::int64_t> at) {
  return modify(kind, id, [&](const PropertyOwner& owner, auto& record) -> Status {
    touch_if_constrained(kind, id, owner.groups);
    change_expiry(kind, id, record.header, at);
    return {};
  });
}

void GraphEditor::change_expiry(EntityKind kind, std::uint64_t id, codec::RecordHeader& header,
                                std::optional<std::int64_t> at) {
  auto& expiry = header.expires_at;
  // The old time is removed before the new one is added, so that the entity remains in the posting if the times are
  // equal.
  if (expiry) change_posting(expiry_posting(kind, *expiry), id, false);
  if (at) change_posting(expiry_posting(kind, *at), id, true);
  write_set_.counters().of(Counter::expiring, kind) += (at ? 1 : 0) - (expiry ? 1 : 0);
  expiry = at;
}

// The own namespace may be changed, even if `read_only` contains it.
Status GraphEditor::use_place(const WritePlace& place) {
  if (!place.name_space.empty()) CAIRN_TRY(check_name("namespace", place.name_space, options_));
  if (!place.author.empty()) CAIRN_TRY(check_name("author", place.author, options_));
  name_space_ = catalog_.intern_name_space(place.name_space);
  author_ = place.author;
  read_only_.clear();
  for (const std::string& name : place.read_only) {
    const auto number = catalog_.current().find_name_space(name);
    if (number && *number != name_space_) read_only_.push_back(*number);
  }
  return {};
}

Status GraphEditor::check_vectors(EntityKind kind, std::uint64_t id) const {
  if (kind == EntityKind::node) {
    CAIRN_ASSIGN(const auto record, node(id));
    return properties_.check_vectors({kind, id, groups_of(record)}, record.properties);
  }
  CAIRN_ASSIGN(const auto record, relationship(id));
  return properties_.check_vectors({kind, id, groups_of(record)}, record.properties);
}

Status GraphEditor::convert_lists(EntityKind kind, std::uint64_t id) {
  return modify_if(kind, id, [&](const PropertyOwner& owner, auto& record) {
    touch_if_constrained(kind, id, owner.groups);
    return properties_.convert_lists(owner, record.properties);
  });
}

// Paths that are not indexed are ignored, as in each write.
Status GraphEditor::index_property(EntityKind kind, std::uint64_t id, std::uint32_t key) {
  CAIRN_ASSIGN(const Value value, records_.property(kind, id, key));
  if (value.is_null()) return {};
  PostingNames names;
  append_property_postings(kind, catalog_.current().name(codec::CatalogKind::property, key), value,
                           catalog_, names);
  for (const std::string& name : names) change_posting(name, id, true);
  return {};
}

// Nodes by external id. An expired node does not count as the owner of its external id. If another node gets the id,
// the expired one is erased with its relationships, even if the background cleanup has not reached it yet.

namespace {

using codec::EntityKind;
using codec::SystemPath;

}  // namespace

// The family external_ids maps an external id to the id of its node, stored as 8 bytes in big-endian order.
Result<std::optional<std::uint64_t>> GraphEditor::owner_of(std::uint32_t name_space,
                                                           std::string_view external_id) const {
  CAIRN_ASSIGN(const auto bytes,
               records_.get(Family::external_ids, codec::external_id_key(name_space, external_id)));
  if (!bytes) return std::optional<std::uint64_t>();
  codec::ByteCursor cursor(*bytes);
  const auto id = cursor.read_big<std::uint64_t>();
  if (cursor.finished()) return std::optional(id);
  return codec::corruption("external id \"" + std::string(external_id) + "\" is damaged");
}

bool GraphEditor::has_expired(const codec::RecordHeader& header) const {
  return header.expires_at && *header.expires_at <= now();
}

Status GraphEditor::free_external_id(std::uint32_t name_space, std::string_view external_id) {
  CAIRN_ASSIGN(const auto owner, owner_of(name_space, external_id));
  if (!owner) return {};
  CAIRN_ASSIGN(const auto record, node(*owner));
  if (has_expired(record.header)) return erase_expired_owner(*owner, record.header.name_space);
  return Error{ErrorCode::already_exists,
               "external id \"" + std::string(external_id) + "\" is used by another node",
               {}};
}

Status GraphEditor::erase_expired_owner(std::uint64_t id, std::uint32_t name_space) {
  std::vector<Adjacent> adjacent;
  AdjacencyReader::Request request;
  request.node = id;
  CAIRN_TRY(adjacency_.read(request, adjacent));
  CAIRN_TRY(sessions_.note(catalog_.current(), name_space, adjacent));
  return erase_node_and_relationships(id);
}

// The namespaces of the sessions were writable when their records were erased, but they may be read-only in the place
// of a later statement. So the check is suspended here.
Status GraphEditor::erase_left_sessions() {
  std::vector<std::uint32_t> read_only = std::exchange(read_only_, {});
  const Status erased = sessions_.erase_empty(catalog_.current(), *this);
  read_only_ = std::move(read_only);
  return erased;
}

// An expired owner is not updated: create_node() erases it and creates a new node.
Result<PutNode> GraphEditor::put_node(const NewNode& wanted) {
  if (wanted.external_id.empty()) {
    return Error{ErrorCode::invalid_argument,
                 "put_node() finds a node by its external id, and none is given; set "
                 "NewNode::external_id, or call create_node()",
                 {}};
  }
  CAIRN_ASSIGN(const auto owner, owner_of(name_space_, wanted.external_id));
  if (owner) {
    CAIRN_ASSIGN(auto record, node(*owner));
    if (!has_expired(record.header)) {
      CAIRN_TRY(replace_node(*owner, record, wanted));
      return PutNode{NodeId{*owner}, false};
    }
  }
  CAIRN_ASSIGN(const std::uint64_t id, create_node(wanted.labels, wanted.properties,
                                                   wanted.external_id, wanted.expires_at));
  return PutNode{NodeId{id}, true};
}

// Performs all checks before the first change, as for a new node.
Status GraphEditor::replace_node(std::uint64_t id, codec::NodeRecord& record,
                                 const NewNode& wanted) {
  CAIRN_TRY(check_node(wanted.labels, wanted.properties, wanted.external_id));
  Properties changed;
  CAIRN_ASSIGN(const Properties* values, normalized(EntityKind::node, known_labels(wanted.labels),
                                                    wanted.properties, changed));
  replace_labels(id, record, wanted.labels);
  CAIRN_TRY(replace_all({EntityKind::node, id, record.labels}, *values, record.properties));
  change_deletion(EntityKind::node, id, record.header, std::nullopt);
  change_expiry(EntityKind::node, id, record.header, wanted.expires_at);
  touch_if_constrained(EntityKind::node, id, record.labels);
  put(id, record);
  return {};
}

// Marks the node for the indexes of removed labels. put() marks it for the labels that remain or are new.
void GraphEditor::replace_labels(std::uint64_t id, codec::NodeRecord& record,
                                 std::span<const std::string> labels) {
  const std::vector<std::uint32_t> after = intern_labels(labels);
  const std::vector<std::uint32_t> before = record.labels;
  if (after == before) return;
  touch_if_text(EntityKind::node, id, before);
  touch_if_vector(EntityKind::node, id, record.properties);
  const auto set = [&](std::uint32_t label, bool added) {
    change_posting(system_posting(EntityKind::node, SystemPath::label, label), id, added);
  };
  for (const std::uint32_t label : before)
    if (!std::binary_search(after.begin(), after.end(), label)) set(label, false);
  for (const std::uint32_t label : after)
    if (!std::binary_search(before.begin(), before.end(), label)) set(label, true);
  record.labels = after;
}

}  // namespace cairn::engine
