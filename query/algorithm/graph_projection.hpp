#pragma once
// GraphProjection: a selection of the graph as lists in memory, for algorithms that look at all of it.
//
// Nodes get numbers from 0 on in the order of their ids. Lists come from the adjacency segment (engine/segment) in one pass
// where there is one or it is worth building, and from the store for nodes that it does not know.

#include "engine/algorithm/adjacency.hpp"
#include "query/algorithm/graph_selection.hpp"
#include "query/algorithm/node_numbers.hpp"
#include "query/algorithm/weight_reader.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>

namespace cairn::query {

class GraphReader;

/// What is made is charged to the statement: what NodeNumbers takes, and for each set of lists 8 bytes a node and 4 a relationship,
/// 8 more with weights. Threads: one.
class GraphProjection {
 public:
  /// Reads the nodes and the relationships in their own direction. Errors: those of reading and of weights; resource_limit,
  /// cancelled. Cost: some 10 ns a relationship from a segment, 7 us a node from the store.
  [[nodiscard]] static Result<GraphProjection> make(ExecutionContext& context,
                                                    const GraphSelection& selection,
                                                    WeightReader::Range range);

  [[nodiscard]] std::size_t size() const noexcept { return numbers_.size(); }
  [[nodiscard]] std::uint64_t id(std::size_t node) const noexcept { return numbers_.id(node); }

  [[nodiscard]] engine::Direction direction() const noexcept { return direction_; }
  /// In the direction of relationships.
  [[nodiscard]] const engine::Adjacency& stored() const noexcept { return stored_; }
  /// The lists for a walk in the direction that was selected, and for one against it. Errors: resource_limit, cancelled.
  /// Cost: a pass over the relationships, where they are not stored() themselves.
  [[nodiscard]] Result<engine::Adjacency> along(engine::Limits& limits) const;
  [[nodiscard]] Result<engine::Adjacency> against(engine::Limits& limits) const;

 private:
  class Maker;

  explicit GraphProjection(engine::Limits& limits) noexcept : numbers_(limits), stored_(limits) {}
  [[nodiscard]] Status take_nodes(const codec::Bitmap& nodes, engine::Limits& limits);

  NodeNumbers numbers_;
  engine::Adjacency stored_;
  engine::Direction direction_ = engine::Direction::outgoing;
};

}  // namespace cairn::query
