#pragma once
// Graph retrievers: a hit raises the score of the nodes around it. Two scoring rules: a sum over all seeds, and the
// best single path.

#include "codec/bitmap.hpp"
#include "query/ranking/fusion.hpp"
#include "query/search/index_search.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace cairn::query {

/// Scores a node m by the sum over all seeds of (score of the seed / 2 ^ steps of the shortest path from it to m). A
/// path counts if its number of steps is within the retriever's hops.
///
/// Paths lead only over `members` and over visible relationships. A seed may be any node, also one outside of
/// `members`. Returns best first, ties by id.
///
/// Cost: for each seed, the relationships of all nodes within the hops. Each node's relationships are read once in
/// all.
[[nodiscard]] Result<std::vector<RankedId>> search_graph_by_sum(ExecutionContext& context,
                                                                const GraphQuestion& question,
                                                                std::span<const RankedId> seeds,
                                                                const codec::Bitmap& members);

/// Scores a node m by the best path from another seed to m: the score of the seed, multiplied at each step by 1/2 and
/// by the relationship's `weight` (a number from 0 to 1, else 1). Seeds with a negative score are ignored.
///
/// Paths lead only over `members` and have at most the retriever's `most_hops` steps. Returns best first, ties by id.
///
/// Cost: the relationships of all nodes within the hops of the seeds, and the weights of these relationships.
[[nodiscard]] Result<std::vector<RankedId>> search_graph_by_best_way(
    ExecutionContext& context, const GraphQuestion& question, std::span<const RankedId> seeds,
    const codec::Bitmap& members);

/// A relationship and the node at its other end.
struct GraphStep {
  std::uint64_t other = 0;
  std::uint64_t relationship = 0;
};

/// Adjacency lists of nodes along some relationship types, restricted to a set of nodes and to visible relationships.
/// Caches the list of each node, so that each list is read once.
class Neighbourhood {
 public:
  /// Steps lead only to nodes of `members`. All arguments must outlive the object.
  Neighbourhood(ExecutionContext& context, const GraphQuestion& question,
                const codec::Bitmap& members)
      : context_(context), question_(question), members_(members) {}

  /// Resolves the types; call it once, before around(). Returns false if types were requested and none of them
  /// exists, so that no step is possible.
  [[nodiscard]] Result<bool> begin();
  /// Returns the steps from `node` in the order of the store. The pointer is valid as long as this object. Cost: as
  /// GraphReader::expand() at the first call for a node.
  [[nodiscard]] Result<const std::vector<GraphStep>*> around(std::uint64_t node);

  [[nodiscard]] const codec::Bitmap& members() const noexcept { return members_; }

 private:
  ExecutionContext& context_;
  const GraphQuestion& question_;
  const codec::Bitmap& members_;
  std::vector<std::uint32_t> types_;              // sorted; empty: all types
  const codec::Bitmap* relationships_ = nullptr;  // visible relationships; nullptr: all
  std::unordered_map<std::uint64_t, std::vector<GraphStep>> steps_;
};

}  // namespace cairn::query
