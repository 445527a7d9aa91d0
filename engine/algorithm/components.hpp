#pragma once
// Components, cores and triangles: which nodes are connected, and how densely.
//
// Components are numbered from 0 on in the order of their first nodes.

#include "engine/algorithm/adjacency.hpp"
#include "engine/algorithm/array.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstdint>

namespace cairn::engine {

/// Returns the weakly connected component of each node, by union-find. The direction of relationships does not matter, so
/// `graph` may list either one. Errors: resource_limit, cancelled. Cost: a pass over the entries, and 8 bytes a node.
[[nodiscard]] Result<Array<std::uint32_t>> connected_components(const Adjacency& graph,
                                                                Limits& limits);

/// Returns the strongly connected component of each node: in it every node has a path to every other (Tarjan, 1972).
/// Errors: resource_limit, cancelled. Cost: a pass over the entries, and 28 bytes a node.
[[nodiscard]] Result<Array<std::uint32_t>> strong_components(const Adjacency& outgoing,
                                                             Limits& limits);

/// Renumbers `groups` from 0 in the order of first appearance, and returns the number of groups. `largest` is the largest
/// old number or more.
[[nodiscard]] Result<std::uint32_t> number_by_first(Array<std::uint32_t>& groups,
                                                    std::size_t largest, Limits& limits);

// The following take undirected() and simplified() lists.

/// Returns the core number of each node: the greatest k such that the node is in a subgraph where every node has at least k
/// neighbours (Batagelj and Zaversnik, 2003). Errors: resource_limit, cancelled. Cost: a pass over the entries, and 16 bytes
/// a node.
[[nodiscard]] Result<Array<std::uint32_t>> core_numbers(const Adjacency& graph, Limits& limits);

/// Returns the number of triangles that each node is in. Errors: resource_limit, cancelled. Cost: at most the number of
/// entries times its square root, and 4 bytes an entry.
[[nodiscard]] Result<Array<std::uint64_t>> triangles(const Adjacency& graph, Limits& limits);

}  // namespace cairn::engine
