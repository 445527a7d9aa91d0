// The retrieval of a request, for the SEARCH clause and for hybrid_search():
//
//    filter -> each index retriever: its best CANDIDATES -> graph retrievers, seeded by these hits
//           -> missing scores: each retriever scores the candidates of the others -> fusion -> LIMIT
//
// The caller has evaluated the filter: all steps work within one set of ids. Missing scores are computed only for fusions
// that normalise scores. The fusion formulas are in ranking/fusion.cpp. A ranked index computes its own features and is
// one retriever here (query/recall).

#include "codec/bitmap.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/graph/index_members.hpp"
#include "engine/view/view.hpp"
#include "query/execute/holding.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/ranking/fusion.hpp"
#include "query/search/graph_search.hpp"
#include "query/search/index_search.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

/// Number of index hits that seed the graph retrievers. Later hits would change the result little.
constexpr std::size_t most_seeds = 50;

/// The kind as which a retriever counts in weights and explanations.
RetrieverKind counted_as(const Retriever& one) {
  if (one.given) return one.given->kind;
  return one.kind == RetrieverKind::ranked ? RetrieverKind::text : one.kind;
}

codec::Bitmap ids_of(const std::vector<RankedId>& items) {
  std::vector<std::uint64_t> ids;
  for (const RankedId& item : items) ids.push_back(item.id);
  return codec::Bitmap::from_unsorted(std::move(ids));
}

void keep_first(std::vector<RankedId>& items, std::size_t count) {
  if (items.size() > count) items.resize(count);
}

/// Bytes of a fused record with its shares, and of its entries in tables by id.
std::size_t bytes_of_fused(std::size_t lists) {
  constexpr std::size_t bytes_of_entries = 128;
  return sizeof(FusedId) + lists * sizeof(RetrieverShare) + bytes_of_entries;
}

/// One run of a request.
class RetrieverRun {
 public:
  /// All arguments must outlive the object.
  RetrieverRun(ExecutionContext& context, const SearchRequest& request,
               const codec::Bitmap* allowed)
      : context_(context), request_(request), allowed_(allowed), held_(context.budget) {}

  /// Runs the retrievers and fuses their lists. Must be called once, before the two functions below.
  [[nodiscard]] Status fuse_all();
  [[nodiscard]] std::vector<FusedId> take_candidates() { return std::move(fused_); }
  /// The best candidates up to the limit of the request, with the parts of their scores if `has_parts`.
  [[nodiscard]] Result<RequestHits> take_hits(bool has_parts);

 private:
  [[nodiscard]] const Retriever& retriever(std::size_t place) const {
    return request_.retrievers[place];
  }
  [[nodiscard]] bool is_of_index(std::size_t place) const {
    return retriever(place).kind != RetrieverKind::graph;
  }
  [[nodiscard]] bool is_graph_by_sum(std::size_t place) const {
    return !is_of_index(place) && retriever(place).graph.scoring == GraphScoring::sum;
  }
  [[nodiscard]] bool is_by_rank() const {
    return request_.fusion.kind == Fusion::Kind::reciprocal_rank;
  }
  /// True if the fusion needs the score of each candidate in each list.
  [[nodiscard]] bool scores_all() const {
    return !is_by_rank() && request_.fusion.kind != Fusion::Kind::weighted_sum &&
           request_.retrievers.size() > 1;
  }
  [[nodiscard]] RankedList empty_list(const Retriever& one) const;
  void scale(std::size_t place, std::vector<RankedId>& items) const;
  [[nodiscard]] Status search_indexes();
  [[nodiscard]] Status find(std::size_t place);
  [[nodiscard]] Status search_graphs();
  [[nodiscard]] Status search_graphs_by_sum();
  [[nodiscard]] Status search_graphs_by_best_way();
  void set_graph_hits(std::size_t place, std::vector<RankedId> items, std::size_t seeds);
  [[nodiscard]] Result<codec::Bitmap> members() const;
  [[nodiscard]] Result<codec::Bitmap> all_allowed() const;
  [[nodiscard]] Result<std::vector<RankedId>> seeds() const;
  [[nodiscard]] Status fuse_lists();
  [[nodiscard]] Status complete(std::size_t place, const codec::Bitmap& ids);
  [[nodiscard]] SearchHit make_hit(const FusedId& fused) const;

  ExecutionContext& context_;
  const SearchRequest& request_;
  const codec::Bitmap* allowed_;
  Holding held_;                            // of the lists and hits
  std::vector<RankedList> lists_;           // in the order of the retrievers
  std::vector<double> best_;                // score of the best hit of each list, before scaling
  std::vector<RetrieverProfile> profiles_;  // in the order of the retrievers
  std::vector<FusedId> fused_;              // best first
};

// Graph retrievers run after all index retrievers, whose hits seed them, even if the statement lists them first. The
// lists keep the order of the statement, because weights and ties depend on it.
Status RetrieverRun::fuse_all() {
  CAIRN_TRY(search_indexes());
  CAIRN_TRY(search_graphs());
  return fuse_lists();
}

Result<RequestHits> RetrieverRun::take_hits(bool has_parts) {
  RequestHits found;
  for (std::size_t i = 0; i < std::min(fused_.size(), request_.limit); ++i) {
    found.hits.push_back(has_parts ? make_hit(fused_[i])
                                   : SearchHit{fused_[i].id, fused_[i].score, {}});
    // A breakdown by rank searches the lists for the hit.
    CAIRN_TRY(context_.budget.step(1 + (has_parts && is_by_rank() ? fused_.size() / 256 : 0)));
    CAIRN_TRY(held_.add_bytes(2 * sizeof(SearchHit)));
    CAIRN_TRY(held_.add_one(found.hits.back().parts));
  }
  found.profiles = std::move(profiles_);
  return found;
}

// Adds a list for each retriever; the lists of graph retrievers stay empty until search_graphs(). A retriever with a
// null query finds nothing, but its weight still counts.
Status RetrieverRun::search_indexes() {
  for (std::size_t i = 0; i < request_.retrievers.size(); ++i) {
    lists_.push_back(empty_list(retriever(i)));
    best_.push_back(1);
    profiles_.emplace_back();
    if (is_of_index(i)) CAIRN_TRY(find(i));
  }
  return {};
}

// The score of an id that the retriever did not find: for text and graph retrievers 0, because no word or no path
// matches. For vectors it is unset, which means the lowest score of the list, unless hits were dropped for their score.
RankedList RetrieverRun::empty_list(const Retriever& one) const {
  RankedList list;
  list.retriever = counted_as(one);
  list.weight = one.weight;
  if (one.scale == ScoreScale::cosine) list.floor = -1;
  if (one.kind != RetrieverKind::vector || one.given) list.absent = 0;
  if (one.least_score && *one.least_score > list.floor) list.absent = list.floor;
  return list;
}

// The items are of one search of the retriever. A list that is completed later is scaled by the best hit of its first
// search.
void RetrieverRun::scale(std::size_t place, std::vector<RankedId>& items) const {
  const Retriever& one = retriever(place);
  for (RankedId& item : items) {
    if (one.scale == ScoreScale::cosine) item.score = 2 * item.score - 1;
    if (one.scale == ScoreScale::share_of_best) item.score /= best_[place];
  }
  std::erase_if(items, [&](const RankedId& item) {
    return (one.least_score && item.score < *one.least_score) ||
           (one.returned && !one.returned->contains(item.id));
  });
}

// Fills the list of one index retriever.
Status RetrieverRun::find(std::size_t place) {
  std::vector<RankedId>& items = lists_[place].items;
  if (retriever(place).given) {
    items = retriever(place).given->items;
  } else {
    CAIRN_ASSIGN(RetrieverHits found,
                 search_index(context_, retriever(place), request_.candidates, allowed_));
    items = std::move(found.items);
    profiles_[place].remark = std::move(found.executor);
  }
  profiles_[place].hits = items.size();
  // Charges the list and a copy of the list.
  CAIRN_TRY(held_.add_bytes(2 * items.capacity() * sizeof(RankedId)));
  std::ranges::sort(items, is_better);
  if (!items.empty()) best_[place] = items.front().score;
  scale(place, items);
  if (!retriever(place).given) return {};
  keep_first(items, request_.candidates);
  // Given scores may be negative, and no record may gain by not being among them.
  if (!items.empty()) lists_[place].absent = std::min(0.0, items.back().score);
  return {};
}

// Returns all ids that the search may return.
Result<codec::Bitmap> RetrieverRun::all_allowed() const {
  if (allowed_ != nullptr) return *allowed_;
  CAIRN_ASSIGN(const codec::Bitmap* visible, context_.graph.visible(codec::EntityKind::node));
  return *visible;
}

// Returns the ids that graph retrievers by sum may return and walk over: those that pass the filter and belong to one
// of the searched indexes. A search without an index starts from a given node; then only the filter restricts the ids.
Result<codec::Bitmap> RetrieverRun::members() const {
  std::vector<codec::Bitmap> covered;
  for (const Retriever& one : request_.retrievers) {
    if (one.kind == RetrieverKind::graph || one.kind == RetrieverKind::keyword || one.given)
      continue;
    const engine::View& view = context_.graph.view();
    CAIRN_ASSIGN(auto ids,
                 engine::index_members(view.catalog().indexes().at(one.question.index), view));
    covered.push_back(std::move(ids));
  }
  if (covered.empty()) return all_allowed();
  codec::Bitmap all = codec::unite_all(covered);
  return allowed_ == nullptr ? all : codec::intersect(all, *allowed_);
}

// Returns the best hits of the index retrievers as seeds. Their scores are min-max normalised, whatever the fusion of
// the request is. If all index retrievers have weight 0, they count equally, so that the graph still has seeds.
Result<std::vector<RankedId>> RetrieverRun::seeds() const {
  std::vector<RankedList> lists;
  double sum = 0;
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    if (!is_of_index(i)) continue;
    lists.push_back(lists_[i]);
    sum += lists_[i].weight;
  }
  if (sum == 0)
    for (RankedList& list : lists) list.weight = 1;
  CAIRN_ASSIGN(const auto fused, fuse_normalised(lists));
  std::vector<RankedId> seeds;
  for (std::size_t i = 0; i < std::min(fused.size(), most_seeds); ++i)
    seeds.push_back({fused[i].id, fused[i].score});
  return seeds;
}

// The ids and seeds of a scoring are computed once for its graph retrievers, and only if there is one: index searches
// without a filter need no set.
Status RetrieverRun::search_graphs() {
  bool has_sum = false;
  bool has_best_way = false;
  for (std::size_t i = 0; i < request_.retrievers.size(); ++i)
    if (!is_of_index(i)) (is_graph_by_sum(i) ? has_sum : has_best_way) = true;
  if (has_sum) CAIRN_TRY(search_graphs_by_sum());
  return has_best_way ? search_graphs_by_best_way() : Status();
}

// A retriever with a null seed finds nothing.
Status RetrieverRun::search_graphs_by_sum() {
  CAIRN_ASSIGN(const codec::Bitmap within, members());
  CAIRN_ASSIGN(const auto hits, seeds());
  for (std::size_t i = 0; i < request_.retrievers.size(); ++i) {
    if (!is_graph_by_sum(i) || retriever(i).is_null) continue;
    const GraphQuestion& question = retriever(i).graph;
    const std::vector<RankedId> start =
        question.seed ? std::vector<RankedId>{{*question.seed, 1}} : hits;
    CAIRN_ASSIGN(auto found, search_graph_by_sum(context_, question, start, within));
    set_graph_hits(i, std::move(found), start.size());
  }
  return {};
}

Status RetrieverRun::search_graphs_by_best_way() {
  CAIRN_ASSIGN(const codec::Bitmap within, all_allowed());
  for (std::size_t i = 0; i < request_.retrievers.size(); ++i) {
    if (is_of_index(i) || is_graph_by_sum(i)) continue;
    const std::vector<RankedId>& start = lists_.front().items;
    CAIRN_ASSIGN(auto found, search_graph_by_best_way(context_, retriever(i).graph, start, within));
    set_graph_hits(i, std::move(found), start.size());
  }
  return {};
}

void RetrieverRun::set_graph_hits(std::size_t place, std::vector<RankedId> items,
                                  std::size_t seeds) {
  scale(place, items);
  profiles_[place] = {items.size(), std::to_string(seeds) + " seeds"};
  lists_[place].items = std::move(items);
}

// Ranks and sums take the lists as they are. For a fusion of normalised scores, each retriever scores the candidates of
// all others first: a hit just below the cut of a list must not count as a record without a score.
Status RetrieverRun::fuse_lists() {
  std::vector<codec::Bitmap> candidates;
  for (RankedList& list : lists_) {
    std::vector<RankedId> first = list.items;
    keep_first(first, request_.candidates);
    candidates.push_back(ids_of(first));
    if (!scores_all()) list.items = std::move(first);
  }
  std::size_t most = 0;
  for (const codec::Bitmap& ids : candidates) most += ids.cardinality();
  CAIRN_TRY(held_.add_bytes(most * bytes_of_fused(lists_.size())));
  if (scores_all()) {
    const codec::Bitmap all = codec::unite_all(candidates);
    for (std::size_t i = 0; i < lists_.size(); ++i) CAIRN_TRY(complete(i, all));
  }
  CAIRN_ASSIGN(fused_, fuse(lists_, request_.fusion));
  return {};
}

// Adds the missing scores of one retriever by an exact search among the ids it lacks, usually a few hundred.
Status RetrieverRun::complete(std::size_t place, const codec::Bitmap& ids) {
  std::vector<RankedId>& items = lists_[place].items;
  std::erase_if(items, [&](const RankedId& item) { return !ids.contains(item.id); });
  // A list shorter than the requested candidates is complete. So is the list of a graph retriever. A recall score
  // depends on the whole candidate set, so a recall cannot score single ids.
  const bool is_whole = !is_of_index(place) || retriever(place).given ||
                        retriever(place).kind == RetrieverKind::ranked;
  if (is_whole || items.size() < request_.candidates) return {};
  CAIRN_ASSIGN(RetrieverHits more,
               score_ids(context_, retriever(place), codec::subtract(ids, ids_of(items))));
  scale(place, more.items);
  items.insert(items.end(), more.items.begin(), more.items.end());
  std::ranges::sort(items, is_better);
  return {};
}

// The shares of a hit are in the order of the lists. After reciprocal rank fusion there are shares only for the lists
// that contain the hit.
SearchHit RetrieverRun::make_hit(const FusedId& fused) const {
  const bool has_all = !is_by_rank();
  List parts;
  auto share = fused.shares.begin();
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    const auto& items = lists_[i].items;
    if (has_all || std::ranges::find(items, fused.id, &RankedId::id) != items.end()) {
      parts.push_back(retriever_part(retriever(i), share->rank, share->score, share->share));
      ++share;
    } else {
      parts.push_back(retriever_part(retriever(i), 0, 0, 0));
    }
  }
  return {fused.id, fused.score, std::move(parts)};
}

}  // namespace

Result<std::vector<FusedId>> fuse_retrievers(ExecutionContext& context,
                                             const SearchRequest& request,
                                             const codec::Bitmap* allowed) {
  RetrieverRun run(context, request, allowed);
  CAIRN_TRY(run.fuse_all());
  return run.take_candidates();
}

Result<RequestHits> run_retrievers(ExecutionContext& context, const SearchRequest& request,
                                   const codec::Bitmap* allowed, bool has_parts) {
  RetrieverRun run(context, request, allowed);
  CAIRN_TRY(run.fuse_all());
  return run.take_hits(has_parts);
}

Value retriever_part(const Retriever& retriever, std::size_t rank, double score, double share) {
  Map part = {{"retriever", std::string(to_string(retriever.kind))}, {"share", share}};
  if (retriever.kind != RetrieverKind::graph) part["index"] = retriever.name;
  part["rank"] = rank == 0 ? Value() : Value(static_cast<std::int64_t>(rank));
  part["score"] = rank == 0 ? Value() : Value(score);
  return part;
}

}  // namespace cairn::query
