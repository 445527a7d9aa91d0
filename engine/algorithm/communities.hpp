#pragma once
// Communities: groups of nodes with more relationships within than chance would give.
//
// Modularity is the sum over communities of inside / m - resolution * (degrees / 2m)^2, where m is the weight of all
// relationships, `inside` that of the community's own, and `degrees` what its nodes have, a loop twice (Newman, 2004).
// All take undirected() lists, whose weights are 0 or more. Communities are numbered from 0 on in the order of their first
// nodes. Equal graphs and seeds give equal communities.

#include "engine/algorithm/adjacency.hpp"
#include "engine/algorithm/array.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>

namespace cairn::engine {

struct CommunityOptions {
  double resolution = 1;    ///< above 1: smaller communities
  std::size_t levels = 32;  ///< at most
  std::uint64_t seed = 0;   ///< decides the order in which nodes are looked at
};

/// Blondel and others, 2008: nodes move to the community where they gain most; then communities are nodes. All of it is done
/// again with what it found, until that gains no more.
/// Errors: resource_limit, cancelled. Cost: some twenty passes over the entries, and about twice their memory.
[[nodiscard]] Result<Array<std::uint32_t>> louvain(const Adjacency& graph,
                                                   const CommunityOptions& options, Limits& limits);

/// Traag, Waltman and van Eck, 2019: communities are refined before they become nodes, so that each hangs together. Of the
/// parts that a node may join it takes the best, not one by lot. Errors and cost: as louvain().
[[nodiscard]] Result<Array<std::uint32_t>> leiden(const Adjacency& graph,
                                                  const CommunityOptions& options, Limits& limits);

/// Errors: resource_limit, cancelled. Cost: a pass over the entries.
[[nodiscard]] Result<double> modularity(const Adjacency& graph,
                                        const Array<std::uint32_t>& communities, double resolution,
                                        Limits& limits);

struct LabelOptions {
  std::size_t iterations = 100;  ///< at most
  std::uint64_t seed = 0;        ///< decides the order of nodes, and among equals
};

/// Raghavan, Albert and Kumara, 2007: each node takes the label that weighs most among its neighbours, until each has such a
/// one. Errors: resource_limit, cancelled. Cost: a pass over the entries for each iteration.
[[nodiscard]] Result<Array<std::uint32_t>> propagate_labels(const Adjacency& graph,
                                                            const LabelOptions& options,
                                                            Limits& limits);

}  // namespace cairn::engine
