#pragma once
// NeighbourWeights: the total weight of a node's relationships to each group of nodes, such as a community.

#include "engine/algorithm/adjacency.hpp"
#include "engine/algorithm/array.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>

namespace cairn::engine {

/// Holds the weights of one node at a time. Groups are numbers below the number of nodes.
///
/// A dense array with a list of the groups in use: clearing costs only the groups of the last node.
class NeighbourWeights {
 public:
  explicit NeighbourWeights(Limits& limits) noexcept
      : weights_(limits), is_met_(limits), met_(limits) {}

  /// Allocates the arrays for a graph of `nodes` nodes.
  [[nodiscard]] Status begin(std::size_t nodes) {
    CAIRN_TRY(weights_.resize(nodes, 0));
    CAIRN_TRY(is_met_.resize(nodes, 0));
    return met_.reserve(nodes);
  }
  /// Replaces the content by the weights from `node` to the groups of its neighbours. Loops do not count.
  [[nodiscard]] Status gather(const Adjacency& graph, std::uint32_t node,
                              const Array<std::uint32_t>& groups) {
    forget();
    const auto list = graph.list(node);
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list.neighbours[i] != node) CAIRN_TRY(add(groups[list.neighbours[i]], list.weight(i)));
    return {};
  }
  [[nodiscard]] Status add(std::uint32_t group, double weight) {
    weights_[group] += weight;
    if (is_met_[group] != 0) return {};
    is_met_[group] = 1;
    return met_.push_back(group);
  }
  void forget() {
    for (const std::uint32_t group : met_) {
      weights_[group] = 0;
      is_met_[group] = 0;
    }
    met_.clear();
  }
  /// The groups with an entry, in the order of their first add().
  [[nodiscard]] const Array<std::uint32_t>& groups() const noexcept { return met_; }
  [[nodiscard]] double to(std::uint32_t group) const noexcept { return weights_[group]; }

 private:
  Array<double> weights_;       // by group
  Array<std::uint8_t> is_met_;  // by group: 1 if it is in met_
  Array<std::uint32_t> met_;    // groups with an entry
};

}  // namespace cairn::engine
