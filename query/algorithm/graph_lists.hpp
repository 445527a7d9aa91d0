#pragma once
// A selection of the graph as lists of neighbours, in the two forms that algorithms need.
//
//   GraphProjection  all lists at once, for algorithms that visit the whole selection
//   GraphSteps       one list at a time, for algorithms that walk over a part of it
//
// Both number the nodes from 0 on. A projection numbers them in the order of their ids and takes the lists from the adjacency
// segment (engine/segment) in one pass if there is one or it is worth building; nodes that the segment does not contain are
// read from the store. Steps number nodes as the walk meets them and read each list once, through the statement's GraphReader.

#include "engine/algorithm/adjacency.hpp"
#include "engine/algorithm/array.hpp"
#include "engine/algorithm/step_source.hpp"
#include "query/algorithm/graph_selection.hpp"
#include "query/algorithm/node_numbers.hpp"
#include "query/algorithm/weight_reader.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

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

/// Charged to the statement: 24 bytes a step, some 80 a node, and what NodeNumbers takes. Threads: one. The selection must outlive it.
class GraphSteps final : public engine::StepSource {
 public:
  GraphSteps(ExecutionContext& context, const GraphSelection& selection, WeightReader::Range range);

  /// The number of a node, which is met by it; nothing where the selection has not got it.
  [[nodiscard]] Result<std::optional<std::uint32_t>> find(std::uint64_t id);
  [[nodiscard]] std::uint64_t id(std::uint32_t node) const noexcept { return numbers_.id(node); }

  [[nodiscard]] std::uint32_t size() const noexcept override {
    return static_cast<std::uint32_t>(numbers_.size());
  }
  [[nodiscard]] Result<std::span<const engine::WeightedStep>> steps(std::uint32_t node,
                                                                    bool forward) override;

 private:
  using List = engine::Array<engine::WeightedStep>;
  struct Lists {
    std::optional<List> forward;
    std::optional<List> backward;
  };

  [[nodiscard]] Result<std::uint32_t> number(std::uint64_t id);
  [[nodiscard]] Result<List> read(std::uint64_t id, engine::Direction direction);
  [[nodiscard]] Status read_weights(List& list);

  ExecutionContext& context_;
  const GraphSelection& selection_;
  WeightReader weights_;
  NodeNumbers numbers_;
  engine::Array<Lists> lists_;
  std::vector<engine::Adjacent> found_;
};

}  // namespace cairn::query
