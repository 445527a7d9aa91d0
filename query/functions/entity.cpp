// Functions of nodes, relationships and paths.
//
// Within a statement an entity may be only an id; its content is read through the context's view. Reading an entity
// that does not exist any more is an error. Functions read no more than they need: type() and labels() read only the
// record, and properties() also loads large texts.

#include "codec/element_id.hpp"
#include "codec/keys.hpp"
#include "codec/record.hpp"
#include "codec/value_extent.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/view/view.hpp"
#include "query/functions/call.hpp"
#include "query/functions/deleted_types.hpp"
#include "query/functions/function_entry.hpp"
#include "query/functions/sequence.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace cairn::query {
namespace {

using codec::CatalogKind;

std::string described_entity(const Call& call) {
  if (const auto* node = call[0].get_if<Node>()) return "node " + std::to_string(node->id().value);
  return "relationship " + std::to_string(call[0].as_relationship().id().value);
}

/// Returns what a read has found. A missing record was most likely deleted by this statement (openCypher:
/// DeletedEntityAccess).
template <class T>
Result<T> present(const Call& call, Result<std::optional<T>> found) {
  if (!found) return std::move(found).error();
  if (*found) return *std::move(*found);
  return Error{ErrorCode::not_found,
               std::string(call.name) + "(): " + described_entity(call) + " has been deleted",
               {}};
}

/// Returns the statement's view of the graph. Without a view, only loaded entities can be read.
Result<const engine::View*> view_of(const Call& call) {
  if (call.context.view) return call.context.view;
  return call.wrong_value(described_entity(call) + " cannot be read here, outside a statement");
}

/// Reads the record without large texts and vectors, which labels and keys do not need.
Result<codec::NodeRecord> read_node(const Call& call, const Node& node) {
  CAIRN_ASSIGN(const engine::View* view, view_of(call));
  return present(call, view->find_node(node.id().value));
}

Result<codec::RelationshipRecord> read_relationship(const Call& call,
                                                    const Relationship& relationship) {
  CAIRN_ASSIGN(const engine::View* view, view_of(call));
  return present(call, view->find_relationship(relationship.id().value));
}

/// Returns the names as a sorted list.
Value name_list(std::vector<std::string> names) {
  std::ranges::sort(names);
  return List(names.begin(), names.end());
}

/// System fields such as the creation time are not properties and are not included.
Value names_of(const Properties& properties) {
  std::vector<std::string> names;
  for (const auto& [name, value] : properties) names.push_back(name);
  return name_list(std::move(names));
}

Value names_of(const Call& call, const codec::StoredProperties& properties) {
  std::vector<std::string> names;
  for (const codec::StoredProperty& property : properties)
    names.push_back(call.context.view->catalog().name(CatalogKind::property, property.key));
  return name_list(std::move(names));
}

/// Sorted by name and not by catalog id, so that results do not depend on the database.
Result<Value> labels(const Call& call) {
  const auto* node = call[0].get_if<Node>();
  if (!node) return call.wrong_type(0, "a node");
  if (node->is_loaded()) return name_list(node->labels());
  CAIRN_ASSIGN(const codec::NodeRecord record, read_node(call, *node));
  std::vector<std::string> names;
  for (std::uint32_t label : record.labels)
    names.push_back(call.context.view->catalog().name(CatalogKind::label, label));
  return name_list(std::move(names));
}

/// A relationship has exactly one type, which never changes, and which is known after the relationship was deleted.
Result<Value> type(const Call& call) {
  const auto* relationship = call[0].get_if<Relationship>();
  if (!relationship) return call.wrong_type(0, "a relationship");
  if (relationship->is_loaded()) return Value(relationship->type());
  std::optional<std::uint32_t> number;
  if (const DeletedTypes* const deleted = call.context.deleted_types)
    number = deleted->find(relationship->id().value);
  if (!number) {
    CAIRN_ASSIGN(const auto record, read_relationship(call, *relationship));
    number = record.type;
  }
  return Value(call.context.view->catalog().name(CatalogKind::relationship_type, *number));
}

/// startNode() and endNode(): reads the id from the value, or from its record.
template <NodeId (Relationship::*loaded)() const, std::uint64_t codec::RelationshipRecord::* stored>
Result<Value> end_of(const Call& call) {
  const auto* relationship = call[0].get_if<Relationship>();
  if (!relationship) return call.wrong_type(0, "a relationship");
  if (relationship->is_loaded()) return Value(Node((relationship->*loaded)()));
  CAIRN_ASSIGN(const auto record, read_relationship(call, *relationship));
  return Value(Node(NodeId{record.*stored}));
}

/// Ids are dense and never reused. A node and a relationship may have the same id.
Result<Value> id(const Call& call) {
  if (const auto* node = call[0].get_if<Node>())
    return Value(static_cast<std::int64_t>(node->id().value));
  if (const auto* relationship = call[0].get_if<Relationship>())
    return Value(static_cast<std::int64_t>(relationship->id().value));
  return call.wrong_type(0, "a node or a relationship");
}

/// Returns the text by which clients identify an entity.
Result<Value> element_id(const Call& call) {
  if (const auto* node = call[0].get_if<Node>()) return Value(codec::element_id(node->id()));
  if (const auto* relationship = call[0].get_if<Relationship>())
    return Value(codec::element_id(relationship->id()));
  return call.wrong_type(0, "a node or a relationship");
}

/// External ids are unique within a namespace. A node without one has an empty text.
Result<Value> external_id(const Call& call) {
  const auto* node = call[0].get_if<Node>();
  if (!node) return call.wrong_type(0, "a node");
  std::string text = node->external_id();
  if (!node->is_loaded()) {
    CAIRN_ASSIGN(const codec::NodeRecord record, read_node(call, *node));
    text = record.external_id;
  }
  return text.empty() ? Value() : Value(std::move(text));
}

/// Returns stored properties only: a property set to null does not exist.
Result<Value> keys(const Call& call) {
  if (const Map* map = call[0].map()) {
    // Each name is copied twice before it is in the result.
    CAIRN_TRY(call.room(3 * codec::extent_of(call[0]).bytes));
    return names_of(*map);
  }
  if (const auto* node = call[0].get_if<Node>()) {
    if (node->is_loaded()) return names_of(node->properties());
    CAIRN_ASSIGN(const codec::NodeRecord record, read_node(call, *node));
    return names_of(call, record.properties);
  }
  const auto* relationship = call[0].get_if<Relationship>();
  if (!relationship) return call.wrong_type(0, "a node, a relationship or a map");
  if (relationship->is_loaded()) return names_of(relationship->properties());
  CAIRN_ASSIGN(const auto record, read_relationship(call, *relationship));
  return names_of(call, record.properties);
}

/// Includes large texts and vectors, so that the map is complete.
Result<Value> properties(const Call& call) {
  if (call[0].map()) return call[0];
  if (const auto* node = call[0].get_if<Node>()) {
    if (node->is_loaded()) return Value(node->properties());
    CAIRN_ASSIGN(const engine::View* view, view_of(call));
    CAIRN_ASSIGN(const Node loaded, present(call, view->load_node(node->id().value)));
    return Value(loaded.properties());
  }
  const auto* relationship = call[0].get_if<Relationship>();
  if (!relationship) return call.wrong_type(0, "a node, a relationship or a map");
  if (relationship->is_loaded()) return Value(relationship->properties());
  CAIRN_ASSIGN(const engine::View* view, view_of(call));
  CAIRN_ASSIGN(const Relationship loaded,
               present(call, view->load_relationship(relationship->id().value)));
  return Value(loaded.properties());
}

/// APOC's function to read a property of a node, a relationship or a map. Returns null if it does not exist.
Result<Value> any_property(const Call& call) {
  CAIRN_ASSIGN(const std::string* key, call.string(1));
  CAIRN_ASSIGN(const Value all, properties(call));
  const auto found = all.map()->find(*key);
  return found == all.map()->end() ? Value() : copy_of(call.context.limits, found->second);
}

/// Returns the number of relationships; a path of a single node has length 0.
Result<Value> length(const Call& call) {
  const Path* path = call[0].path();
  if (!path) return call.wrong_type(0, "a path");
  return Value(static_cast<std::int64_t>(path->relationships.size()));
}

/// Returns the nodes or the relationships of a path.
template <auto member>
Result<Value> steps(const Call& call) {
  const Path* path = call[0].path();
  if (!path) return call.wrong_type(0, "a path");
  return Value(List((path->*member).begin(), (path->*member).end()));
}

}  // namespace

FunctionFamily entity_functions() {
  static constexpr FunctionEntry functions[] = {
      entry<"apoc.any.property(value, key)", any_property>(),
      entry<"elementId(entity)", element_id>(),
      entry<"endNode(relationship)",
            end_of<&Relationship::target, &codec::RelationshipRecord::target>>(),
      entry<"externalId(node)", external_id>(),
      entry<"id(entity)", id>(),
      entry<"keys(value)", keys>(),
      entry<"labels(node)", labels>(),
      entry<"length(path)", length>(),
      entry<"nodes(path)", steps<&Path::nodes>>(),
      entry<"properties(value)", properties>(),
      entry<"relationships(path)", steps<&Path::relationships>>(),
      entry<"startNode(relationship)",
            end_of<&Relationship::source, &codec::RelationshipRecord::source>>(),
      entry<"type(relationship)", type>(),
  };
  return functions;
}

}  // namespace cairn::query
