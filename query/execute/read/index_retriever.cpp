// One retriever of a search by an index, whatever its kind, as one function from question to ranked ids.
// Checks that the index is of the searched kind of entity: hits of the other would carry ids that
// mean something else.
#include "query/execute/read/index_retriever.hpp"

#include "engine/fulltext/text_hits.hpp"
#include "engine/vector/vector_index.hpp"
#include "query/execute/pipeline/warn_once.hpp"
#include "query/plan/name_warnings.hpp"
#include "query/recall/recall_run.hpp"

#include <optional>

namespace cairn::query {
namespace {

/// Without a word the engine's own default holds; "exact" is not among these, it is a flag of its
/// own.
std::optional<engine::Accuracy> recall_of(const SearchRetriever& retriever) {
  if (!retriever.recall) return std::nullopt;
  static constexpr engine::Accuracy classes[] = {engine::Accuracy::fast, engine::Accuracy::standard,
                                                 engine::Accuracy::high};
  return classes[static_cast<std::size_t>(*retriever.recall)];
}

/// The engine knows no statement; its errors get the retriever's place.
template <class Found>
Result<Found> located(Result<Found> found, const SearchRetriever& retriever) {
  if (!found && !found.error().where) found.error().where = retriever.where;
  return found;
}

RetrieverHits hits_of(const Neighbors& found) {
  RetrieverHits hits{{}, found.executor};
  for (const Neighbor& hit : found.hits) hits.items.push_back({hit.id, hit.score});
  return hits;
}

Result<RetrieverHits> search_vectors(ExecutionContext& context, const IndexRetriever& retriever,
                                     const engine::VectorQuery& query) {
  CAIRN_ASSIGN(const auto found, located(context.graph.view().nearest(retriever.index.id, query),
                                         retriever.retriever));
  return hits_of(found);
}

/// A null `allowed` allows all. Warnings are said once a statement, as a retriever may be asked for each
/// row.
Result<RetrieverHits> search_texts(ExecutionContext& context, const IndexRetriever& retriever,
                                   std::size_t k, const codec::Bitmap* allowed) {
  engine::TextQuery query;
  query.text = retriever.arguments.text;
  query.plain = retriever.retriever.plain;
  query.k = k;
  query.allowed = allowed;
  CAIRN_ASSIGN(
      const auto found,
      located(context.graph.view().search_text(retriever.index.id, query), retriever.retriever));
  if (!found.warning.empty()) warn_once(context, found.warning);
  RetrieverHits hits{{}, found.executor};
  for (const engine::TextHit& hit : found.hits) hits.items.push_back({hit.id, hit.score});
  return hits;
}

/// Recall makes its own candidates and features (query/recall); the clause's filter is its `allowed`.
Result<RetrieverHits> search_by_recall(ExecutionContext& context, const IndexRetriever& retriever,
                                       std::size_t k, const codec::Bitmap* allowed) {
  RecallOptions options = retriever.arguments.recall;
  options.limit = k;
  for (std::string& warning : unknown_names(options, context.graph.catalog()))
    warn_once(context, std::move(warning));
  CAIRN_ASSIGN(const codec::Bitmap* visible, context.graph.visible(codec::EntityKind::node));
  RecallRun run(context, retriever.index.id, options, allowed == nullptr ? *visible : *allowed);
  CAIRN_ASSIGN(const auto found, located(run.run(retriever.arguments.text), retriever.retriever));
  RetrieverHits hits;
  for (const RecallHit& hit : found) hits.items.push_back({hit.id, hit.score});
  return hits;
}

const char* plural(codec::EntityKind kind) {
  return kind == codec::EntityKind::node ? "nodes" : "relationships";
}

// Recall is of nodes, whatever its index is of, and so is the graph.
std::string advice_for(const SearchRetriever& retriever, const Searched& searched) {
  const bool is_node = searched.kind == codec::EntityKind::node;
  if (retriever.kind == RetrieverKind::recall && is_node)
    return ", and RANKED INDEX is of nodes; name a full-text index of nodes";
  const std::string other = is_node ? "a relationship: MATCH ()-[r]->() SEARCH r IN (...)"
                                    : "a node: MATCH (n) SEARCH n IN (...)";
  if (retriever.kind == RetrieverKind::recall)
    return ", and RANKED INDEX is of nodes; write FULLTEXT INDEX for relationships, or search " +
           other;
  if (retriever.kind == RetrieverKind::graph)
    return "; leave out the retriever, or search " + other;
  return std::string("; name an index of ") + plural(searched.kind) + ", or search " + other;
}

/// An index of relationships could never have a node among its hits, so it is an error and not an
/// empty result.
Error wrong_kind(const SearchRetriever& retriever, const Searched& searched,
                 codec::EntityKind found) {
  const std::string source = retriever.kind == RetrieverKind::graph
                                 ? "a retriever by the graph"
                                 : "index \"" + retriever.index + "\"";
  const char* what =
      searched.kind == codec::EntityKind::node ? "` is a node, " : "` is a relationship, ";
  return {ErrorCode::invalid_argument,
          "`" + std::string(searched.variable) + what + source + " is of " + plural(found) +
              advice_for(retriever, searched),
          retriever.where};
}

engine::VectorQuery vector_query(const IndexRetriever& retriever, std::size_t k,
                                 const codec::Bitmap* allowed) {
  engine::VectorQuery query;
  query.query = retriever.arguments.query;
  query.k = k;
  query.exact = retriever.retriever.exact;
  query.ef_search = retriever.arguments.ef_search;
  query.recall = recall_of(retriever.retriever);
  query.allowed = allowed;
  return query;
}

}  // namespace

// Nothing for a retriever by the graph. Recall only finds nodes.
Result<std::optional<SearchIndex>> find_retriever_index(const engine::Catalog& catalog,
                                                        const SearchRetriever& retriever,
                                                        const Searched& searched) {
  std::optional<SearchIndex> index;
  if (retriever.kind != RetrieverKind::graph) {
    CAIRN_ASSIGN(index, find_search_index(catalog, retriever));
  }
  const codec::EntityKind found = index ? index->kind : codec::EntityKind::node;
  const bool is_recall = retriever.kind == RetrieverKind::recall;
  const bool is_allowed = !is_recall || searched.kind == codec::EntityKind::node;
  if (found != searched.kind || !is_allowed) return wrong_kind(retriever, searched, found);
  return index;
}

// A null question or k = 0 finds nothing, without asking.
Result<RetrieverHits> search_index(ExecutionContext& context, const IndexRetriever& retriever,
                                   std::size_t k, const codec::Bitmap* allowed) {
  if (retriever.arguments.is_null || k == 0) return RetrieverHits{};
  if (retriever.retriever.kind == RetrieverKind::recall)
    return search_by_recall(context, retriever, k, allowed);
  if (retriever.retriever.kind == RetrieverKind::full_text)
    return search_texts(context, retriever, k, allowed);
  return search_vectors(context, retriever, vector_query(retriever, k, allowed));
}

// Many questions against one index, which reads what it scans once for all. Rows that ask nothing
// keep their place, empty.
Result<std::vector<RetrieverHits>> search_vector_rows(ExecutionContext& context,
                                                      const SearchRetriever& retriever,
                                                      const SearchIndex& index,
                                                      std::span<const SearchArguments> rows,
                                                      const codec::Bitmap* allowed) {
  std::vector<RetrieverHits> hits(rows.size());
  std::vector<std::size_t> asking;
  std::vector<engine::VectorQuery> queries;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RetrieverArguments& arguments = rows[i].retrievers.front();
    if (arguments.is_null || rows[i].limit == 0) continue;
    asking.push_back(i);
    queries.push_back(vector_query({retriever, arguments, index}, rows[i].limit, allowed));
    queries.back().min_score = rows[i].min_score;
    queries.back().within = rows[i].within;
  }
  if (queries.empty()) return hits;
  CAIRN_ASSIGN(const auto found,
               located(context.graph.view().nearest_all(index.id, queries), retriever));
  for (std::size_t i = 0; i < asking.size(); ++i) hits[asking[i]] = hits_of(found[i]);
  return hits;
}

// The scores of given ids. Exact: an approximate walk might miss one of them.
Result<RetrieverHits> score_ids(ExecutionContext& context, const IndexRetriever& retriever,
                                const codec::Bitmap& ids) {
  const std::size_t k = ids.cardinality();
  if (retriever.arguments.is_null || k == 0) return RetrieverHits{};
  if (retriever.retriever.kind == RetrieverKind::full_text)
    return search_texts(context, retriever, k, &ids);
  engine::VectorQuery query = vector_query(retriever, k, &ids);
  query.exact = true;
  return search_vectors(context, retriever, query);
}

}  // namespace cairn::query
