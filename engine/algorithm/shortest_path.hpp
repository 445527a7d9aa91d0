#pragma once
// Shortest paths by weight, over the part of a graph that the search reaches.
//
// Weights are 0 or more. Of equal paths one is given, always the same.

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

/// Nodes and the relationships between them: one node more than relationships.
struct WeightedPath {
  std::vector<std::uint32_t> nodes;
  std::vector<std::uint64_t> relationships;
  std::vector<double> weights;  ///< of the relationships
  double cost = 0;              ///< their sum
};
using FoundPath = std::optional<WeightedPath>;

/// What a path must not take.
struct ForbiddenParts {
  std::set<std::uint32_t> nodes;
  std::set<std::uint64_t> relationships;

  [[nodiscard]] bool allow(const WeightedStep& step) const {
    return !relationships.contains(step.relationship) && !nodes.contains(step.node);
  }
};

/// From both ends, the side with the nearer node first (Dijkstra, 1959; Nicholson, 1966). Nothing where no path leads there.
/// Errors: those of the source, resource_limit, cancelled. Cost: 40 bytes and a heap's entry for each node and step seen.
[[nodiscard]] Result<FoundPath> shortest_path(StepSource& graph, std::uint32_t source,
                                              std::uint32_t target, const ForbiddenParts& forbidden,
                                              Limits& limits);

/// What is at least left from a node to the target.
using RemainingCost = std::function<Result<double>(std::uint32_t node)>;

/// From the source alone, nodes with the least cost and estimate first (Hart, Nilsson and Raphael, 1968). The path is a shortest
/// one if no estimate is above what is left. Errors: as shortest_path(), and those of `remaining`.
[[nodiscard]] Result<FoundPath> guided_path(StepSource& graph, std::uint32_t source,
                                            std::uint32_t target, const RemainingCost& remaining,
                                            Limits& limits);

/// The `count` shortest paths that meet no node twice, shortest first; fewer where there are fewer (Yen, 1971). Paths over
/// different relationships are different. Errors: as shortest_path(). Cost: a search for each node of each path.
[[nodiscard]] Result<std::vector<WeightedPath>> shortest_paths(StepSource& graph,
                                                               std::uint32_t source,
                                                               std::uint32_t target,
                                                               std::size_t count, Limits& limits);

}  // namespace cairn::engine
