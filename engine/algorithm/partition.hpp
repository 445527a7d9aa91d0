#pragma once
// Partition: the assignment of nodes to communities, and the gain in modularity of moving a node. Shared by louvain() and
// leiden().

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

/// A graph whose nodes may each represent a group of nodes of the original graph. The weight of the relationships inside the
/// group is the loop of the node.
struct Level {
  explicit Level(Limits& limits) noexcept : merged(limits), loops(limits), degrees(limits) {}

  [[nodiscard]] const Adjacency& lists() const noexcept {
    return given == nullptr ? merged : *given;
  }

  /// The original graph on the first level; nullptr on later levels.
  const Adjacency* given = nullptr;
  Adjacency merged;       ///< the graph of a later level
  Array<double> loops;    ///< by node: the weight of its loops, each relationship once
  Array<double> degrees;  ///< by node: the weight of its relationships, loops twice
  double total = 0;       ///< the sum of all degrees, 2m in the formula of the modularity
};

/// Returns the first level, whose nodes are those of `graph`. The graph must outlive the level. Errors, here and below:
/// resource_limit, cancelled.
[[nodiscard]] Result<Level> first_level(const Adjacency& graph, Limits& limits);
/// Returns the level whose nodes are the groups of `level`. `groups` has the group of each node, from 0 to count - 1.
[[nodiscard]] Result<Level> merged_level(const Level& level, const Array<std::uint32_t>& groups,
                                         std::uint32_t count, Limits& limits);

/// Groups are numbers below the number of nodes; some may be empty. Threads: one at a time.
class Partition {
 public:
  Partition(const Level& level, double resolution, Limits& limits)
      : groups(limits), sums(limits), weights(limits), level_(level), resolution_(resolution) {}

  /// Starts with each node in a group of its own.
  [[nodiscard]] Status begin();
  /// Starts with the group of each node in `given`.
  [[nodiscard]] Status begin(Array<std::uint32_t> given);

  /// Returns the gain of uniting a node or group with another group: the weight between them less the weight expected by
  /// chance, at their degrees. Proportional to the change of the modularity.
  [[nodiscard]] double gain(double weight, double degree, double other_degree) const noexcept {
    return level_.total == 0 ? 0 : weight - resolution_ * degree * other_degree / level_.total;
  }
  /// Moves a node to the neighbouring group with the greatest gain, unless its own group is as good. Returns true if it
  /// moved.
  [[nodiscard]] Result<bool> improve(std::uint32_t node);
  void move(std::uint32_t node, std::uint32_t group) noexcept {
    sums[groups[node]] -= level_.degrees[node];
    sums[group] += level_.degrees[node];
    groups[node] = group;
  }

  Array<std::uint32_t> groups;  ///< by node
  Array<double> sums;           ///< by group: the sum of the degrees of its nodes
  NeighbourWeights weights;     ///< scratch: the weights of the node that was visited last

 private:
  const Level& level_;
  double resolution_;
};

/// Returns the numbers from 0 to nodes - 1 in random order.
[[nodiscard]] Result<Array<std::uint32_t>> shuffled_nodes(std::size_t nodes, Random& random,
                                                          Limits& limits);

/// Starts with each node as its own community, and calls `pass(communities)` until a call raises the modularity by less than
/// 1e-4. Returns the communities. Errors: those of `pass`; resource_limit, cancelled.
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
