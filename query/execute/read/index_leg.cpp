#include "query/execute/read/index_leg.hpp"

#include "engine/vector/vector_index.hpp"
#include "query/execute/warn_once.hpp"
#include "query/recall/recall_run.hpp"

#include <optional>

namespace cairn::query {
namespace {

std::optional<engine::Recall> recall_of(const SearchLeg& leg) {
  if (!leg.recall) return std::nullopt;
  static constexpr engine::Recall classes[] = {engine::Recall::fast, engine::Recall::standard,
                                               engine::Recall::high};
  return classes[static_cast<std::size_t>(*leg.recall)];
}

template <class Found>
Result<Found> located(Result<Found> found, const SearchLeg& leg) {
  if (!found && !found.error().where) found.error().where = leg.where;
  return found;
}

Result<LegHits> search_vectors(ExecutionContext& context, const IndexLeg& leg,
                               const engine::VectorQuery& query) {
  CAIRN_ASSIGN(const auto found,
               located(context.graph.view().nearest(leg.index.id, query), leg.leg));
  LegHits hits{{}, found.executor};
  for (const Neighbor& hit : found.hits) hits.items.push_back({hit.id, hit.score});
  return hits;
}

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

// The levers as they are by default: db.recall() takes others.
Result<LegHits> search_by_recall(ExecutionContext& context, const IndexLeg& leg, std::size_t k,
                                 const codec::IdSet* allowed) {
  if (leg.index.kind != codec::EntityKind::node)
    return Error{ErrorCode::invalid_argument,
                 "RECALL is of nodes, and index \"" + leg.leg.index + "\" is one of relationships",
                 leg.leg.where};
  RecallOptions options;
  options.limit = k;
  CAIRN_ASSIGN(const codec::IdSet* visible, context.graph.visible(codec::EntityKind::node));
  RecallRun run(context, leg.index.id, options, allowed == nullptr ? *visible : *allowed);
  CAIRN_ASSIGN(const auto found, run.run(leg.arguments.text));
  LegHits hits;
  for (const RecallHit& hit : found) hits.items.push_back({hit.id, hit.score});
  return hits;
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

Result<LegHits> search_index(ExecutionContext& context, const IndexLeg& leg, std::size_t k,
                             const codec::IdSet* allowed) {
  if (leg.arguments.is_null || k == 0) return LegHits{};
  if (leg.leg.kind == SearchLegKind::recall) return search_by_recall(context, leg, k, allowed);
  if (leg.leg.kind == SearchLegKind::full_text) return search_texts(context, leg, k, allowed);
  return search_vectors(context, leg, vector_query(leg, k, allowed));
}

Result<LegHits> score_ids(ExecutionContext& context, const IndexLeg& leg, const codec::IdSet& ids) {
  const std::size_t k = ids.cardinality();
  if (leg.arguments.is_null || k == 0) return LegHits{};
  if (leg.leg.kind == SearchLegKind::full_text) return search_texts(context, leg, k, &ids);
  engine::VectorQuery query = vector_query(leg, k, &ids);
  query.exact = true;
  return search_vectors(context, leg, query);
}

}  // namespace cairn::query
