// hybrid_search(): several retrievers over the records that pass one filter, fused and ranked.
//
//    filter -> retrievers -> fusion -> terms -> boosts -> sort by the raw score -> cut
//
// Scores of the retrievers before fusion:
//    vector     2 * s - 1, which is the cosine, -1 to 1    ranked   share of the highest possible score, 0 to 1
//    text       share of the best hit's score, 0 to 1      graph    seed's score x weight / 2 for each step
//
// Terms and boosts are applied before the cut, so that they can raise a hit. So retrievers return more hits than the
// limit (oversampling).
#include "codec/bitmap.hpp"
#include "codec/catalog_entry.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/database/access.hpp"
#include "engine/database/handles.hpp"
#include "engine/system/clock.hpp"
#include "engine/view/view.hpp"
#include "query/bind/bound_query.hpp"
#include "query/calls/forwarded_hybrid.hpp"
#include "query/execute/filter/filter_ids.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/read/search_arguments.hpp"
#include "query/filter/filter_operators.hpp"
#include "query/plan/name_warnings.hpp"
#include "query/ranking/fusion.hpp"
#include "query/ranking/score.hpp"
#include "query/recall/recall_passages.hpp"
#include "query/recall/recall_run.hpp"
#include "query/search/graph_search.hpp"
#include "query/search/index_search.hpp"

#include <cairn/hybrid_search.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace cairn {
namespace {

using codec::Bitmap;
using query::RankedId;

Error refused(std::string message) {
  return Error{ErrorCode::invalid_argument, std::move(message), {}};
}

/// The number of hits that each retriever returns: limit x oversample, but not more than there are records, which also
/// prevents an overflow.
std::size_t pool_of(const HybridSearch& search, const Bitmap& members) {
  const auto most = static_cast<std::size_t>(std::max<std::uint64_t>(members.cardinality(), 1));
  const std::size_t oversample = search.ranking.oversample;
  if (oversample == 0) return std::min(query::default_candidates(search.limit), most);
  if (search.limit > most / oversample) return most;
  return std::max<std::size_t>(search.limit * oversample, 1);
}

// The property `weight` of a relationship; 1 if it is not a number.
double weight_of(const Relationship& relationship) {
  const Value& weight = relationship.property("weight");
  if (const auto* integer = weight.get_if<std::int64_t>()) return static_cast<double>(*integer);
  const auto* floating = weight.get_if<double>();
  return floating == nullptr ? 1 : *floating;
}

/// One call, over the records that pass its filter.
class HybridCall {
 public:
  HybridCall(query::ExecutionContext& context, const HybridSearch& search, Bitmap members)
      : context_(context), search_(search), members_(std::move(members)) {}

  Result<HybridHits> run() {
    CAIRN_ASSIGN(const query::SearchRequest request, make_request());
    CAIRN_ASSIGN(const auto fused, query::fuse_retrievers(context_, request, &members_));
    HybridHits hits;
    CAIRN_ASSIGN(hits.hits, rank(fused));
    if (search_.relationships) CAIRN_TRY(add_relationships(hits.hits));
    hits.warnings = std::move(warnings_);
    for (std::string& warning : context_.warnings) warn(std::move(warning), hits.warnings);
    return hits;
  }

 private:
  Result<query::SearchRequest> make_request() {
    query::SearchRequest request;
    request.fusion = search_.ranking.fusion;
    request.candidates = pool_of(search_, members_);
    if (!search_.retrievers.empty() &&
        std::holds_alternative<GraphRetriever>(search_.retrievers.front()))
      return refused(
          "a graph retriever cannot be the first one, because it starts from the hits of the first "
          "retriever; put a vector or text retriever before it");
    for (const HybridRetriever& one : search_.retrievers) {
      CAIRN_ASSIGN(query::Retriever retriever,
                   std::visit([this](const auto& wanted) { return retriever_of(wanted); }, one));
      // The default weight makes normalised scores comparable; a sum of scores is of the scores themselves.
      if (request.fusion.kind != Fusion::Kind::weighted_sum)
        retriever.weight = query::default_weight(retriever.kind);
      request.retrievers.push_back(std::move(retriever));
    }
    return request;
  }

  // Hits whose cosine is below the minimum are removed.
  Result<query::Retriever> retriever_of(const VectorRetriever& wanted) {
    if (std::isnan(wanted.min_score))
      return refused("`min_score` of a vector retriever is NaN; give a number, or leave it unset");
    CAIRN_ASSIGN(query::Retriever retriever, retriever_of(RetrieverKind::vector, wanted.index));
    retriever.question.vector = wanted.vector;
    // The index returns (1 + s) / 2. The bound is lowered by a rounding error; hits below it are removed afterwards.
    constexpr double rounding = 1e-12;
    if (wanted.min_score > -1) retriever.question.min_score = (1 + wanted.min_score) / 2 - rounding;
    retriever.scale = query::ScoreScale::cosine;
    if (wanted.min_score > -std::numeric_limits<double>::infinity())
      retriever.least_score = wanted.min_score;
    return retriever;
  }

  // The question is plain text without operators. BM25 scores have no upper bound, so they are divided by the best one.
  Result<query::Retriever> retriever_of(const TextRetriever& wanted) {
    CAIRN_ASSIGN(query::Retriever retriever, retriever_of(RetrieverKind::text, wanted.index));
    retriever.question.text = wanted.text;
    retriever.question.plain = true;
    retriever.scale = query::ScoreScale::share_of_best;
    return retriever;
  }

  // Ranked full-text search, whose features may include vectors.
  Result<query::Retriever> retriever_of(const RankedRetriever& wanted) {
    CAIRN_ASSIGN(query::Retriever retriever,
                 retriever_of(RetrieverKind::ranked, wanted.options.index));
    retriever.question.text = wanted.text;
    retriever.question.ranking = wanted.options;
    return retriever;
  }

  Result<query::Retriever> retriever_of(const GraphRetriever& wanted) {
    warn_of_types(wanted.relationship_types);
    CAIRN_ASSIGN(auto labelled, ids_of(wanted.label));
    query::Retriever retriever;
    retriever.kind = RetrieverKind::graph;
    retriever.graph.scoring = query::GraphScoring::best_way;
    retriever.graph.types = wanted.relationship_types;
    retriever.graph.most_hops = wanted.hops;
    retriever.returned = std::move(labelled);
    return retriever;
  }

  // Without an index. A misspelt property contains no words, so the caller is warned of it.
  Result<query::Retriever> retriever_of(const KeywordRetriever& wanted) {
    if (query::may_tell_names(context_.options)) {
      if (auto warning = query::unknown_field({wanted.property}, context_.graph.catalog()))
        warn(*std::move(warning), warnings_);
    }
    query::Retriever retriever;
    retriever.kind = RetrieverKind::keyword;
    retriever.question.property = wanted.property;
    retriever.question.text = wanted.text;
    return retriever;
  }

  // Hits that the caller supplies. Records that do not pass the filter are dropped.
  Result<query::Retriever> retriever_of(const GivenRetriever& wanted) {
    if (wanted.kind == RetrieverKind::ranked)
      return refused("given hits cannot be of the kind `ranked`; use RetrieverKind::text");
    query::GivenHits given{wanted.kind, {}};
    for (const GivenRetriever::Found& hit : wanted.hits) {
      if (!std::isfinite(hit.score))
        return refused("the score of given node " + std::to_string(hit.node.value) +
                       " must be finite, got " + std::to_string(hit.score));
      if (members_.contains(hit.node.value)) given.items.push_back({hit.node.value, hit.score});
    }
    query::Retriever retriever;
    retriever.given = std::move(given);
    return retriever;
  }

  /// Looks up the index of a retriever. Errors: those of the lookup; invalid_argument for an index of relationships.
  Result<query::Retriever> retriever_of(RetrieverKind kind, const std::string& index) {
    query::SearchRetriever named;
    named.kind = kind;
    named.index = index;
    const auto found = query::find_search_index(context_, named);
    if (!found) return Error{found.error().code, found.error().message, std::nullopt};
    if (found->kind != codec::EntityKind::node)
      return refused("index \"" + index +
                     "\" covers relationships, but a hybrid search finds nodes");
    query::Retriever retriever;
    retriever.kind = kind;
    retriever.name = index;
    retriever.question.index = found->id;
    return retriever;
  }

  /// The nodes with a label; nullopt if no label is required.
  Result<std::optional<Bitmap>> ids_of(const std::string& label) const {
    using Ids = std::optional<Bitmap>;
    if (label.empty()) return Ids();
    const auto number = context_.graph.catalog().find_label(label);
    if (!number) return Ids(Bitmap());
    CAIRN_ASSIGN(Bitmap ids, context_.graph.view().labelled(*number));
    return Ids(std::move(ids));
  }

  /// Applies terms and boosts, and cuts at the limit. Without them only the records up to the limit are read.
  Result<std::vector<Hit>> rank(std::span<const query::FusedId> fused) {
    const Ranking& ranking = search_.ranking;
    const bool is_final = ranking.terms.empty() && ranking.boosts.empty() &&
                          search_.label.empty() && !search_.passages;
    if (is_final) fused = fused.first(std::min(search_.limit, fused.size()));
    std::vector<std::uint64_t> ids;
    for (const query::FusedId& one : fused) ids.push_back(one.id);
    CAIRN_ASSIGN(const auto nodes, context_.graph.view().load_nodes(ids));
    std::vector<Hit> hits;
    for (std::size_t i = 0; i < fused.size(); ++i) {
      if (!nodes[i])
        return Error{ErrorCode::corruption,
                     "node " + std::to_string(ids[i]) +
                         ", which an index lists, is missing; run `cairn check --repair`",
                     {}};
      if (search_.label.empty() || nodes[i]->has_label(search_.label))
        hits.push_back(make_hit(fused[i], *nodes[i]));
    }
    std::ranges::sort(hits, [](const Hit& a, const Hit& b) {
      return a.explanation->raw != b.explanation->raw ? a.explanation->raw > b.explanation->raw
                                                      : a.id < b.id;
    });
    if (search_.passages) return with_passages(std::move(hits));
    if (hits.size() > search_.limit) hits.resize(search_.limit);
    return hits;
  }

  /// Gives the best hits their passages, and leaves out those inside of the passage of a better one.
  Result<std::vector<Hit>> with_passages(std::vector<Hit> hits) {
    RecallOptions options = *search_.passages;
    options.limit = search_.limit;
    std::vector<std::uint64_t> ids;
    for (const Hit& hit : hits) ids.push_back(hit.id);
    CAIRN_ASSIGN(auto passages, query::passages_within(context_, options, members_, ids));
    std::vector<Hit> chosen;
    for (query::Passage& passage : passages) {
      Hit& hit = chosen.emplace_back(std::move(hits[passage.hit]));
      hit.passage = std::move(passage.records);
      hit.left_out = passage.left_out;
    }
    CAIRN_TRY(query::add_passage_nodes(context_, chosen));
    return chosen;
  }

  /// The public score is derived from the raw score; both are in the explanation.
  Hit make_hit(const query::FusedId& fused, const Node& node) const {
    auto explanation = std::make_shared<const Explanation>(
        query::explain_score(fused, node.properties(), search_.ranking, context_.now));
    Hit hit{fused.id, query::public_score(explanation->raw, search_.ranking)};
    hit.node = node;
    hit.explanation = std::move(explanation);
    return hit;
  }

  /// Adds relationships to the returned hits only, which are few.
  Status add_relationships(std::vector<Hit>& hits) {
    query::GraphQuestion question;
    question.types = search_.relationships->types;
    warn_of_types(question.types);
    query::Neighbourhood graph(context_, question, members_);
    CAIRN_ASSIGN(const bool can_match, graph.begin());
    if (!can_match) return {};
    for (Hit& hit : hits) CAIRN_TRY(add_relationships(graph, hit));
    return {};
  }

  // Sorted by weight, then by id.
  Status add_relationships(query::Neighbourhood& graph, Hit& hit) {
    CAIRN_ASSIGN(const auto* steps, graph.around(hit.id));
    std::set<std::uint64_t> ids;  // a relationship of a node to itself is returned twice
    for (const query::GraphStep& step : *steps) ids.insert(step.relationship);
    for (const std::uint64_t id : ids) {
      CAIRN_ASSIGN(auto relationship, context_.graph.view().load_relationship(id));
      if (relationship) hit.relationships.push_back(*std::move(relationship));
    }
    std::ranges::stable_sort(hit.relationships, std::ranges::greater(), weight_of);
    return {};
  }

  /// Warns of relationship types that the database does not know.
  void warn_of_types(const std::vector<std::string>& types) {
    if (!query::may_tell_names(context_.options)) return;
    RecallOptions named;
    named.features.relationship_types = types;
    for (std::string& warning : query::unknown_names(named, context_.graph.catalog()))
      warn(std::move(warning), warnings_);
  }

  /// Adds a warning unless it is there already.
  static void warn(std::string warning, std::vector<std::string>& warnings) {
    if (std::ranges::find(warnings, warning) == warnings.end())
      warnings.push_back(std::move(warning));
  }

  query::ExecutionContext& context_;
  const HybridSearch& search_;
  const Bitmap members_;  ///< records that may be found and that graph search may pass through
  std::vector<std::string> warnings_;
};

}  // namespace

// The filter becomes ids once, and all retrievers search among them. A warning about an unknown name comes first, and
// each warning once.
Result<HybridHits> hybrid_search(const Snapshot& snapshot, const HybridSearch& search,
                                 const StatementOptions& options) {
  CAIRN_TRY(query::check_ranking(search.ranking));
  CAIRN_TRY(query::validate_parts(search.filter));
  if (auto* const way = Access::forwarding(snapshot)) {
    CAIRN_ASSIGN(const Value found, way->call("hybrid_search", query::hybrid_map(search), options));
    return query::read_hybrid_hits(found);
  }
  const auto view = Access::view(snapshot);
  const Parameters none;
  query::ExecutionContext context(*view, nullptr, none, options,
                                  options.now ? *options.now : engine::system_time());
  CAIRN_ASSIGN(Bitmap members, query::filter_ids(context, search.filter));
  CAIRN_ASSIGN(HybridHits found, HybridCall(context, search, std::move(members)).run());
  std::vector<std::string> warnings;
  if (query::may_tell_names(options))
    warnings = query::unknown_names(search.filter, context.graph.catalog());
  for (std::string& warning : found.warnings)
    if (std::ranges::find(warnings, warning) == warnings.end())
      warnings.push_back(std::move(warning));
  found.warnings = std::move(warnings);
  return found;
}

// Only finished indexes that this snapshot can search are listed.
Result<std::vector<std::string>> full_text_indexes(const Snapshot& snapshot, std::string_view label,
                                                   std::string_view property) {
  if (auto* const way = Access::forwarding(snapshot)) {
    const Map arguments{{"label", label}, {"property", property}};
    CAIRN_ASSIGN(const Value found, way->call("full_text_indexes", arguments));
    return engine::texts_of(found);
  }
  const auto view = Access::view(snapshot);
  const auto wanted_label = view->catalog().find_label(label);
  const auto wanted_property = view->catalog().find_property(property);
  std::vector<std::string> names;
  if (!wanted_label || !wanted_property) return names;
  for (const auto& [id, index] : view->catalog().indexes()) {
    const bool is_ready =
        index.kind == codec::IndexKind::full_text && index.entity == codec::EntityKind::node &&
        index.state == codec::IndexState::online && Access::can_search_text(snapshot, id);
    if (is_ready && std::ranges::count(index.labels_or_types, *wanted_label) > 0 &&
        std::ranges::count(index.properties, *wanted_property) > 0)
      names.push_back(index.name);
  }
  return names;
}

}  // namespace cairn
