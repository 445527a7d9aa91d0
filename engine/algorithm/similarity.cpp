// Finds similar nodes by two steps: from the node to its neighbours, and from each neighbour back to the nodes that have it
// as a neighbour. Each pair of steps adds one common neighbour to the sums of the node at its end.
#include "engine/algorithm/similarity.hpp"

#include <cmath>
#include <utility>

namespace cairn::engine {

Status SimilaritySearch::make_room() {
  CAIRN_TRY(last_seen_.grow(graph_.size()));
  CAIRN_TRY(degrees_.grow(graph_.size()));
  return shared_.grow(graph_.size());
}

Result<Array<std::uint32_t>> SimilaritySearch::neighbours(std::uint32_t node, bool forward) {
  CAIRN_ASSIGN(const auto steps, graph_.steps(node, forward));
  CAIRN_TRY(make_room());
  Array<std::uint32_t> found(limits_);
  ++lists_;
  for (const WeightedStep& step : steps) {
    if (step.node == node || std::exchange(last_seen_[step.node], lists_) == lists_) continue;
    CAIRN_TRY(found.push_back(step.node));
  }
  CAIRN_TRY(pace_.add(32 * (1 + steps.size())));
  return found;
}

Result<std::uint32_t> SimilaritySearch::degree(std::uint32_t node) {
  if (degrees_[node] == 0) {
    CAIRN_ASSIGN(const auto found, neighbours(node, true));
    degrees_[node] = static_cast<std::uint32_t>(found.size()) + 1;
  }
  return degrees_[node] - 1;
}

Result<Array<Similarity>> SimilaritySearch::similar_to(std::uint32_t node) {
  CAIRN_ASSIGN(const auto around, neighbours(node, true));
  Array<Similarity> found(limits_);
  for (const std::uint32_t between : around) {
    CAIRN_ASSIGN(const auto others, neighbours(between, false));
    for (const std::uint32_t other : others) {
      if (other == node) continue;
      Shared& shared = shared_[other];
      if (shared.common++ == 0) CAIRN_TRY(found.push_back({other, 0, 0, 0}));
      shared.adamic_adar += 1 / std::log(static_cast<double>(others.size()));
    }
  }
  for (Similarity& one : found) {
    const Shared shared = std::exchange(shared_[one.node], {});
    CAIRN_ASSIGN(const std::uint32_t degree_other, degree(one.node));
    one.common = shared.common;
    one.adamic_adar = shared.adamic_adar;
    one.jaccard = static_cast<double>(shared.common) /
                  static_cast<double>(around.size() + degree_other - shared.common);
  }
  return found;
}

}  // namespace cairn::engine
