// Connects operators to the engine's writer: converts values to stored properties, counts changes,
// and records deleted ids. New records and set values are visible at once, because the next item or
// row of the clause may read them. Deletions are visible after publish(). A null target is ignored
// (openCypher: SET and REMOVE on null do nothing). A null value removes the property.
#include "query/execute/write/graph_editor.hpp"

#include "codec/record.hpp"
#include "engine/write/writer.hpp"
#include "query/functions/call.hpp"
#include "query/functions/sequence.hpp"
#include "query/functions/system_fields.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query {
namespace {

// Errors get the position of their clause later.
Error needs(const char* what, const Value& value) {
  return {ErrorCode::type_error, std::string(what) + ", got " + described(value), std::nullopt};
}

// Drops null properties, which count as absent. Nulls inside lists and maps are not dropped: the
// engine decides whether it can store them.
Properties without_nulls(const Map& map) {
  Properties properties;
  for (const auto& [name, value] : map)
    if (!value.is_null()) properties.emplace(name, value);
  return properties;
}

Result<EntityReference> entity(const Value& target) {
  if (const auto reference = entity_of(target)) return *reference;
  return needs("SET and REMOVE change nodes and relationships", target);
}

Result<std::uint64_t> node_id(const Value& value, const char* what) {
  if (const Node* node = value.get_if<Node>()) return node->id().value;
  return needs(what, value);
}

Result<std::optional<std::int64_t>> expiry_in(const Map& system) {
  const auto found = system.find("expires_at");
  return expiry_of(found != system.end() ? found->second : Value());
}

// Returns "" if there is no external id.
Result<std::string> external_id_in(const Map& system) {
  const auto found = system.find("external_id");
  if (found == system.end() || found->second.is_null()) return std::string();
  const std::string* text = found->second.string();
  if (text != nullptr && !text->empty()) return *text;
  return Error{ErrorCode::type_error,
               "@external_id takes a text that is not empty, got " + described(found->second),
               std::nullopt};
}

}  // namespace

// Null properties count as absent and are not counted as set.
Result<Value> GraphEditor::create_node(std::span<const std::string> labels,
                                       const MadeRecord& record) {
  NewNode node{{labels.begin(), labels.end()}, without_nulls(record.properties)};
  CAIRN_ASSIGN(node.external_id, external_id_in(record.system));
  CAIRN_ASSIGN(node.expires_at, expiry_in(record.system));
  CAIRN_ASSIGN(const std::uint64_t id, writer().create_node(node));
  // The creation may have erased an expired node with this external id and its relationships.
  if (!node.external_id.empty()) publish();
  context_.graph.forget_created(codec::EntityKind::node, labels);
  ++context_.changes.nodes_created;
  context_.changes.labels_added += labels.size();
  context_.changes.properties_set += node.properties.size();
  return Value(Node(NodeId{id}));
}

// Relationships have no external id.
Result<Value> GraphEditor::create_relationship(const Value& source, std::string_view type,
                                               const Value& target, const MadeRecord& record) {
  CAIRN_ASSIGN(const std::uint64_t from, node_id(source, "a relationship starts at a node"));
  CAIRN_ASSIGN(const std::uint64_t to, node_id(target, "a relationship ends at a node"));
  NewRelationship made{NodeId{from}, std::string(type), NodeId{to},
                       without_nulls(record.properties)};
  CAIRN_ASSIGN(made.expires_at, expiry_in(record.system));
  CAIRN_ASSIGN(const std::uint64_t id, writer().create_relationship(made));
  context_.graph.forget_created(codec::EntityKind::relationship, {&made.type, 1});
  ++context_.changes.relationships_created;
  context_.changes.properties_set += made.properties.size();
  return Value(Relationship(RelationshipId{id}));
}

Result<Value> GraphEditor::stored_form(codec::EntityKind kind,
                                       std::span<const std::string> labels_or_type,
                                       std::string_view name, const Value& value) {
  if (!is_sequence(value)) return value;
  return writer().stored_form(kind, labels_or_type, name, value);
}

// Removing an absent property changes nothing and is not counted, so the property is read first.
// Setting a property to its present value is counted.
Status GraphEditor::set_property(const Value& target, std::string_view name, const Value& value) {
  if (target.is_null()) return {};
  CAIRN_ASSIGN(const EntityReference reference, entity(target));
  if (value.is_null()) {
    CAIRN_ASSIGN(const Value before, context_.graph.property(reference.kind, reference.id, name));
    if (before.is_null()) return {};
  }
  CAIRN_TRY(writer().set_property(reference.kind, reference.id, name, value));
  context_.graph.forget_values();
  ++context_.changes.properties_set;
  return {};
}

// Counted as a property that was set.
Status GraphEditor::set_expiry(const Value& target, const Value& moment) {
  if (target.is_null()) return {};
  CAIRN_ASSIGN(const EntityReference reference, entity(target));
  CAIRN_ASSIGN(const auto expiry, expiry_of(moment));
  CAIRN_TRY(writer().set_expiry(reference.kind, reference.id, expiry));
  publish();
  ++context_.changes.properties_set;
  return {};
}

// SET a = b copies the present properties of an entity.
Result<Map> GraphEditor::property_map(const Value& source) {
  if (const Map* map = source.map()) return *map;
  if (!entity_of(source))
    return needs("properties are copied from a map, a node or a relationship", source);
  CAIRN_ASSIGN(const Value loaded, context_.graph.load(source));
  if (const Node* node = loaded.get_if<Node>()) return Map(node->properties());
  return Map(loaded.as_relationship().properties());
}

// Handles SET n = map. Removed properties are counted as set, like new ones.
Status GraphEditor::replace_properties(const Value& target, const Value& properties) {
  if (target.is_null()) return {};
  CAIRN_ASSIGN(const EntityReference reference, entity(target));
  CAIRN_ASSIGN(const Map map, property_map(properties));
  CAIRN_ASSIGN(const Map before, property_map(target));
  const Properties stored = without_nulls(map);
  CAIRN_TRY(writer().set_properties(reference.kind, reference.id, stored));
  context_.graph.forget_values();
  context_.changes.properties_set += stored.size();
  for (const auto& [name, value] : before)
    if (!stored.contains(name)) ++context_.changes.properties_set;
  return {};
}

// Handles SET n += map. Nulls in the map remove properties.
Status GraphEditor::merge_properties(const Value& target, const Value& properties) {
  if (target.is_null()) return {};
  CAIRN_ASSIGN(const Map map, property_map(properties));
  for (const auto& [name, value] : map) CAIRN_TRY(set_property(target, name, value));
  return {};
}

// Labels that the node already has are not counted.
Status GraphEditor::add_labels(const Value& target, std::span<const std::string> labels) {
  if (target.is_null()) return {};
  CAIRN_ASSIGN(const std::uint64_t node, node_id(target, "only nodes have labels"));
  for (const std::string& label : labels) {
    CAIRN_ASSIGN(const bool is_new, writer().add_label(node, label));
    context_.changes.labels_added += is_new ? 1 : 0;
    if (is_new) context_.graph.forget_labelled(codec::EntityKind::node, {&label, 1});
  }
  return {};
}

// Only labels that existed are counted. A null target, as from OPTIONAL MATCH, is ignored.
Status GraphEditor::remove_labels(const Value& target, std::span<const std::string> labels) {
  if (target.is_null()) return {};
  CAIRN_ASSIGN(const std::uint64_t node, node_id(target, "only nodes have labels"));
  for (const std::string& label : labels) {
    CAIRN_ASSIGN(const bool was_there, writer().remove_label(node, label));
    context_.changes.labels_removed += was_there ? 1 : 0;
    if (was_there) context_.graph.forget_labelled(codec::EntityKind::node, {&label, 1});
  }
  return {};
}

// Does nothing if the statement has deleted the relationship already.
Status GraphEditor::erase_relationship(std::uint64_t id) {
  if (context_.graph.is_deleted(codec::EntityKind::relationship, id)) return {};
  CAIRN_TRY(keep_type(id));
  CAIRN_TRY(writer().erase_relationship(id));
  context_.graph.note_deleted(codec::EntityKind::relationship, id);
  ++context_.changes.relationships_deleted;
  return {};
}

// Does nothing if the statement has deleted the relationship already. Only relationships in
// namespaces that the statement reads are counted, so that the caller learns nothing of other
// namespaces.
Status GraphEditor::erase_attached(std::uint64_t id) {
  if (context_.graph.is_deleted(codec::EntityKind::relationship, id)) return {};
  CAIRN_ASSIGN(const bool is_counted, is_of_read_name_space(id));
  CAIRN_TRY(keep_type(id));
  CAIRN_TRY(writer().erase_attached(id));
  context_.graph.note_deleted(codec::EntityKind::relationship, id);
  context_.changes.relationships_deleted += is_counted ? 1 : 0;
  return {};
}

// The relationship may still be in a list, a path or an outer row, where its type may be read.
Status GraphEditor::keep_type(std::uint64_t relationship) {
  CAIRN_ASSIGN(const auto record, context_.graph.view().find_relationship(relationship));
  if (record) context_.graph.deleted_types().add(relationship, record->type);
  return {};
}

// Does nothing if the statement has deleted the node already. Later reads of the node in this
// statement are errors.
Status GraphEditor::erase_node(std::uint64_t id) {
  if (context_.graph.is_deleted(codec::EntityKind::node, id)) return {};
  CAIRN_TRY(writer().erase_node(id));
  context_.graph.note_deleted(codec::EntityKind::node, id);
  ++context_.changes.nodes_deleted;
  return {};
}

// Reads the record, because the namespace is stored in its header.
Result<bool> GraphEditor::is_of_read_name_space(std::uint64_t relationship) {
  CAIRN_ASSIGN(const codec::Bitmap* seen,
               context_.graph.restriction(codec::EntityKind::relationship));
  if (seen == nullptr || seen->contains(relationship)) return true;
  const std::vector<std::uint32_t> name_spaces = context_.graph.name_spaces();
  CAIRN_ASSIGN(const auto record, context_.graph.view().find_relationship(relationship));
  return record && std::ranges::find(name_spaces, record->header.name_space) != name_spaces.end();
}

// A relationship is seen only if both ends are seen.
Status GraphEditor::find_attached(std::uint64_t node, Attached which,
                                  codec::Bitmap& relationships) {
  CAIRN_ASSIGN(const codec::Bitmap* nodes, context_.graph.restriction(codec::EntityKind::node));
  CAIRN_ASSIGN(const codec::Bitmap* seen,
               context_.graph.restriction(codec::EntityKind::relationship));
  if (which == Attached::hidden && nodes == nullptr && seen == nullptr) return {};
  std::vector<engine::Adjacent> steps;
  CAIRN_TRY(context_.graph.expand(node, engine::Direction::both, {}, steps));
  for (const engine::Adjacent& step : steps) {
    const bool sees_ends =
        nodes == nullptr || (nodes->contains(node) && nodes->contains(step.other));
    const bool is_seen = sees_ends && (seen == nullptr || seen->contains(step.relationship));
    if (which == Attached::all || !is_seen) relationships.add(step.relationship);
  }
  return {};
}

}  // namespace cairn::query
