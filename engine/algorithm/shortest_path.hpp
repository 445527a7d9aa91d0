#pragma once
// Shortest paths by weight. The searches read only the part of the graph that they reach.
//
// Weights are 0 or more. Of several shortest paths the same one is returned each time.

#include "engine/algorithm/array.hpp"
#include "engine/algorithm/step_source.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace cairn::engine {

/// A path from its first node to its last.
struct WeightedPath {
  std::vector<std::uint32_t> nodes;          ///< one more than relationships
  std::vector<std::uint64_t> relationships;  ///< the i-th leads from node i to node i + 1
  std::vector<double> weights;               ///< of the relationships
  double cost = 0;                           ///< the sum of the weights
};
using FoundPath = std::optional<WeightedPath>;  ///< nullopt: no path exists

/// Nodes and relationships that a path must not use.
struct ForbiddenParts {
  std::set<std::uint32_t> nodes;
  std::set<std::uint64_t> relationships;

  [[nodiscard]] bool allow(const WeightedStep& step) const {
    return !relationships.contains(step.relationship) && !nodes.contains(step.node);
  }
};

/// Returns a shortest path, or nullopt if none exists. Searches from both ends, and always continues on the side with the
/// nearer node (Dijkstra, 1959; Nicholson, 1966).
/// Errors: those of `graph`, resource_limit, cancelled. Cost: 40 bytes for each node seen, and a heap entry for each step.
[[nodiscard]] Result<FoundPath> shortest_path(StepSource& graph, std::uint32_t source,
                                              std::uint32_t target, const ForbiddenParts& forbidden,
                                              Limits& limits);

/// Estimates the cost from a node to the target.
using RemainingCost = std::function<Result<double>(std::uint32_t node)>;

/// Returns a path found by A*: searches from the source only, and visits the node with the least sum of cost and estimate
/// first (Hart, Nilsson and Raphael, 1968). The path is a shortest one if no estimate exceeds the true remaining cost.
/// Errors: as shortest_path(), and those of `remaining`.
[[nodiscard]] Result<FoundPath> guided_path(StepSource& graph, std::uint32_t source,
                                            std::uint32_t target, const RemainingCost& remaining,
                                            Limits& limits);

/// Returns the `count` shortest paths without repeated nodes, shortest first, or all of them if there are fewer (Yen, 1971).
/// Paths with the same nodes and different relationships are different paths. Errors: as shortest_path(). Cost: a search for
/// each node of each path.
[[nodiscard]] Result<std::vector<WeightedPath>> shortest_paths(StepSource& graph,
                                                               std::uint32_t source,
                                                               std::uint32_t target,
                                                               std::size_t count, Limits& limits);

}  // namespace cairn::engine
