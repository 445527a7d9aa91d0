#pragma once
// RowLoader: entities of a row become whole before they are handed out.

#include "query/execute/graph_reader.hpp"
#include "query/execute/holding.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <span>
#include <unordered_map>

namespace cairn::query {

/// What a node or relationship takes that is whole.
[[nodiscard]] std::size_t entity_bytes(const Value& entity);

class RowLoader {
 public:
  RowLoader(GraphReader& graph, Budget& budget) : graph_(graph), held_(budget) {}

  /// Whether some value of the row is, or holds, an entity that is not whole.
  [[nodiscard]] static bool needs_loading(std::span<const Value> row);
  /// What is loaded is charged until the next row is.
  [[nodiscard]] Status load(std::span<Value> row);
  [[nodiscard]] std::size_t loaded_bytes() const noexcept { return held_.bytes(); }

 private:
  [[nodiscard]] Result<Value> load(const Value& value);
  [[nodiscard]] Result<Value> load_entity(const Value& value);
  void keep(const Value& node, std::size_t bytes);
  [[nodiscard]] Result<Value> load_list(const List& list);
  [[nodiscard]] Result<Value> load_map(const Map& map);
  [[nodiscard]] Result<Value> load_path(const Path& path);

  /// The same entity often comes again in the next rows.
  static constexpr std::size_t kept_entities = 1'024;
  static constexpr std::size_t most_kept_bytes = std::size_t{4} << 20;

  GraphReader& graph_;
  std::unordered_map<std::uint64_t, Value> nodes_;
  std::size_t kept_bytes_ = 0;  // of nodes_
  Holding held_;
};

}  // namespace cairn::query
