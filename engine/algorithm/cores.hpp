#pragma once
// Cores and triangles: how dense the surroundings of each node are.
//
// All take undirected() and simplified() lists.

#include "engine/algorithm/adjacency.hpp"
#include "engine/algorithm/array.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstdint>

namespace cairn::engine {

/// The greatest k for each node such that it is in a part of the graph in which every node has k neighbours or more
/// (Batagelj and Zaversnik, 2003). Errors: resource_limit, cancelled. Cost: a pass over the entries, and 16 bytes a node.
[[nodiscard]] Result<Array<std::uint32_t>> core_numbers(const Adjacency& graph, Limits& limits);

/// How many triangles each node is in. Errors: resource_limit, cancelled. Cost: entries times the square root of their number
/// at most, and 4 bytes an entry.
[[nodiscard]] Result<Array<std::uint64_t>> triangles(const Adjacency& graph, Limits& limits);

}  // namespace cairn::engine
