#pragma once
// RowLoader: loads the entities of a row before the row is returned to the caller. Also reads ids out of values.

#include "query/execute/graph_reader.hpp"
#include "query/execute/holding.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

namespace cairn::query {

/// Returns the memory of a loaded node or relationship.
[[nodiscard]] std::size_t entity_bytes(const Value& entity);

/// Operators pass entities as bare ids. Entities are loaded where a row leaves the statement, and where a function or
/// procedure reads whole entities.
class RowLoader {
 public:
  RowLoader(GraphReader& graph, Budget& budget) : graph_(graph), held_(budget) {}

  /// True if a value of the row is, or contains, an entity that is not loaded.
  [[nodiscard]] static bool needs_loading(std::span<const Value> row);
  /// Loads the entities of a row in place. Their memory is charged until the next call.
  [[nodiscard]] Status load(std::span<Value> row);
  /// Memory that the last load() charged.
  [[nodiscard]] std::size_t loaded_bytes() const noexcept { return held_.bytes(); }

 private:
  [[nodiscard]] Result<Value> load(const Value& value);
  [[nodiscard]] Result<Value> load_entity(const Value& value);
  void keep(const Value& node, std::size_t bytes);
  [[nodiscard]] Result<Value> load_list(const List& list);
  [[nodiscard]] Result<Value> load_map(const Map& map);
  [[nodiscard]] Result<Value> load_path(const Path& path);

  /// Limits of the cache. The same node often occurs in consecutive rows.
  static constexpr std::size_t kept_entities = 1'024;
  static constexpr std::size_t most_kept_bytes = std::size_t{4} << 20;

  GraphReader& graph_;
  // Recently loaded nodes by id.
  std::unordered_map<std::uint64_t, Value> nodes_;
  std::size_t kept_bytes_ = 0;  // bytes of nodes_
  Holding held_;
};

/// Returns the id of a node, or nullopt if the value is null.
/// Errors: type_error for any other value. `name` is the variable.
[[nodiscard]] Result<std::optional<std::uint64_t>> node_of(const Value& value,
                                                           const std::string& name);

}  // namespace cairn::query
