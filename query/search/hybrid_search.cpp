//    filter once -> each index retriever: its best CANDIDATES -> graph retrievers from their hits
//                -> scores of all candidates from every retriever -> fusion -> LIMIT
//
// Every score is over the same set of ids. Each retriever also scores the candidates that only others
// found; fusion by ranks takes the lists as they are. Fusion
// itself is ranking/fusion.cpp, pure functions over lists.

#include "codec/bitmap.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/graph/index_members.hpp"
#include "engine/view/view.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/search/graph_search.hpp"
#include "query/search/index_search.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

/// How many hits of the other retrievers a graph retriever starts from; later ones would add little.
constexpr std::size_t most_seeds = 50;

/// Recall ranks by text, and its scores are treated as such.
cairn::RetrieverKind retriever_kind(RetrieverKind kind) {
  static constexpr cairn::RetrieverKind kinds[] = {
      cairn::RetrieverKind::vector, cairn::RetrieverKind::text, cairn::RetrieverKind::graph,
      cairn::RetrieverKind::text};
  return kinds[static_cast<std::size_t>(kind)];
}

/// Orders equal scores by id, so that ranks are repeatable.
void sort_best_first(std::vector<RankedId>& items) {
  std::ranges::sort(items, [](const RankedId& a, const RankedId& b) {
    return a.score != b.score ? a.score > b.score : a.id < b.id;
  });
}

codec::Bitmap ids_of(const std::vector<RankedId>& items) {
  std::vector<std::uint64_t> ids;
  for (const RankedId& item : items) ids.push_back(item.id);
  return codec::Bitmap::from_unsorted(std::move(ids));
}

void keep_first(std::vector<RankedId>& items, std::size_t count) {
  if (items.size() > count) items.resize(count);
}

class HybridSearch {
 public:
  /// All arguments must outlive the object.
  HybridSearch(ExecutionContext& context, const SearchRequest& request,
               const codec::Bitmap* allowed, bool has_parts)
      : context_(context), request_(request), allowed_(allowed), has_parts_(has_parts) {}

  [[nodiscard]] Result<RequestHits> run();

 private:
  [[nodiscard]] const Retriever& retriever(std::size_t place) const {
    return request_.retrievers[place];
  }
  [[nodiscard]] bool is_of_index(std::size_t place) const {
    return retriever(place).kind != RetrieverKind::graph;
  }
  [[nodiscard]] bool is_by_rank() const { return request_.fusion == Fusion::Kind::reciprocal_rank; }
  [[nodiscard]] Status search_indexes();
  [[nodiscard]] Status search_graphs();
  [[nodiscard]] Result<codec::Bitmap> members() const;
  [[nodiscard]] Result<std::vector<RankedId>> seeds() const;
  [[nodiscard]] Result<std::vector<FusedId>> fuse_lists();
  [[nodiscard]] Status complete(std::size_t place, const codec::Bitmap& ids);
  [[nodiscard]] SearchHit make_hit(const FusedId& fused) const;

  ExecutionContext& context_;
  const SearchRequest& request_;
  const codec::Bitmap* allowed_;
  bool has_parts_;
  std::vector<RankedList> lists_;           // by retriever
  std::vector<RetrieverProfile> profiles_;  // by retriever
};

// Graph retrievers come behind the others, whose hits they start from, wherever they are in the text;
// the lists stay in the order of the text, as weights and ties go by it.
Result<RequestHits> HybridSearch::run() {
  CAIRN_TRY(search_indexes());
  CAIRN_TRY(search_graphs());
  CAIRN_ASSIGN(const auto fused, fuse_lists());
  RequestHits found;
  for (std::size_t i = 0; i < std::min(fused.size(), request_.limit); ++i)
    found.hits.push_back(make_hit(fused[i]));
  found.profiles = std::move(profiles_);
  return found;
}

// Lists stand by retriever, those of the graph empty until the next step. A retriever whose question is null
// brings nothing and keeps its weight.
Status HybridSearch::search_indexes() {
  for (std::size_t i = 0; i < request_.retrievers.size(); ++i) {
    RankedList& list = lists_.emplace_back();
    list.retriever = retriever_kind(retriever(i).kind);
    list.weight = retriever(i).weight;
    // No word of the question, no way to it: no score. A record without a vector is as far as the
    // farthest instead.
    if (retriever(i).kind != RetrieverKind::vector) list.absent = 0;
    RetrieverProfile& profile = profiles_.emplace_back();
    if (!is_of_index(i)) continue;
    CAIRN_ASSIGN(RetrieverHits found,
                 search_index(context_, retriever(i), request_.candidates, allowed_));
    profile = {found.items.size(), std::move(found.executor)};
    list.items = std::move(found.items);
    sort_best_first(list.items);
  }
  return {};
}

// The ids that pass the filter and have a label of the indexes: only these are hits or are walked over.
// Without any index in the search the pattern's start is a given node, and members are all that
// pass.
Result<codec::Bitmap> HybridSearch::members() const {
  std::vector<codec::Bitmap> covered;
  for (const Retriever& one : request_.retrievers) {
    if (one.kind == RetrieverKind::graph) continue;
    const engine::View& view = context_.graph.view();
    CAIRN_ASSIGN(auto ids,
                 engine::index_members(view.catalog().indexes().at(one.question.index), view));
    covered.push_back(std::move(ids));
  }
  if (covered.empty() && allowed_ != nullptr) return *allowed_;
  if (covered.empty()) {
    CAIRN_ASSIGN(const codec::Bitmap* visible, context_.graph.visible(codec::EntityKind::node));
    return *visible;
  }
  codec::Bitmap all = codec::unite_all(covered);
  return allowed_ == nullptr ? all : codec::intersect(all, *allowed_);
}

// The best by the indexes, each with its normalised score, whatever the fusion is: scores of 0 to 1.
// With weights all 0 among the index retrievers the graph would have nothing to start from: then all
// count alike.
Result<std::vector<RankedId>> HybridSearch::seeds() const {
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

// What may be a hit is found once for all graph retrievers, and not at all without one: indexes
// need no set where nothing restricts them. A retriever with a null seed asks nothing.
Status HybridSearch::search_graphs() {
  const bool has_graph = std::ranges::any_of(
      request_.retrievers, [](const Retriever& one) { return one.kind == RetrieverKind::graph; });
  if (!has_graph) return {};
  CAIRN_ASSIGN(const codec::Bitmap within, members());
  CAIRN_ASSIGN(const auto hits, seeds());
  for (std::size_t i = 0; i < request_.retrievers.size(); ++i) {
    if (is_of_index(i) || retriever(i).is_null) continue;
    const GraphQuestion& question = retriever(i).graph;
    const std::vector<RankedId> start =
        question.seed ? std::vector<RankedId>{{*question.seed, 1}} : hits;
    CAIRN_ASSIGN(lists_[i].items, search_graph_by_sum(context_, question, start, within));
    profiles_[i] = {lists_[i].items.size(), std::to_string(start.size()) + " seeds"};
  }
  return {};
}

// Fusion by rank takes the lists as they are. For fusion by score each retriever scores the candidates of all:
// a hit just outside of its list must not count as one without a score.
Result<std::vector<FusedId>> HybridSearch::fuse_lists() {
  std::vector<codec::Bitmap> candidates;
  for (RankedList& list : lists_) {
    std::vector<RankedId> first = list.items;
    keep_first(first, request_.candidates);
    candidates.push_back(ids_of(first));
    if (is_by_rank()) list.items = std::move(first);
  }
  if (is_by_rank()) return fuse_by_rank(lists_, request_.fusion_k);
  const codec::Bitmap all = codec::unite_all(candidates);
  for (std::size_t i = 0; i < lists_.size(); ++i) CAIRN_TRY(complete(i, all));
  return fuse(lists_, request_.fusion, request_.fusion_k);
}

// A search restricted to ids that one retriever lacks: as many as the other retrievers brought, a few hundred.
Status HybridSearch::complete(std::size_t place, const codec::Bitmap& ids) {
  std::vector<RankedId>& items = lists_[place].items;
  std::erase_if(items, [&](const RankedId& item) { return !ids.contains(item.id); });
  // A retriever that brought fewer than it might has no more; one by the graph has brought all, and what
  // recall says of a record depends on all that it may find.
  const bool is_whole = !is_of_index(place) || retriever(place).kind == RetrieverKind::ranked;
  if (is_whole || items.size() < request_.candidates) return {};
  CAIRN_ASSIGN(const RetrieverHits more,
               score_ids(context_, retriever(place), codec::subtract(ids, ids_of(items))));
  items.insert(items.end(), more.items.begin(), more.items.end());
  sort_best_first(items);
  return {};
}

// Shares are in the order of the lists; by rank, only of lists that have the record.
SearchHit HybridSearch::make_hit(const FusedId& fused) const {
  SearchHit hit{fused.id, fused.score, {}};
  if (!has_parts_) return hit;
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
  hit.parts = std::move(parts);
  return hit;
}

}  // namespace

Result<RequestHits> run_retrievers(ExecutionContext& context, const SearchRequest& request,
                                   const codec::Bitmap* allowed, bool has_parts) {
  return HybridSearch(context, request, allowed, has_parts).run();
}

Value retriever_part(const Retriever& retriever, std::size_t rank, double score, double share) {
  static constexpr std::string_view names[] = {"vector", "text", "graph", "recall"};
  const std::string_view name = names[static_cast<std::size_t>(retriever.kind)];
  Map part = {{"retriever", std::string(name)}, {"share", share}};
  if (retriever.kind != RetrieverKind::graph) part["index"] = retriever.name;
  part["rank"] = rank == 0 ? Value() : Value(static_cast<std::int64_t>(rank));
  part["score"] = rank == 0 ? Value() : Value(score);
  return part;
}

}  // namespace cairn::query
