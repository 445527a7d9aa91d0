#include "query/functions/bare_value.hpp"

#include "codec/value_extent.hpp"


namespace cairn::query {
namespace {

Path bare_path(const Path& path) {
  Path made;
  for (const Node& node : path.nodes) made.nodes.emplace_back(node.id());
  for (const Relationship& step : path.relationships) made.relationships.emplace_back(step.id());
  return made;
}

}  // namespace

Value bare(const Value& value) {
  if (!codec::extent_of(value).has_entities) return value;
  if (const Node* node = value.get_if<Node>()) return Node(node->id());
  if (const auto* relationship = value.get_if<Relationship>())
    return Relationship(relationship->id());
  if (const Path* path = value.path()) return bare_path(*path);
  if (const List* list = value.list()) {
    List items;
    items.reserve(list->size());
    for (const Value& one : *list) items.push_back(bare(one));
    return items;
  }
  Map entries;
  for (const auto& [key, one] : *value.map()) entries.emplace(key, bare(one));
  return entries;
}

}  // namespace cairn::query
