#pragma once
// Components: which nodes hang together.
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

}  // namespace cairn::engine
