// Loads the entities of result rows. Within a statement an entity is only an id, but a caller
// receives it with labels and properties. Only rows that are returned to the caller are loaded: if
// a LIMIT leaves 10 of 10,000 rows, only their records are read. Entities inside lists, maps and
// paths are loaded too, at any depth.
#include "query/execute/row_loader.hpp"

#include "query/execute/holding.hpp"
#include "query/functions/call.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

// True if the value is or contains an entity that is not loaded. Most lists and maps contain no
// entities, which their extent shows at once.
bool needs_loading(const Value& value) {
  if (!codec::extent_of(value).has_entities) return false;
  if (const Node* node = value.get_if<Node>()) return !node->is_loaded();
  if (const auto* relationship = value.get_if<Relationship>()) return !relationship->is_loaded();
  if (const List* list = value.list())
    return std::any_of(list->begin(), list->end(), needs_loading);
  if (const Map* map = value.map())
    return std::any_of(map->begin(), map->end(),
                       [](const auto& entry) { return needs_loading(entry.second); });
  return value.path() != nullptr;
}

// Estimates the memory of a map of properties.
std::size_t property_bytes(const Properties& properties) {
  std::size_t bytes = 0;
  for (const auto& [name, value] : properties) {
    bytes += codec::map_entry_bytes + name.size();
    if (Holding::has_content(value)) bytes += content_bytes(value);
  }
  return bytes;
}

}  // namespace

std::size_t entity_bytes(const Value& entity) {
  constexpr std::size_t own_bytes = 128;  // labels or type, and the shared content object
  if (const Node* node = entity.get_if<Node>())
    return own_bytes + property_bytes(node->properties());
  return own_bytes + property_bytes(entity.as_relationship().properties());
}

// Caches only nodes, because relationships seldom occur in several rows. A full cache is emptied,
// so its memory is bounded.
Result<Value> RowLoader::load_entity(const Value& value) {
  const Node* node = value.get_if<Node>();
  if (node != nullptr)
    if (const auto kept = nodes_.find(node->id().value); kept != nodes_.end()) return kept->second;
  CAIRN_ASSIGN(Value loaded, graph_.load(value));
  const std::size_t bytes = entity_bytes(loaded);
  CAIRN_TRY(held_.add_bytes(bytes));
  if (node != nullptr) keep(loaded, bytes);
  return loaded;
}

// Nodes larger than the whole cache are not cached.
void RowLoader::keep(const Value& node, std::size_t bytes) {
  if (nodes_.size() >= kept_entities || kept_bytes_ + bytes > most_kept_bytes) {
    nodes_.clear();
    kept_bytes_ = 0;
  }
  if (bytes > most_kept_bytes) return;
  kept_bytes_ += bytes;
  nodes_.emplace(node.as_node().id().value, node);
}

// Loads entities inside lists and maps too, at any depth, because a caller must never receive an
// entity without its content.
Result<Value> RowLoader::load_list(const List& list) {
  CAIRN_TRY(held_.add_bytes(list.size() * sizeof(Value)));
  List loaded;
  loaded.reserve(list.size());
  for (const Value& item : list) {
    CAIRN_ASSIGN(Value one, load(item));
    loaded.push_back(std::move(one));
  }
  return Value(std::move(loaded));
}

Result<Value> RowLoader::load_map(const Map& map) {
  Map loaded;
  for (const auto& [key, item] : map) {
    CAIRN_TRY(held_.add_bytes(codec::map_entry_bytes));
    CAIRN_ASSIGN(Value one, load(item));
    loaded.emplace(key, std::move(one));
  }
  return Value(std::move(loaded));
}

// A path always contains entities, so it is always rebuilt.
Result<Value> RowLoader::load_path(const Path& path) {
  CAIRN_TRY(held_.add_bytes(2 * path.nodes.size() * sizeof(Node)));
  Path loaded;
  for (const Node& node : path.nodes) {
    CAIRN_ASSIGN(const Value one, load_entity(node));
    loaded.nodes.push_back(one.as_node());
  }
  for (const Relationship& step : path.relationships) {
    CAIRN_ASSIGN(const Value one, load_entity(step));
    loaded.relationships.push_back(one.as_relationship());
  }
  return Value(std::move(loaded));
}

// A value without entities is returned unchanged, so that lists and maps stay shared.
Result<Value> RowLoader::load(const Value& value) {
  if (!query::needs_loading(value)) return value;
  if (const List* list = value.list()) return load_list(*list);
  if (const Map* map = value.map()) return load_map(*map);
  if (const Path* path = value.path()) return load_path(*path);
  return load_entity(value);
}

// Rows without entities are returned without load().
bool RowLoader::needs_loading(std::span<const Value> row) {
  return std::ranges::any_of(row, [](const Value& value) { return query::needs_loading(value); });
}

Status RowLoader::load(std::span<Value> row) {
  held_.begin_again();
  for (Value& value : row)
    if (query::needs_loading(value)) {
      CAIRN_ASSIGN(value, load(value));
    }
  return {};
}

Result<std::optional<std::uint64_t>> node_of(const Value& value, const std::string& name) {
  if (value.is_null()) return std::optional<std::uint64_t>();
  if (const Node* node = value.get_if<Node>()) return std::optional(node->id().value);
  return Error{
      ErrorCode::type_error,
      "a pattern needs a node" + (name.empty() ? "" : " in " + name) + ", got " + described(value),
      std::nullopt};
}

}  // namespace cairn::query
