#pragma once
// Betweenness: on how many shortest paths between others a node lies (Brandes, 2001).

#include "engine/algorithm/adjacency.hpp"
#include "engine/algorithm/array.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>

namespace cairn::engine {

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
