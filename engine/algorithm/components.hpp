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

/// The component of each node where relationships are taken in both directions; `graph` may have either. By union-find.
/// Errors: resource_limit, cancelled. Cost: a pass over the entries, and 8 bytes a node.
[[nodiscard]] Result<Array<std::uint32_t>> connected_components(const Adjacency& graph,
                                                                Limits& limits);

/// The component of each node in which every node leads to every other (Tarjan, 1972).
/// Errors: resource_limit, cancelled. Cost: a pass over the entries, and 28 bytes a node.
[[nodiscard]] Result<Array<std::uint32_t>> strong_components(const Adjacency& outgoing,
                                                             Limits& limits);

/// The groups with new numbers, in the order in which their numbers come first; how many there are.
[[nodiscard]] Result<std::uint32_t> number_by_first(Array<std::uint32_t>& groups,
                                                    std::size_t largest, Limits& limits);

// The following take undirected() and simplified() lists.

/// The greatest k for each node such that it is in a part of the graph in which every node has k neighbours or more
/// (Batagelj and Zaversnik, 2003). Errors: resource_limit, cancelled. Cost: a pass over the entries, and 16 bytes a node.
[[nodiscard]] Result<Array<std::uint32_t>> core_numbers(const Adjacency& graph, Limits& limits);

/// How many triangles each node is in. Errors: resource_limit, cancelled. Cost: entries times the square root of their number
/// at most, and 4 bytes an entry.
[[nodiscard]] Result<Array<std::uint64_t>> triangles(const Adjacency& graph, Limits& limits);

}  // namespace cairn::engine
