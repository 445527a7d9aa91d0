#pragma once
// Centrality: how important each node is, by PageRank or betweenness.
//
// PageRank is the share of steps that a random walk spends at a node. The walk follows relationships, and restarts at a
// random node with probability 1 - damping (Brin and Page, 1998):
//
// rank(v) = (1 - damping) / nodes + damping * (S(v) + D / nodes)
//
// S(v) is the sum over all relationships u -> v of rank(u) * weight(u, v) / weight(u), where weight(u) is the total weight
// of the relationships that leave u. D is the sum of the ranks of nodes without outgoing relationships.
//
// Betweenness is the share of the shortest paths between other nodes that lead through a node (Brandes, 2001).

#include "engine/algorithm/adjacency.hpp"
#include "engine/algorithm/array.hpp"
#include "engine/algorithm/step_source.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn::engine {

struct PagerankOptions {
  double damping = 0.85;
  std::size_t iterations = 100;  ///< the maximal number of iterations
  double tolerance = 1e-6;       ///< ends when the changes of all ranks sum to less than this
};

/// Returns the rank of each node; the ranks sum to 1. `incoming` lists the sources of the relationships that lead to a node.
/// Errors: resource_limit, cancelled. Cost: a pass over the entries for each iteration, and 24 bytes a node.
[[nodiscard]] Result<Array<double>> pagerank(const Adjacency& incoming,
                                             const PagerankOptions& options, Limits& limits);

struct PersonalizedOptions {
  double damping = 0.85;
  double tolerance = 1e-6;  ///< the rank that a node may leave undistributed, for each of its steps
};

/// Returns the ranks of walks that restart only at `seeds`, for the nodes of `graph` that the walks reach. A seed that is
/// listed twice weighs twice. Walks return to the seeds from nodes without outgoing steps.
///
/// Computed by forward push (Andersen, Chung and Lang, 2006). Ranks are lower bounds: each node that was reached may leave
/// up to `tolerance` times (its steps + 1) of rank undistributed. Errors: those of `graph`, resource_limit, cancelled.
[[nodiscard]] Result<Array<double>> personalized_pagerank(StepSource& graph,
                                                          std::span<const std::uint32_t> seeds,
                                                          const PersonalizedOptions& options,
                                                          Limits& limits);

struct BetweennessOptions {
  /// Number of random source nodes whose paths are counted, instead of those of all nodes (Brandes and Pich, 2007). The
  /// scores are scaled up to estimate the exact ones.
  std::size_t samples = 256;
  std::uint64_t seed = 0;  ///< selects the source nodes
};

/// Returns for each node v the sum over pairs (s, t) of other nodes of the share of shortest paths from s to t through v.
/// `outgoing` must be simplified(). Its weights are lengths and must be above 0. In an undirected() graph each pair counts
/// twice. Errors: resource_limit, cancelled. Cost for each sample: a breadth-first search, or Dijkstra's search with
/// weights.
[[nodiscard]] Result<Array<double>> betweenness(const Adjacency& outgoing,
                                                const BetweennessOptions& options, Limits& limits);

}  // namespace cairn::engine
