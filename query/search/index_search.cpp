// Runs one retriever against its index, or against the records themselves. A retriever of vectors, of texts and of a
// ranked index each becomes one call of the engine or of query/recall; their results share one form.
#include "query/search/index_search.hpp"

#include "codec/bitmap.hpp"
#include "codec/catalog_entry.hpp"
#include "codec/record.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/fulltext/text_search.hpp"
#include "engine/vector/vector_index.hpp"
#include "engine/view/view.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/plan/name_warnings.hpp"
#include "query/recall/recall_order.hpp"
#include "query/recall/recall_run.hpp"

#include <cairn/vector_search.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace cairn::query {
namespace {

/// Adds the position of the retriever in the statement to an error of the engine, which does not know the statement.
template <class Found>
Result<Found> located(Result<Found> found, const Retriever& retriever) {
  if (!found && !found.error().where) found.error().where = retriever.where;
  return found;
}

template <class Hits>
std::vector<RankedId> ranked_ids(const Hits& hits) {
  std::vector<RankedId> items;
  items.reserve(hits.size());
  for (const auto& hit : hits) items.push_back({hit.id, hit.score});
  return items;
}

RetrieverHits hits_of(engine::TextHits found) {
  return {ranked_ids(found.hits), std::move(found.executor)};
}

RetrieverHits hits_of(engine::Neighbors found) {
  return {ranked_ids(found.hits), std::string(to_string(found.executor)), found.executor};
}

/// The kind of the entities in the index of a retriever.
codec::EntityKind kind_of(const ExecutionContext& context, const Retriever& retriever) {
  return context.graph.catalog().indexes().at(retriever.question.index).entity;
}

/// The engine's class of an approximate search; nullopt: the default one, also for an exact search.
std::optional<engine::Accuracy> class_of(std::optional<VectorAccuracy> accuracy) {
  if (!accuracy) return std::nullopt;
  switch (*accuracy) {
    case VectorAccuracy::fast:
      return engine::Accuracy::fast;
    case VectorAccuracy::standard:
      return engine::Accuracy::standard;
    case VectorAccuracy::high:
      return engine::Accuracy::high;
    case VectorAccuracy::exact:
      break;
  }
  return std::nullopt;
}

// Converts the query of a vector retriever. The result refers to `question` and `allowed`.
engine::VectorQuery vector_query(const IndexQuestion& question, std::size_t k,
                                 const codec::Bitmap* allowed) {
  engine::VectorQuery query;
  query.query = question.vector;
  query.k = k;
  query.exact = question.accuracy == VectorAccuracy::exact;
  query.ef_search = question.ef_search;
  query.recall = class_of(question.accuracy);
  query.min_score = question.min_score;
  query.within = question.within;
  query.allowed = allowed;
  return query;
}

// Upper bound for the records of an index, visible or not.
Result<std::uint64_t> most_members(const engine::View& view, const codec::IndexEntry& index) {
  std::uint64_t members = 0;
  for (const std::uint32_t name : index.labels_or_types) {
    CAIRN_ASSIGN(const std::uint64_t count, index.entity == codec::EntityKind::node
                                                ? view.count_labelled(name)
                                                : view.count_typed(name));
    members += count;
  }
  return members;
}

// Checks that there is memory for the hits of vector searches in one index, and for a copy of these hits.
Status check_room_for_hits(ExecutionContext& context, std::span<const engine::VectorQuery> queries,
                           std::uint32_t index) {
  constexpr std::size_t bytes_of_hit = sizeof(engine::Neighbor) + sizeof(RankedId);
  constexpr std::size_t few = 4'096;  // for each search
  if (std::ranges::all_of(queries, [](const auto& query) { return query.k <= few; })) return {};
  const engine::View& view = context.graph.view();
  const codec::Bitmap* allowed = queries.front().allowed;
  CAIRN_ASSIGN(const std::uint64_t members, most_members(view, view.catalog().indexes().at(index)));
  const std::uint64_t most = allowed != nullptr ? allowed->cardinality() : members;
  std::size_t bytes = 0;
  for (const engine::VectorQuery& query : queries)
    bytes += std::min<std::uint64_t>(query.k, most) * bytes_of_hit;
  return context.budget.check_room(bytes);
}

Result<engine::Neighbors> find_vectors(ExecutionContext& context, const Retriever& retriever,
                                       const engine::VectorQuery& query) {
  CAIRN_TRY(check_room_for_hits(context, std::span(&query, 1), retriever.question.index));
  return located(context.graph.view().nearest(retriever.question.index, query), retriever);
}

/// Searches a full-text index. A syntax error in the text is a warning. The warning is given once for a statement,
/// because a retriever may run for each row.
Result<engine::TextHits> find_texts(ExecutionContext& context, const Retriever& retriever,
                                    std::size_t k, const codec::Bitmap* allowed) {
  engine::TextQuery query;
  query.text = retriever.question.text;
  query.plain = retriever.question.plain;
  query.k = k;
  query.allowed = allowed;
  const std::vector<std::uint32_t> name_spaces = context.graph.name_spaces();
  query.name_spaces = name_spaces;
  query.limits = &context.budget;
  CAIRN_ASSIGN(
      auto found,
      located(context.graph.view().search_text(retriever.question.index, query), retriever));
  if (!found.warning.empty()) warn_once(context, found.warning);
  // The hits of the index and their copy exist together.
  CAIRN_TRY(
      context.budget.check_room(found.hits.size() * (sizeof(engine::TextHit) + sizeof(RankedId))));
  return found;
}

// Searches over relationships. A relationship is visible only if both ends are, and an index does not know the ends. So
// the ends of the hits are tested, and the search is repeated to replace hits with a hidden end.

/// True if the statement may see both ends of a relationship. An end may have expired, or may belong to another
/// namespace.
Result<bool> has_visible_ends(ExecutionContext& context, std::uint64_t relationship) {
  CAIRN_ASSIGN(const codec::Bitmap* const nodes,
               context.graph.restriction(codec::EntityKind::node));
  if (nodes == nullptr) return true;
  CAIRN_ASSIGN(const auto record, context.graph.relationship(relationship));
  return record && nodes->contains(record->source) && nodes->contains(record->target);
}

/// Removes the hits whose ends are not visible, and returns their ids.
template <class Hits>
Result<std::vector<std::uint64_t>> remove_hidden(ExecutionContext& context, Hits& hits) {
  std::vector<std::uint64_t> hidden;
  Hits seen;
  for (auto& hit : hits) {
    CAIRN_ASSIGN(const bool is_visible, has_visible_ends(context, hit.id));
    if (is_visible)
      seen.push_back(std::move(hit));
    else
      hidden.push_back(hit.id);
  }
  hits = std::move(seen);
  return hidden;
}

/// Reduces `found`, the result of search(allowed, k) for relationships, to the best `k` hits with visible ends. The
/// search is repeated without the hits that have hidden ends, for twice as many hits each time, so that few repetitions
/// suffice.
template <class Found, class Search>
Status keep_visible(ExecutionContext& context, std::size_t k, const codec::Bitmap* allowed,
                    const Search& search, Found& found) {
  CAIRN_ASSIGN(const codec::Bitmap* const nodes,
               context.graph.restriction(codec::EntityKind::node));
  if (nodes == nullptr) return {};
  if (allowed == nullptr) {
    CAIRN_ASSIGN(allowed, context.graph.visible(codec::EntityKind::relationship));
  }
  codec::Bitmap hidden, rest;
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 2;
  for (std::size_t wanted = k;;) {
    const bool may_have_more = found.hits.size() >= wanted;
    CAIRN_ASSIGN(auto more, remove_hidden(context, found.hits));
    const bool has_enough = found.hits.size() >= k;
    if (has_enough) found.hits.resize(k);
    if (has_enough || !may_have_more) return {};
    hidden = codec::unite(hidden, codec::Bitmap::from_unsorted(std::move(more)));
    rest = codec::subtract(*allowed, hidden);
    wanted = std::min(wanted, most) * 2;
    CAIRN_ASSIGN(found, search(&rest, wanted));
  }
}

/// Returns the best `k` hits of search(allowed, k) that are visible. `allowed` has only visible ids; nullptr: all ids of the
/// index are.
template <class Search>
auto search_visible(ExecutionContext& context, codec::EntityKind kind, std::size_t k,
                    const codec::Bitmap* allowed, const Search& search)
    -> decltype(search(allowed, k)) {
  CAIRN_ASSIGN(auto found, search(allowed, k));
  if (kind == codec::EntityKind::relationship)
    CAIRN_TRY(keep_visible(context, k, allowed, search, found));
  return found;
}

/// Searches a ranked index by query/recall, which finds its own candidates and computes their features. `allowed` is
/// the filter of the search.
Result<RetrieverHits> search_ranked(ExecutionContext& context, const Retriever& retriever,
                                    std::size_t k, const codec::Bitmap* allowed) {
  RecallOptions options = retriever.question.ranking.value_or(RecallOptions{});
  options.limit = k;
  options.context = options.max_tokens = 0;  // passages are not returned
  options.expand = PassageExtent::context;
  options.rerank = {};  // fusions need the scores in their order
  if (may_tell_names(context.options))
    for (std::string& warning : unknown_names(options, context.graph.catalog()))
      warn_once(context, std::move(warning));
  CAIRN_ASSIGN(const codec::Bitmap* visible, context.graph.visible(codec::EntityKind::node));
  RecallRun run(context, retriever.question.index, options,
                allowed == nullptr ? *visible : *allowed);
  CAIRN_ASSIGN(const auto found, located(run.run(retriever.question.text), retriever));
  RetrieverHits hits;
  for (const RankedRecord& hit : found) hits.items.push_back({hit.id, hit.score});
  return hits;
}

/// Reads the records themselves; there is no index of keywords.
Result<RetrieverHits> find_keywords(ExecutionContext& context, const Retriever& retriever,
                                    std::size_t k, const codec::Bitmap* allowed) {
  if (allowed == nullptr) {
    CAIRN_ASSIGN(allowed, context.graph.visible(codec::EntityKind::node));
  }
  CAIRN_ASSIGN(auto items, search_keywords(context, retriever.question, k, *allowed));
  return RetrieverHits{std::move(items), "contents"};
}

}  // namespace

// A null query or k = 0 returns no hits without a search.
Result<RetrieverHits> search_index(ExecutionContext& context, const Retriever& retriever,
                                   std::size_t k, const codec::Bitmap* allowed) {
  if (retriever.is_null || k == 0) return RetrieverHits{};
  if (retriever.kind == RetrieverKind::ranked) return search_ranked(context, retriever, k, allowed);
  if (retriever.kind == RetrieverKind::keyword)
    return find_keywords(context, retriever, k, allowed);
  const codec::EntityKind kind = kind_of(context, retriever);
  if (retriever.kind == RetrieverKind::text) {
    const auto search = [&](const codec::Bitmap* ids, std::size_t wanted) {
      return find_texts(context, retriever, wanted, ids);
    };
    CAIRN_ASSIGN(auto found, search_visible(context, kind, k, allowed, search));
    return hits_of(std::move(found));
  }
  const auto search = [&](const codec::Bitmap* ids, std::size_t wanted) {
    return find_vectors(context, retriever, vector_query(retriever.question, wanted, ids));
  };
  CAIRN_ASSIGN(auto found, search_visible(context, kind, k, allowed, search));
  return hits_of(std::move(found));
}

// Null queries are not sent to the index; each gets an empty list in the result.
Result<std::vector<RetrieverHits>> search_vectors_batch(ExecutionContext& context,
                                                        std::span<const BatchedQuestion> questions,
                                                        const codec::Bitmap* allowed) {
  std::vector<RetrieverHits> hits(questions.size());
  std::vector<std::size_t> asking;
  std::vector<engine::VectorQuery> queries;
  asking.reserve(questions.size());
  queries.reserve(questions.size());
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (questions[i].retriever->is_null || questions[i].k == 0) continue;
    asking.push_back(i);
    queries.push_back(vector_query(questions[i].retriever->question, questions[i].k, allowed));
  }
  if (queries.empty()) return hits;
  const Retriever& first = *questions.front().retriever;
  CAIRN_TRY(check_room_for_hits(context, queries, first.question.index));
  CAIRN_ASSIGN(auto found,
               located(context.graph.view().nearest_all(first.question.index, queries), first));
  const bool is_relationship = kind_of(context, first) == codec::EntityKind::relationship;
  for (std::size_t i = 0; i < asking.size(); ++i) {
    const auto search = [&](const codec::Bitmap* ids, std::size_t wanted) {
      const Retriever& retriever = *questions[asking[i]].retriever;
      return find_vectors(context, retriever, vector_query(retriever.question, wanted, ids));
    };
    if (is_relationship) CAIRN_TRY(keep_visible(context, queries[i].k, allowed, search, found[i]));
    hits[asking[i]] = hits_of(std::move(found[i]));
  }
  return hits;
}

// The search is exact, because an approximate search might miss some of the ids.
Result<RetrieverHits> score_ids(ExecutionContext& context, const Retriever& retriever,
                                const codec::Bitmap& ids) {
  const std::size_t k = ids.cardinality();
  if (retriever.is_null || k == 0) return RetrieverHits{};
  if (retriever.kind == RetrieverKind::keyword) return find_keywords(context, retriever, k, &ids);
  if (retriever.kind == RetrieverKind::text) {
    CAIRN_ASSIGN(auto found, find_texts(context, retriever, k, &ids));
    return hits_of(std::move(found));
  }
  engine::VectorQuery query = vector_query(retriever.question, k, &ids);
  query.exact = true;
  CAIRN_ASSIGN(auto found, find_vectors(context, retriever, query));
  return hits_of(std::move(found));
}

}  // namespace cairn::query
