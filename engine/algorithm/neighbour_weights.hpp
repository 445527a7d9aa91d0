#pragma once
// NeighbourWeights: how much of a node's relationships leads to each group.

#include "engine/algorithm/adjacency.hpp"
#include "engine/algorithm/array.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>

namespace cairn::engine {

/// Of one node at a time. Groups are numbers below that of nodes.
class NeighbourWeights {
 public:
  explicit NeighbourWeights(Limits& limits) noexcept
      : weights_(limits), is_met_(limits), met_(limits) {}

  [[nodiscard]] Status begin(std::size_t nodes) {
    CAIRN_TRY(weights_.resize(nodes, 0));
    CAIRN_TRY(is_met_.resize(nodes, 0));
    return met_.reserve(nodes);
  }
  /// The groups of the neighbours of a node; loops are left out.
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
  /// In the order in which they were met.
  [[nodiscard]] const Array<std::uint32_t>& groups() const noexcept { return met_; }
  [[nodiscard]] double to(std::uint32_t group) const noexcept { return weights_[group]; }

 private:
  Array<double> weights_;
  Array<std::uint8_t> is_met_;
  Array<std::uint32_t> met_;
};

}  // namespace cairn::engine
