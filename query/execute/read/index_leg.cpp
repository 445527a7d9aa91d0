// One leg of a search by an index, whatever its kind, as one function from question to ranked ids.
// Checks that the index is of the searched kind of entity: hits of the other would carry ids that
// mean something else.
#include "query/execute/read/index_leg.hpp"

#include "engine/fulltext/text_hits.hpp"
#include "engine/vector/vector_index.hpp"
#include "query/execute/warn_once.hpp"
#include "query/plan/name_warnings.hpp"
#include "query/recall/recall_run.hpp"

#include <optional>

namespace cairn::query {
namespace {

/// Without a word the engine's own default holds; "exact" is not among these, it is a flag of its
/// own.
std::optional<engine::Recall> recall_of(const SearchLeg& leg) {
  if (!leg.recall) return std::nullopt;
  static constexpr engine::Recall classes[] = {engine::Recall::fast, engine::Recall::standard,
                                               engine::Recall::high};
  return classes[static_cast<std::size_t>(*leg.recall)];
}

/// The engine knows no statement; its errors get the leg's place.
template <class Found>
Result<Found> located(Result<Found> found, const SearchLeg& leg) {
  if (!found && !found.error().where) found.error().where = leg.where;
  return found;
}

LegHits hits_of(const Neighbors& found) {
  LegHits hits{{}, found.executor};
  for (const Neighbor& hit : found.hits) hits.items.push_back({hit.id, hit.score});
  return hits;
}

Result<LegHits> search_vectors(ExecutionContext& context, const IndexLeg& leg,
                               const engine::VectorQuery& query) {
  CAIRN_ASSIGN(const auto found,
               located(context.graph.view().nearest(leg.index.id, query), leg.leg));
  return hits_of(found);
}

/// A null `allowed` allows all. Warnings are said once a statement, as a leg may be asked for each
/// row.
Result<LegHits> search_texts(ExecutionContext& context, const IndexLeg& leg, std::size_t k,
                             const codec::IdSet* allowed) {
  engine::TextQuery query;
  query.text = leg.arguments.text;
  query.plain = leg.leg.plain;
  query.k = k;
  query.allowed = allowed;
  CAIRN_ASSIGN(const auto found,
               located(context.graph.view().search_text(leg.index.id, query), leg.leg));
  if (!found.warning.empty()) warn_once(context, found.warning);
  LegHits hits{{}, found.executor};
  for (const engine::TextHit& hit : found.hits) hits.items.push_back({hit.id, hit.score});
  return hits;
}

/// Recall makes its own candidates and levers (query/recall); the clause's filter is its `allowed`.
Result<LegHits> search_by_recall(ExecutionContext& context, const IndexLeg& leg, std::size_t k,
                                 const codec::IdSet* allowed) {
  RecallOptions options = leg.arguments.recall;
  options.limit = k;
  for (std::string& warning : unknown_names(options, context.graph.catalog()))
    warn_once(context, std::move(warning));
  CAIRN_ASSIGN(const codec::IdSet* visible, context.graph.visible(codec::EntityKind::node));
  RecallRun run(context, leg.index.id, options, allowed == nullptr ? *visible : *allowed);
  CAIRN_ASSIGN(const auto found, located(run.run(leg.arguments.text), leg.leg));
  LegHits hits;
  for (const RecallHit& hit : found) hits.items.push_back({hit.id, hit.score});
  return hits;
}

const char* plural(codec::EntityKind kind) {
  return kind == codec::EntityKind::node ? "nodes" : "relationships";
}

// Recall is of nodes, whatever its index is of, and so is the graph.
std::string advice_for(const SearchLeg& leg, const Searched& searched) {
  const bool is_node = searched.kind == codec::EntityKind::node;
  if (leg.kind == SearchLegKind::recall && is_node)
    return ", and RECALL is of nodes; name a full-text index of nodes";
  const std::string other = is_node ? "a relationship: MATCH ()-[r]->() SEARCH r IN (...)"
                                    : "a node: MATCH (n) SEARCH n IN (...)";
  if (leg.kind == SearchLegKind::recall)
    return ", and RECALL is of nodes; write FULLTEXT INDEX for relationships, or search " + other;
  if (leg.kind == SearchLegKind::graph) return "; leave out the leg, or search " + other;
  return std::string("; name an index of ") + plural(searched.kind) + ", or search " + other;
}

/// An index of relationships could never have a node among its hits, so it is an error and not an
/// empty result.
Error wrong_kind(const SearchLeg& leg, const Searched& searched, codec::EntityKind found) {
  const std::string source =
      leg.kind == SearchLegKind::graph ? "a leg by the graph" : "index \"" + leg.index + "\"";
  const char* what =
      searched.kind == codec::EntityKind::node ? "` is a node, " : "` is a relationship, ";
  return {ErrorCode::invalid_argument,
          "`" + std::string(searched.variable) + what + source + " is of " + plural(found) +
              advice_for(leg, searched),
          leg.where};
}

engine::VectorQuery vector_query(const IndexLeg& leg, std::size_t k, const codec::IdSet* allowed) {
  engine::VectorQuery query;
  query.query = leg.arguments.query;
  query.k = k;
  query.exact = leg.leg.exact;
  query.ef_search = leg.arguments.ef_search;
  query.recall = recall_of(leg.leg);
  query.allowed = allowed;
  return query;
}

}  // namespace

// Nothing for a leg by the graph. Recall only finds nodes.
Result<std::optional<SearchIndex>> find_leg_index(const engine::Catalog& catalog,
                                                  const SearchLeg& leg, const Searched& searched) {
  std::optional<SearchIndex> index;
  if (leg.kind != SearchLegKind::graph) {
    CAIRN_ASSIGN(index, find_search_index(catalog, leg));
  }
  const codec::EntityKind found = index ? index->kind : codec::EntityKind::node;
  const bool is_recall = leg.kind == SearchLegKind::recall;
  const bool is_allowed = !is_recall || searched.kind == codec::EntityKind::node;
  if (found != searched.kind || !is_allowed) return wrong_kind(leg, searched, found);
  return index;
}

// A null question or k = 0 finds nothing, without asking.
Result<LegHits> search_index(ExecutionContext& context, const IndexLeg& leg, std::size_t k,
                             const codec::IdSet* allowed) {
  if (leg.arguments.is_null || k == 0) return LegHits{};
  if (leg.leg.kind == SearchLegKind::recall) return search_by_recall(context, leg, k, allowed);
  if (leg.leg.kind == SearchLegKind::full_text) return search_texts(context, leg, k, allowed);
  return search_vectors(context, leg, vector_query(leg, k, allowed));
}

// Many questions against one index, which reads what it scans once for all. Rows that ask nothing
// keep their place, empty.
Result<std::vector<LegHits>> search_vector_rows(ExecutionContext& context, const SearchLeg& leg,
                                                const SearchIndex& index,
                                                std::span<const SearchArguments> rows,
                                                const codec::IdSet* allowed) {
  std::vector<LegHits> hits(rows.size());
  std::vector<std::size_t> asking;
  std::vector<engine::VectorQuery> queries;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const LegArguments& arguments = rows[i].legs.front();
    if (arguments.is_null || rows[i].limit == 0) continue;
    asking.push_back(i);
    queries.push_back(vector_query({leg, arguments, index}, rows[i].limit, allowed));
    queries.back().min_score = rows[i].min_score;
    queries.back().within = rows[i].within;
  }
  if (queries.empty()) return hits;
  CAIRN_ASSIGN(const auto found, located(context.graph.view().nearest_all(index.id, queries), leg));
  for (std::size_t i = 0; i < asking.size(); ++i) hits[asking[i]] = hits_of(found[i]);
  return hits;
}

// The scores of given ids. Exact: an approximate walk might miss one of them.
Result<LegHits> score_ids(ExecutionContext& context, const IndexLeg& leg, const codec::IdSet& ids) {
  const std::size_t k = ids.cardinality();
  if (leg.arguments.is_null || k == 0) return LegHits{};
  if (leg.leg.kind == SearchLegKind::full_text) return search_texts(context, leg, k, &ids);
  engine::VectorQuery query = vector_query(leg, k, &ids);
  query.exact = true;
  return search_vectors(context, leg, query);
}

}  // namespace cairn::query
