#pragma once
// The retriever of a hybrid search along the graph: a hit lifts what stands around it.

#include "query/ranking/fusion.hpp"

#include <cairn/result.hpp>

#include <span>
#include <vector>

namespace cairn::codec {
class Bitmap;
}

namespace cairn::query {

struct ExecutionContext;
struct SearchRetriever;

/// score(m) = sum over the seeds: score of the seed / 2 ^ steps of the shortest way from it to m, where
/// that many steps are within the retriever's hops. Ways lead over `members` alone, and over relationships
/// that may be seen; a seed may be any node. Best first, ties by id.
///
/// Cost: the relationships of everything within the hops of each seed, each node's read once.
[[nodiscard]] Result<std::vector<RankedId>> search_graph(ExecutionContext& context,
                                                         const SearchRetriever& retriever,
                                                         std::span<const RankedId> seeds,
                                                         const codec::Bitmap& members);

}  // namespace cairn::query
