#pragma once
// Retrievers along the graph: a hit lifts the nodes around it. There are two rules for what a node is worth.

#include "codec/bitmap.hpp"
#include "query/ranking/fusion.hpp"
#include "query/search/index_search.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace cairn::codec {
class Bitmap;
}  // namespace cairn::codec

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

// Neighbourhood: the steps from nodes along some relationships, within a set of nodes.

/// A relationship and the node at its other end.
struct GraphStep {
  std::uint64_t other = 0;
  std::uint64_t relationship = 0;
};

/// Reads the relationships of a node once. Relationships that may not be seen are left out.
class Neighbourhood {
 public:
  /// Steps lead to `members` alone. All must outlive it.
  Neighbourhood(ExecutionContext& context, const GraphQuestion& question,
                const codec::Bitmap& members)
      : context_(context), question_(question), members_(members) {}

  /// False where no relationship can be of the types, because none of them is in use.
  [[nodiscard]] Result<bool> begin();
  /// In the order of the store; valid as long as this. Cost: as GraphReader::expand(), the first time.
  [[nodiscard]] Result<const std::vector<GraphStep>*> around(std::uint64_t node);

  [[nodiscard]] const codec::Bitmap& members() const noexcept { return members_; }

 private:
  ExecutionContext& context_;
  const GraphQuestion& question_;
  const codec::Bitmap& members_;
  std::vector<std::uint32_t> types_;              // ascending; none: all
  const codec::Bitmap* relationships_ = nullptr;  // null: all may be seen
  std::unordered_map<std::uint64_t, std::vector<GraphStep>> steps_;
};

}  // namespace cairn::query
