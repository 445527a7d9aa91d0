// A retriever by the graph: seeds with scores spread along relationships, halved with each step; a record
// has the sum over all seeds. Members alone are walked over and found, so that nothing that was
// filtered out has a say (see "A hybrid search is retrievers over one set of ids" in README.md).
//
// Cost: the members around each seed, up to the hops; a node's adjacency is read once for all
// seeds.
#include "query/execute/read/graph_retriever.hpp"

#include "codec/bitmap.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/view/view.hpp"
#include "query/bind/bound_query.hpp"
#include "query/execute/pipeline/execution_context.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace cairn::query {
namespace {

/// What is left of a score behind each step.
/// LANGUAGE.md states it; a record two steps away adds a quarter.
constexpr double decay = 0.5;

class GraphRetriever {
 public:
  GraphRetriever(ExecutionContext& context, const SearchRetriever& retriever,
                 const codec::Bitmap& members)
      : context_(context), retriever_(retriever), members_(members) {}

  // False where no relationship can be of the types, because none of them is in use.
  Result<bool> begin() {
    for (const std::string& name : retriever_.types)
      if (const auto type = context_.graph.catalog().find_type(name)) types_.push_back(*type);
    if (types_.empty() && !retriever_.types.empty()) return false;
    std::ranges::sort(types_);
    types_.erase(std::ranges::unique(types_).begin(), types_.end());
    CAIRN_ASSIGN(relationships_, context_.graph.restriction(codec::EntityKind::relationship));
    return true;
  }

  // Breadth first, so that each node is met on the shortest way, and once.
  // A seed itself is found only from other seeds, unless the hops begin with 0.
  Status spread(const RankedId& seed) {
    if (retriever_.hops.least == 0 && members_.contains(seed.id)) scores_[seed.id] += seed.score;
    std::unordered_set<std::uint64_t> met = {seed.id};
    std::vector<std::uint64_t> edge = {seed.id};
    double score = seed.score;
    for (std::uint64_t hop = 1; hop <= *retriever_.hops.most && !edge.empty(); ++hop) {
      score *= decay;
      std::vector<std::uint64_t> next;
      for (const std::uint64_t from : edge) {
        CAIRN_ASSIGN(const auto* others, neighbours(from));
        for (const std::uint64_t other : *others) {
          CAIRN_TRY(context_.budget.step());
          if (!met.insert(other).second) continue;
          next.push_back(other);
          if (hop >= retriever_.hops.least) scores_[other] += score;
        }
      }
      edge = std::move(next);
    }
    return {};
  }

  /// Equal scores in the order of ids, so that a run can be repeated.
  std::vector<RankedId> take() {
    std::vector<RankedId> hits;
    for (const auto& [id, score] : scores_) hits.push_back({id, score});
    std::ranges::sort(hits, [](const RankedId& a, const RankedId& b) {
      return a.score != b.score ? a.score > b.score : a.id < b.id;
    });
    return hits;
  }

 private:
  // The pattern is written from the searched variable; the walk goes the other way.
  [[nodiscard]] engine::Direction direction() const {
    if (retriever_.direction == PatternDirection::any) return engine::Direction::both;
    return retriever_.direction == PatternDirection::right ? engine::Direction::incoming
                                                           : engine::Direction::outgoing;
  }

  // Kept, because seeds that stand together are reached from each other.
  // References into the map stay valid while it grows.
  Result<const std::vector<std::uint64_t>*> neighbours(std::uint64_t id) {
    const auto [kept, is_new] = neighbours_.try_emplace(id);
    if (!is_new) return &kept->second;
    std::vector<engine::Adjacent> steps;
    CAIRN_TRY(context_.graph.expand(id, direction(), types_, steps));
    for (const engine::Adjacent& step : steps)
      if (members_.contains(step.other) &&
          (relationships_ == nullptr || relationships_->contains(step.relationship)))
        kept->second.push_back(step.other);
    return &kept->second;
  }

  ExecutionContext& context_;
  const SearchRetriever& retriever_;
  const codec::Bitmap& members_;
  std::vector<std::uint32_t> types_;              // ascending; none: all
  const codec::Bitmap* relationships_ = nullptr;  // null: all may be seen
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> neighbours_;
  std::unordered_map<std::uint64_t, double> scores_;
};

}  // namespace

// Where no type that the retriever names is in the catalog there is no step to take, and only a seed of 0
// hops can be a hit.
Result<std::vector<RankedId>> search_graph(ExecutionContext& context,
                                           const SearchRetriever& retriever,
                                           std::span<const RankedId> seeds,
                                           const codec::Bitmap& members) {
  GraphRetriever search(context, retriever, members);
  CAIRN_ASSIGN(const bool can_match, search.begin());
  if (!can_match && retriever.hops.least > 0) return std::vector<RankedId>();
  for (const RankedId& seed : seeds) CAIRN_TRY(search.spread(seed));
  return search.take();
}

}  // namespace cairn::query
