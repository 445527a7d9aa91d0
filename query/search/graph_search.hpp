#pragma once
// Retrievers along the graph: a hit lifts the nodes around it. There are two rules for what a node is worth.

#include "query/ranking/fusion.hpp"
#include "query/search/search_request.hpp"

#include <cairn/result.hpp>

#include <span>
#include <vector>

namespace cairn::codec {
class Bitmap;
}

namespace cairn::query {

struct ExecutionContext;

/// score(m) = sum over the seeds: score of the seed / 2 ^ steps of the shortest way from it to m, where
/// that many steps are within the retriever's hops. Ways lead over `members` alone, and over relationships
/// that may be seen; a seed may be any node. Best first, ties by id.
///
/// Cost: the relationships of everything within the hops of each seed, each node's read once.
[[nodiscard]] Result<std::vector<RankedId>> search_graph_by_sum(ExecutionContext& context,
                                                                const GraphQuestion& question,
                                                                std::span<const RankedId> seeds,
                                                                const codec::Bitmap& members);

/// score(m) = the best over all ways from another seed to m: score of the seed, halved with each step and times the
/// relationship's `weight` (0 to 1, else 1). Seeds below 0 lead nowhere. Ways lead over `members` alone, for the
/// retriever's most hops. Best first, ties by id.
///
/// Cost: the relationships of everything within the hops of the seeds, and their weights.
[[nodiscard]] Result<std::vector<RankedId>> search_graph_by_best_way(
    ExecutionContext& context, const GraphQuestion& question, std::span<const RankedId> seeds,
    const codec::Bitmap& members);

}  // namespace cairn::query
