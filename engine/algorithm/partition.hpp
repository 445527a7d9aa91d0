#pragma once
// Partition: nodes in communities, and what moving a node gains. What louvain() and leiden() share.

#include "engine/algorithm/adjacency.hpp"
#include "engine/algorithm/array.hpp"
#include "engine/algorithm/communities.hpp"
#include "engine/algorithm/neighbour_weights.hpp"
#include "engine/algorithm/random.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>

namespace cairn::engine {

/// A graph whose nodes may stand for many: what was between these is their loop.
struct Level {
  explicit Level(Limits& limits) noexcept : merged(limits), loops(limits), degrees(limits) {}

  [[nodiscard]] const Adjacency& lists() const noexcept {
    return given == nullptr ? merged : *given;
  }

  const Adjacency* given = nullptr;  ///< the graph itself
  Adjacency merged;                  ///< or one made of it
  Array<double> loops;               ///< by node: the weight within, each relationship once
  Array<double> degrees;             ///< by node: the weight of its relationships, loops twice
  double total = 0;                  ///< the degrees of all
};

/// The level of a graph itself, which must outlive it. Errors of all: resource_limit, cancelled.
[[nodiscard]] Result<Level> first_level(const Adjacency& graph, Limits& limits);
/// The level whose nodes are `groups`, numbered from 0 to count - 1.
[[nodiscard]] Result<Level> merged_level(const Level& level, const Array<std::uint32_t>& groups,
                                         std::uint32_t count, Limits& limits);

/// Threads: one.
class Partition {
 public:
  Partition(const Level& level, double resolution, Limits& limits)
      : groups(limits), sums(limits), weights(limits), level_(level), resolution_(resolution) {}

  /// Each node alone.
  [[nodiscard]] Status begin();
  /// As given; numbers are below that of nodes.
  [[nodiscard]] Status begin(Array<std::uint32_t> given);

  /// What the weight between a node, or a group, and another group gains where both come together; the share of chance is
  /// subtracted.
  [[nodiscard]] double gain(double weight, double degree, double other_degree) const noexcept {
    return level_.total == 0 ? 0 : weight - resolution_ * degree * other_degree / level_.total;
  }
  /// Move a node where it gains most; whether it has moved.
  [[nodiscard]] Result<bool> improve(std::uint32_t node);
  void move(std::uint32_t node, std::uint32_t group) noexcept {
    sums[groups[node]] -= level_.degrees[node];
    sums[group] += level_.degrees[node];
    groups[node] = group;
  }

  Array<std::uint32_t> groups;  ///< by node
  Array<double> sums;           ///< by group: the degrees of its nodes
  NeighbourWeights weights;     ///< of the node looked at last

 private:
  const Level& level_;
  double resolution_;
};

/// The nodes of a level in random order.
[[nodiscard]] Result<Array<std::uint32_t>> shuffled_nodes(std::size_t nodes, Random& random,
                                                          Limits& limits);

/// The communities that `pass` improves, from each node alone on, until a pass hardly raises the modularity. Errors: those
/// of the pass; resource_limit, cancelled.
template <class Pass>
[[nodiscard]] Result<Array<std::uint32_t>> repeat_passes(const Adjacency& graph, double resolution,
                                                         Limits& limits, const Pass& pass) {
  constexpr double least_gain = 1e-4;
  CAIRN_ASSIGN(auto found, Array<std::uint32_t>::of(limits, graph.nodes()));
  std::iota(found.begin(), found.end(), 0U);
  double before = -1;
  for (bool gains = true; gains;) {
    CAIRN_TRY(pass(found));
    CAIRN_ASSIGN(const double reached, modularity(graph, found, resolution, limits));
    gains = reached > before + least_gain;
    before = reached;
  }
  return found;
}

}  // namespace cairn::engine
