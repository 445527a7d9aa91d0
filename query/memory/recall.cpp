// The one pipeline of retrieval: retrievers, fusion, terms, boosts, cut, relationships; and what to do when
// nothing is found.
//    retrievers -> fusion -> terms -> boosts -> cut -> relationships
// Stages follow each other until one finds something: as asked, then without the least score, then
// by words alone, the latter two if the request allows them. All of them see one snapshot and search the same set of
// records, which is found once.

#include "codec/bitmap.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/fulltext/text_hits.hpp"
#include "engine/view/view.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/functions/value_semantics.hpp"
#include "query/memory/retrievers.hpp"
#include "query/ranking/score.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

namespace cairn::query {
namespace {

using memory::RecallHit;
using memory::RecallRequest;
using memory::RecallResult;
using memory::RecallStage;
using memory::Strategy;

/// What a strategy finds by.
enum class Means : std::uint8_t { words_first, vectors, vectors_and_words, words };

/// Its retrievers, and what it gives back with the hits.
struct StrategyRule {
  Means means;
  int hops = 0;  ///< of the graph retriever, from the vectors' hits
  bool relationships = false;
  bool summaries_only = false;
};
// In the order of Strategy.
constexpr std::array<StrategyRule, 7> strategy_rules = {{
    {.means = Means::words_first},
    {.means = Means::vectors},
    {.means = Means::vectors, .hops = 1},
    {.means = Means::vectors, .hops = 2, .relationships = true},
    {.means = Means::vectors, .hops = 2, .summaries_only = true},
    {.means = Means::vectors_and_words, .hops = 1},
    {.means = Means::words},
}};

const StrategyRule& rule_of(const RecallRequest& request) {
  return strategy_rules[static_cast<std::size_t>(request.strategy)];
}

bool needs_vector(const memory::Memory::Impl& impl, const RecallRequest& request) {
  const Means means = rule_of(request).means;
  return means == Means::words_first ? impl.has_model : means != Means::words;
}

/// Null where the strategy asks for none, and where the embedder gives a vector of zeros: such a question
/// is found by words alone.
Result<Value> vector_of(const memory::Memory::Impl& impl, const RecallRequest& request) {
  if (!request.vector.empty()) return Value(Vector(request.vector));
  if (request.query.empty()) {
    return Error{ErrorCode::invalid_argument,
                 "Embedding provider required for vector retrieval: the request has neither text "
                 "nor a vector",
                 {}};
  }
  if (!needs_vector(impl, request)) return Value();
  CAIRN_ASSIGN(auto vectors, impl.embed({request.query}));
  return std::move(vectors.at(0));
}

// By the index of contents, where there is one; else by reading them.
Result<RankedList> word_retriever(const RetrieverInput& input) {
  const auto index = content_index(input.view.catalog());
  return index ? text_retriever(input, *index) : keyword_retriever(input);
}

// As a last resort: parts of words count as well, which an index of words does not know.
Result<RankedList> any_word_retriever(const RetrieverInput& input) {
  CAIRN_ASSIGN(RankedList words, word_retriever(input));
  if (!words.items.empty() || words.retriever == memory::RetrieverKind::keyword) return words;
  return keyword_retriever(input);
}

/// One retriever where the features know the vectors as well. A least score is the vector retriever's, and a question without
/// text or an index of contents leaves nothing to lift: then there are two.
Result<std::vector<RankedList>> feature_retrievers(const RetrieverInput& input, const Value& vector,
                                                   double min_score) {
  const auto index = content_index(input.view.catalog());
  const bool is_one = index && !input.request.query.empty() && min_score <= -1;
  std::vector<RankedList> lists;
  if (!is_one && !vector.is_null()) {
    CAIRN_ASSIGN(RankedList nearest, vector_retriever(input, vector, min_score));
    lists.push_back(std::move(nearest));
  }
  CAIRN_ASSIGN(RankedList words, index ? feature_retriever(input, *index, is_one ? vector : Value())
                                       : keyword_retriever(input));
  lists.push_back(std::move(words));
  return lists;
}

/// The vectors' list stands first: the graph retriever starts from it, and explanations follow the order.
Result<std::vector<RankedList>> run_retrievers(const RetrieverInput& input, const Value& vector,
                                               double min_score) {
  const StrategyRule& rule = rule_of(input.request);
  if (rule.means == Means::words) return feature_retrievers(input, Value(), min_score);
  if (rule.means == Means::words_first) return feature_retrievers(input, vector, min_score);
  std::vector<RankedList> lists;
  CAIRN_ASSIGN(RankedList nearest, vector_retriever(input, vector, min_score));
  if (rule.means == Means::vectors_and_words) {
    CAIRN_ASSIGN(RankedList words, word_retriever(input));
    lists.push_back(std::move(words));
  }
  if (rule.hops > 0) {
    CAIRN_ASSIGN(RankedList around,
                 graph_retriever(input, nearest, rule.hops, rule.summaries_only ? "summary" : ""));
    lists.push_back(std::move(around));
  }
  lists.insert(lists.begin(), std::move(nearest));
  return lists;
}

/// The terms and boosts are over the fields of the record.
Result<RecallHit> make_hit(const RetrieverInput& input, const FusedId& fused,
                           const std::optional<Node>& node) {
  if (!node)
    return Error{ErrorCode::corruption, "node " + std::to_string(fused.id) + " is missing", {}};
  RecallHit hit{record_of(*node), 0, {}, {}};
  hit.why = explain_score(fused, node->properties(), input.request.ranking, input.impl.now());
  hit.score = hit.why.score;
  return hit;
}

// Better hits first, equal ones by id.
bool is_better(const RecallHit& a, const RecallHit& b) {
  return a.why.raw != b.why.raw ? a.why.raw > b.why.raw : a.record.id < b.record.id;
}

/// In one batched read.
Result<std::vector<std::optional<Node>>> nodes_of(const RetrieverInput& input,
                                                  std::span<const FusedId> fused) {
  std::vector<std::uint64_t> ids;
  for (const FusedId& one : fused) ids.push_back(one.id);
  return input.view.load_nodes(ids);
}

/// Cut behind the boosts, so that a hit may rise from below; hence the oversampling.
Result<std::vector<RecallHit>> rank(const RetrieverInput& input, std::vector<RankedList> lists) {
  CAIRN_ASSIGN(const auto fused, fuse(std::move(lists), input.request.ranking.fusion));
  CAIRN_ASSIGN(const auto nodes, nodes_of(input, fused));
  std::vector<RecallHit> hits;
  for (std::size_t i = 0; i < fused.size(); ++i) {
    CAIRN_ASSIGN(RecallHit hit, make_hit(input, fused[i], nodes[i]));
    if (rule_of(input.request).summaries_only && hit.record.kind != "summary") continue;
    hits.push_back(std::move(hit));
  }
  std::ranges::sort(hits, is_better);
  if (hits.size() > input.request.limit) hits.resize(input.request.limit);
  return hits;
}

// Negative, zero, positive, for values that are there; those of types that do not compare by type.
int order_of(const Value& a, const Value& b) {
  const auto order = compare(a, b);
  if (order || a.type() == b.type()) return order.value_or(0);
  return a.type() < b.type() ? -1 : 1;
}

/// Stages ask less and less: first with the least score that was asked for, then with 0 for it, last
/// by any word of the question.
Result<std::vector<RecallHit>> answer(const RetrieverInput& input, const Value& vector,
                                      RecallStage stage) {
  if (stage == RecallStage::keywords) {
    CAIRN_ASSIGN(RankedList words, any_word_retriever(input));
    return rank(input, {std::move(words)});
  }
  const double least = stage == RecallStage::asked ? input.request.min_score
                                                   : std::min(input.request.min_score, 0.0);
  CAIRN_ASSIGN(auto lists, run_retrievers(input, vector, least));
  return rank(input, std::move(lists));
}

/// Later stages run only where those before found nothing.
std::vector<RecallStage> stages_of(const RecallRequest& request) {
  std::vector<RecallStage> stages = {RecallStage::asked};
  // With 0 or less in the first place the same search would find the same nothing.
  if (request.fallback.without_minimum && request.min_score > 0)
    stages.push_back(RecallStage::without_minimum);
  if (request.fallback.keywords) stages.push_back(RecallStage::keywords);
  return stages;
}

/// Of the hits that are given back only, one expansion each.
Status add_relationships(const RetrieverInput& input, std::vector<RecallHit>& hits) {
  if (!input.request.include_relationships && !rule_of(input.request).relationships) return {};
  for (RecallHit& hit : hits) {
    CAIRN_ASSIGN(hit.relationships, relationships_of(input, hit.record.id));
  }
  return {};
}

// How many hits a retriever brings: more than there are records is never needed, and the product of what
// the caller asks for must not wrap around.
Result<std::size_t> pool_of(const engine::View& view, const RecallRequest& request) {
  const auto label = view.catalog().find_label(memory::memory_label);
  if (!label) return std::size_t{1};
  CAIRN_ASSIGN(const codec::Bitmap records, view.labelled(*label));
  const std::uint64_t most = std::max<std::uint64_t>(records.cardinality(), 1);
  const std::size_t oversample = std::max<std::size_t>(request.ranking.oversample, 1);
  if (request.limit > most / oversample) return static_cast<std::size_t>(most);
  return std::max<std::size_t>(request.limit * oversample, 1);
}

}  // namespace
}  // namespace cairn::query

namespace cairn::memory {

// On one page, after the ranking has chosen it. Records without the field come last.
void sort_hits(std::vector<RecallHit>& hits, const SearchRequest& scope) {
  if (scope.sort_by.empty()) return;
  std::ranges::sort(hits, [&](const RecallHit& a, const RecallHit& b) {
    const Value& first = a.record.field(scope.sort_by);
    const Value& second = b.record.field(scope.sort_by);
    if (first.is_null() != second.is_null()) return second.is_null();
    const int order = first.is_null() ? 0 : query::order_of(first, second);
    if (order == 0) return query::is_better(a, b);
    return scope.descending ? order > 0 : order < 0;
  });
}

// `conditions` are those of typed calls, beside the request's own.
Result<RecallResult> recall_records(const Memory::Impl& impl, const RecallRequest& request,
                                    query::Conditions conditions) {
  CAIRN_TRY(query::check_ranking(request.ranking));
  if (std::isnan(request.min_score))
    return Error{ErrorCode::invalid_argument,
                 "min_score is not a number: give the least cosine, from -1 to 1",
                 {}};
  CAIRN_ASSIGN(const Value vector, query::vector_of(impl, request));
  CAIRN_ASSIGN(const Selection selection, select_records(request.scope, std::move(conditions)));
  CAIRN_ASSIGN(const auto view, impl.view(request.scope.include_deleted));
  const bool is_embedded = request.vector.empty() && !vector.is_null();
  if (is_embedded) CAIRN_TRY(impl.check_index(*view));
  CAIRN_ASSIGN(const std::size_t pool, query::pool_of(*view, request));
  RecallResult result;
  const StatementOptions options = impl.statement_options();
  query::ExecutionContext context(*view, nullptr, selection.parameters, options, impl.now());
  CAIRN_ASSIGN(const codec::Bitmap selected,
               selected_records(context, request.scope, selection, result.warnings));
  const query::RetrieverInput input{impl,    *view,    selection, request,
                                    context, selected, pool,      result.warnings};
  for (const RecallStage stage : query::stages_of(request)) {
    result.stage = stage;
    CAIRN_ASSIGN(result.hits, query::answer(input, vector, stage));
    if (!result.hits.empty()) break;
  }
  if (is_embedded && !result.hits.empty()) impl.warn_of_unknown_model(*view, result.warnings);
  for (const RecallHit& hit : result.hits) impl.note_access(hit.record.id);
  sort_hits(result.hits, request.scope);
  CAIRN_TRY(query::add_relationships(input, result.hits));
  for (const std::string& warning : context.warnings)
    if (std::ranges::count(result.warnings, warning) == 0) result.warnings.push_back(warning);
  return result;
}

RecallRequest similarity_request(std::string query) {
  RecallRequest request;
  request.query = std::move(query);
  request.min_score = 0.7;
  request.strategy = Strategy::vector;
  request.fallback = {.without_minimum = false, .keywords = false};
  return request;
}

Result<RecallResult> Memory::recall(const RecallRequest& request) const {
  return recall_records(*impl_, request);
}

}  // namespace cairn::memory
