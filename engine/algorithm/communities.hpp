#pragma once
// Communities: groups of nodes with more relationships inside the group than chance would produce.
//
// Modularity is the sum over communities of inside / m - resolution * (degrees / 2m)^2. Here m is the weight of all
// relationships, `inside` the weight of those within the community, and `degrees` the sum of the degrees of its nodes, in
// which a loop counts twice (Newman, 2004).
//
// All functions take undirected() lists with weights of 0 or more. Communities are numbered from 0 in the order of their
// first nodes. Equal graphs and seeds produce equal communities.

#include "engine/algorithm/adjacency.hpp"
#include "engine/algorithm/array.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>

namespace cairn::engine {

struct CommunityOptions {
  double resolution = 1;  ///< values above 1 produce smaller communities
  /// The maximal number of times that communities are merged to nodes, in each pass.
  std::size_t levels = 32;
  std::uint64_t seed = 0;  ///< decides the order in which nodes are visited
};

/// Returns the community of each node by the Louvain method (Blondel and others, 2008). Nodes move to the community where
/// the modularity rises most; then each community becomes one node of a smaller graph, and so on. The whole pass is repeated
/// from its own result until the modularity rises no more.
/// Errors: resource_limit, cancelled. Cost: some twenty passes over the entries, and about twice their memory.
[[nodiscard]] Result<Array<std::uint32_t>> louvain(const Adjacency& graph,
                                                   const CommunityOptions& options, Limits& limits);

/// Returns the community of each node by the Leiden method (Traag, Waltman and van Eck, 2019). It refines communities before
/// they become nodes, so that each community is connected. Unlike the paper, a node joins the best part and not a random
/// one. Errors and cost: as louvain().
[[nodiscard]] Result<Array<std::uint32_t>> leiden(const Adjacency& graph,
                                                  const CommunityOptions& options, Limits& limits);

/// Returns the modularity of a partition, by the formula above. Errors: resource_limit, cancelled. Cost: a pass over the
/// entries.
[[nodiscard]] Result<double> modularity(const Adjacency& graph,
                                        const Array<std::uint32_t>& communities, double resolution,
                                        Limits& limits);

struct LabelOptions {
  std::size_t iterations = 100;  ///< the maximal number of rounds over all nodes
  std::uint64_t seed = 0;        ///< decides the order of nodes, and between labels of equal weight
};

/// Returns the community of each node by label propagation (Raghavan, Albert and Kumara, 2007). Each node takes the label of
/// the greatest weight among its neighbours, until no label changes.
/// Errors: resource_limit, cancelled. Cost: a pass over the entries for each iteration.
[[nodiscard]] Result<Array<std::uint32_t>> propagate_labels(const Adjacency& graph,
                                                            const LabelOptions& options,
                                                            Limits& limits);

}  // namespace cairn::engine
