#pragma once
// A selection of the graph as lists of neighbours, in the two forms that algorithms need.
//
//   GraphProjection  all lists at once, for algorithms that visit the whole selection
//   GraphSteps       one list at a time, for algorithms that walk over a part of it
//
// Both number the nodes from 0 on. A projection numbers them in the order of their ids and takes the lists from the
// adjacency segment (engine/segment) in one pass if there is one or it is worth building; nodes that the segment does not
// contain are read from the store. Steps number nodes as the walk meets them and read each list once, through the
// statement's GraphReader.

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

/// All lists of a selection, read at once.
///
/// Memory is charged to the statement: what NodeNumbers needs, and for each set of lists 8 bytes a node and 4 bytes a
/// relationship (12 bytes with weights). Threads: one.
class GraphProjection {
 public:
  /// Reads the nodes, and for each node its outgoing relationships, whatever direction was selected. Errors: those of
  /// reading and of the weights; resource_limit, cancelled.
  /// Cost: about 10 ns a relationship from a segment, 7 us a node from the store.
  [[nodiscard]] static Result<GraphProjection> make(ExecutionContext& context,
                                                    const GraphSelection& selection,
                                                    WeightReader::Range range);

  [[nodiscard]] std::size_t size() const noexcept { return numbers_.size(); }
  [[nodiscard]] std::uint64_t id(std::size_t node) const noexcept { return numbers_.id(node); }

  /// The direction that the request selected.
  [[nodiscard]] engine::Direction direction() const noexcept { return direction_; }
  /// The outgoing lists, as they were read.
  [[nodiscard]] const engine::Adjacency& stored() const noexcept { return stored_; }
  /// The lists for a walk in the selected direction (along) and in the opposite one (against).
  /// Errors: resource_limit, cancelled. Cost: one or two passes over the relationships.
  [[nodiscard]] Result<engine::Adjacency> along(engine::Limits& limits) const;
  [[nodiscard]] Result<engine::Adjacency> against(engine::Limits& limits) const;

 private:
  class Maker;

  explicit GraphProjection(engine::Limits& limits) noexcept : numbers_(limits), stored_(limits) {}
  /// Numbers the nodes in the order of their ids.
  [[nodiscard]] Status take_nodes(const codec::Bitmap& nodes, engine::Limits& limits);

  NodeNumbers numbers_;       // the nodes of the lists
  engine::Adjacency stored_;  // outgoing lists, by node number
  engine::Direction direction_ = engine::Direction::outgoing;
};

/// The lists of the nodes that a walk meets, each read at its first use and then cached.
///
/// Memory is charged to the statement: 24 bytes a step, about 80 bytes a node, and what NodeNumbers needs. The selection
/// must outlive the object. Threads: one.
class GraphSteps final : public engine::StepSource {
 public:
  GraphSteps(ExecutionContext& context, const GraphSelection& selection, WeightReader::Range range);

  /// The number of a node; numbers the node if it has none. Returns nullopt if the selection does not contain the node.
  [[nodiscard]] Result<std::optional<std::uint32_t>> find(std::uint64_t id);
  [[nodiscard]] std::uint64_t id(std::uint32_t node) const noexcept { return numbers_.id(node); }

  [[nodiscard]] std::uint32_t size() const noexcept override {
    return static_cast<std::uint32_t>(numbers_.size());
  }
  /// The steps from a node (`forward`) or to it, relative to the selected direction.
  [[nodiscard]] Result<std::span<const engine::WeightedStep>> steps(std::uint32_t node,
                                                                    bool forward) override;

 private:
  using List = engine::Array<engine::WeightedStep>;
  /// The cached lists of one node; nullopt until they are read.
  struct Lists {
    std::optional<List> forward;
    std::optional<List> backward;
  };

  /// The number of a node, which gets the next free one if it has none.
  [[nodiscard]] Result<std::uint32_t> number(std::uint64_t id);
  /// Reads one list from the store, without the neighbours and relationships that the selection excludes.
  [[nodiscard]] Result<List> read(std::uint64_t id, engine::Direction direction);
  [[nodiscard]] Status read_weights(List& list);

  ExecutionContext& context_;
  const GraphSelection& selection_;
  WeightReader weights_;
  NodeNumbers numbers_;
  engine::Array<Lists> lists_;           // by node number
  std::vector<engine::Adjacent> found_;  // scratch space of read()
};

}  // namespace cairn::query
