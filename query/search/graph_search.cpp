// Two breadth-first walks from the seeds. The sum walks from each seed separately and adds the scores that reach a
// node. The best path walks from all seeds at once and keeps the two best paths to each node. A Neighbourhood caches
// the relationships, so that no walk reads a node twice.
#include "query/search/graph_search.hpp"

#include "engine/catalog/catalog.hpp"
#include "query/execute/pipeline/execution_context.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace cairn::query {
namespace {

/// Factor of a score for each step: a node two steps away gets a quarter. LANGUAGE.md documents the value.
constexpr double step_share = 0.5;

std::vector<RankedId> best_first(std::vector<RankedId> hits) {
  std::ranges::sort(hits, is_better);
  return hits;
}

// Score by sum

using NodeScores = std::unordered_map<std::uint64_t, double>;

// Adds the scores that one seed gives to the nodes around it. The walk is breadth first, so it reaches each node once
// and on a shortest path. The seed itself gets its own score only if the hops begin with 0; the seed gets scores from
// other seeds in any case.
Status add_seed(ExecutionContext& context, const GraphQuestion& question, Neighbourhood& graph,
                const RankedId& seed, NodeScores& scores) {
  if (question.least_hops == 0 && graph.members().contains(seed.id)) scores[seed.id] += seed.score;
  std::unordered_set<std::uint64_t> met = {seed.id};
  std::vector<std::uint64_t> edge = {seed.id};
  double score = seed.score;
  for (std::uint64_t hop = 1; hop <= question.most_hops && !edge.empty(); ++hop) {
    score *= step_share;
    std::vector<std::uint64_t> next;
    for (const std::uint64_t from : edge) {
      CAIRN_ASSIGN(const auto* steps, graph.around(from));
      for (const GraphStep& step : *steps) {
        CAIRN_TRY(context.budget.step());
        if (!met.insert(step.other).second) continue;
        next.push_back(step.other);
        if (hop >= question.least_hops) scores[step.other] += score;
      }
    }
    edge = std::move(next);
  }
  return {};
}

// Score by the best path

/// The score of the best path from one seed to a node.
struct WayFromSeed {
  std::uint64_t seed = 0;
  double score = 0;
};
/// The best two paths to each node, from two different seeds. Two are enough, because a node ignores only paths from
/// itself as a seed, and so at most one of the two.
using WaysToNodes = std::map<std::uint64_t, std::vector<WayFromSeed>>;

// Inserts a path into the best two of a node. Returns true if the path is among them and better than the known path
// from its seed. Keeps one path for each seed. For a node that is itself a seed, the second path counts.
bool keep_way(std::vector<WayFromSeed>& ways, const WayFromSeed& way) {
  const auto same = std::ranges::find(ways, way.seed, &WayFromSeed::seed);
  if (same != ways.end()) {
    if (same->score >= way.score) return false;
    *same = way;
  } else {
    if (ways.size() == 2 && ways.back().score >= way.score) return false;
    if (ways.size() == 2) ways.pop_back();
    ways.push_back(way);
  }
  if (ways.size() == 2 && ways[0].score < ways[1].score) std::swap(ways[0], ways[1]);
  return true;
}

/// Returns the `weight` of a relationship. Returns 1 if the weight is missing, not a number, or outside of 0 to 1.
double weight_of(const Value& value) {
  const auto* integer = value.get_if<std::int64_t>();
  const auto* floating = value.get_if<double>();
  const double weight = integer != nullptr    ? static_cast<double>(*integer)
                        : floating != nullptr ? *floating
                                              : 1;
  return weight >= 0 && weight <= 1 ? weight : 1;
}
/// Reads the property `weight` of all relationships in `steps`.

Result<std::vector<Value>> weights_of(ExecutionContext& context,
                                      const std::vector<GraphStep>& steps) {
  std::vector<std::uint64_t> ids;
  for (const GraphStep& step : steps) ids.push_back(step.relationship);
  return context.graph.properties(codec::EntityKind::relationship, ids, "weight");
}

// Extends the paths in `from` by one step. Adds improvements to `best`, and returns the improved nodes, from which
// the next step starts.
Result<WaysToNodes> next_ways(ExecutionContext& context, Neighbourhood& graph,
                              const WaysToNodes& from, WaysToNodes& best) {
  WaysToNodes border;
  for (const auto& [id, ways] : from) {
    CAIRN_ASSIGN(const auto* steps, graph.around(id));
    CAIRN_TRY(context.budget.step(steps->size() + 1));
    CAIRN_ASSIGN(const auto weights, weights_of(context, *steps));
    for (std::size_t i = 0; i < steps->size(); ++i)
      for (const WayFromSeed& before : ways) {
        const std::uint64_t other = (*steps)[i].other;
        const WayFromSeed way{before.seed, before.score * weight_of(weights[i]) * step_share};
        if (way.seed != other && keep_way(best[other], way)) keep_way(border[other], way);
      }
  }
  return border;
}

}  // namespace

// begin() returns false if the catalog has none of the retriever's types. Then no step is possible, and only the seeds
// at 0 hops can be hits.
Result<std::vector<RankedId>> search_graph_by_sum(ExecutionContext& context,
                                                  const GraphQuestion& question,
                                                  std::span<const RankedId> seeds,
                                                  const codec::Bitmap& members) {
  Neighbourhood graph(context, question, members);
  CAIRN_ASSIGN(const bool can_match, graph.begin());
  if (!can_match && question.least_hops > 0) return std::vector<RankedId>();
  NodeScores scores;
  for (const RankedId& seed : seeds) CAIRN_TRY(add_seed(context, question, graph, seed, scores));
  std::vector<RankedId> hits;
  for (const auto& [id, score] : scores) hits.push_back({id, score});
  return best_first(std::move(hits));
}

// Negative seeds are skipped: halving a negative score would raise it with each step.
Result<std::vector<RankedId>> search_graph_by_best_way(ExecutionContext& context,
                                                       const GraphQuestion& question,
                                                       std::span<const RankedId> seeds,
                                                       const codec::Bitmap& members) {
  Neighbourhood graph(context, question, members);
  CAIRN_ASSIGN(const bool can_match, graph.begin());
  if (!can_match) return std::vector<RankedId>();
  WaysToNodes border;
  for (const RankedId& seed : seeds)
    if (seed.score >= 0) border[seed.id].push_back({seed.id, seed.score});
  WaysToNodes best;
  for (std::uint64_t hop = 0; hop < question.most_hops && !border.empty(); ++hop) {
    CAIRN_ASSIGN(border, next_ways(context, graph, border, best));
  }
  std::vector<RankedId> hits;
  for (const auto& [id, ways] : best)
    if (!ways.empty()) hits.push_back({id, ways.front().score});
  return best_first(std::move(hits));
}

// Unknown types are ignored if at least one of the types exists.
Result<bool> Neighbourhood::begin() {
  for (const std::string& name : question_.types)
    if (const auto type = context_.graph.catalog().find_type(name)) types_.push_back(*type);
  if (types_.empty() && !question_.types.empty()) return false;
  std::ranges::sort(types_);
  types_.erase(std::ranges::unique(types_).begin(), types_.end());
  CAIRN_ASSIGN(relationships_, context_.graph.restriction(codec::EntityKind::relationship));
  return true;
}

// std::unordered_map never moves its values, so returned pointers stay valid while the map grows.
Result<const std::vector<GraphStep>*> Neighbourhood::around(std::uint64_t node) {
  const auto [place, is_new] = steps_.try_emplace(node);
  if (!is_new) return &place->second;
  std::vector<engine::Adjacent> all;
  CAIRN_TRY(context_.graph.expand(node, question_.direction, types_, all));
  for (const engine::Adjacent& one : all)
    if (members_.contains(one.other) &&
        (relationships_ == nullptr || relationships_->contains(one.relationship)))
      place->second.push_back({one.other, one.relationship});
  return &place->second;
}

}  // namespace cairn::query
