// Texts of scalars, and bare(), which removes the content of entities.
#include "query/functions/value_forms.hpp"

#include "codec/value_extent.hpp"
#include "codec/value_text.hpp"

#include <concepts>

namespace cairn::query {

// The text of a scalar, for toString(), + and coerced filters. Entities, lists and maps have none.

namespace {

/// The types with an ISO text.
template <class T>
concept Temporal = requires(const T& value) {
  { codec::temporal_text(value) } -> std::same_as<std::string>;
};

}  // namespace

// Numbers and booleans are written as literals; texts are written without quotes.
std::optional<std::string> scalar_text(const Value& value) {
  if (const std::string* text = value.string()) return *text;
  if (value.type() == ValueType::boolean || value.is_number()) return value.to_text();
  return std::visit(
      [](const auto& content) -> std::optional<std::string> {
        if constexpr (Temporal<std::decay_t<decltype(content)>>)
          return codec::temporal_text(content);
        else
          return std::nullopt;
      },
      value.content());
}

namespace {

Path bare_path(const Path& path) {
  Path made;
  for (const Node& node : path.nodes) made.nodes.emplace_back(node.id());
  for (const Relationship& step : path.relationships) made.relationships.emplace_back(step.id());
  return made;
}

}  // namespace

// A value without entities is returned unchanged.
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
