#pragma once
// Centrality: how important each node is, by PageRank or betweenness.
//
// PageRank is the share of steps that a random walk spends at a node. The walk follows relationships, and restarts at a
// random node with probability 1 - damping (Brin and Page, 1998):
//
// rank(v) = (1 - damping) / nodes + damping * (sum over u -> v of rank(u) * weight(u, v) / weight(u), and the ranks of nodes
// without a way out, divided equally)
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
  std::size_t iterations = 100;  ///< at most
  double tolerance = 1e-6;       ///< ends when the ranks changed by less, all together
};

/// The ranks, which sum to 1. `incoming` has the sources of each node. Errors: resource_limit, cancelled.
/// Cost: a pass over the entries for each iteration, and 24 bytes a node.
[[nodiscard]] Result<Array<double>> pagerank(const Adjacency& incoming,
                                             const PagerankOptions& options, Limits& limits);

struct PersonalizedOptions {
  double damping = 0.85;
  double tolerance = 1e-6;  ///< what a node may keep unpassed for each of its steps
};

/// The ranks of walks that begin again at `seeds` alone, by the nodes of `graph`, those never met left out. A seed that stands
/// there twice weighs twice. By pushing forward (Andersen, Chung and Lang, 2006): each rank is too low by what was not passed
/// on, which is in all at most `tolerance` for each step of a node that was met. Nodes without a way out lead back to the seeds.
/// Errors: those of the source, resource_limit, cancelled.
[[nodiscard]] Result<Array<double>> personalized_pagerank(StepSource& graph,
                                                          std::span<const std::uint32_t> seeds,
                                                          const PersonalizedOptions& options,
                                                          Limits& limits);

struct BetweennessOptions {
  /// Paths from so many nodes, drawn by the seed, stand for those from all (Brandes and Pich, 2007).
  std::size_t samples = 256;
  std::uint64_t seed = 0;
};

/// For each node the sum over pairs (s, t) of other nodes of the share of the shortest paths from s to t that it is on.
/// `outgoing` is simplified(); its weights are above 0, and lengths. In a graph that is undirected() each pair counts twice.
/// Errors: resource_limit, cancelled. Cost: a pass over the entries for each sample, with weights a search with a heap.
[[nodiscard]] Result<Array<double>> betweenness(const Adjacency& outgoing,
                                                const BetweennessOptions& options, Limits& limits);

}  // namespace cairn::engine
