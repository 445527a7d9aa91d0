// Recall: a strategy as the retrievers of a hybrid search over the records of the scope, and what to do when nothing is
// found.
//
// Stages follow each other until one finds something: as asked, then without the least score, then by words alone, the
// latter two if the request allows them. All of them see one snapshot.

#include "query/memory/keywords.hpp"
#include "query/memory/memory_impl.hpp"

#include <cairn/embedding_space.hpp>
#include <cairn/hybrid_search.hpp>
#include <cairn/value_as.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

namespace cairn::query {
namespace {

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

/// What the stages of one recall share.
struct RecallInput {
  const memory::Memory::Impl& impl;
  const Snapshot& snapshot;
  const memory::Selection& selection;
  const RecallRequest& request;
  const Filter& filter;                   ///< the records of the selection
  std::vector<float> vector;              ///< of the question; empty: it is found by words alone
  bool has_vectors;                       ///< there is an index of vectors
  std::optional<std::string> text_index;  ///< of contents
  std::vector<std::string>& warnings;     ///< each once
};

/// Empty where the strategy asks for none, and where the embedder gives a vector of zeros: such a question
/// is found by words alone.
Result<std::vector<float>> vector_of(const memory::Memory::Impl& impl,
                                     const RecallRequest& request) {
  if (!request.vector.empty()) return request.vector;
  if (request.query.empty()) {
    return Error{ErrorCode::invalid_argument,
                 "Embedding provider required for vector retrieval: the request has neither text "
                 "nor a vector",
                 {}};
  }
  if (!needs_vector(impl, request)) return std::vector<float>();
  CAIRN_ASSIGN(const auto vectors, impl.embed({request.query}));
  const auto* vector = vectors.at(0).get_if<Vector>();
  if (vector == nullptr) return std::vector<float>();
  const auto components = vector->components();
  return std::vector<float>(components.begin(), components.end());
}

/// Whether there is an index of vectors; those of the embedder must fit it.
Result<bool> has_vectors(const memory::Memory::Impl& impl, const Snapshot& snapshot,
                         bool is_embedded) {
  if (is_embedded) return impl.check_index(snapshot);
  return index_model(snapshot, memory::embedding_index).has_value();
}

void warn(const RecallInput& input, const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings)
    if (std::ranges::count(input.warnings, warning) == 0) input.warnings.push_back(warning);
}

/// Nothing is nearest without an index or a vector: nothing was added yet, or the text had none.
HybridRetriever vector_retriever(const RecallInput& input, double min_score) {
  if (!input.has_vectors || input.vector.empty()) return GivenRetriever{RetrieverKind::vector, {}};
  return VectorRetriever{std::string(memory::embedding_index), input.vector, min_score};
}

/// Reads every content of the selection: the way where there is no full-text index.
Result<HybridRetriever> keyword_retriever(const RecallInput& input) {
  CAIRN_ASSIGN(KeywordHits found,
               find_keywords(input.impl, input.snapshot, input.selection, input.request));
  warn(input, found.warnings);
  return HybridRetriever(GivenRetriever{RetrieverKind::keyword, std::move(found.hits)});
}

// By the index of contents, where there is one; else by reading them.
Result<HybridRetriever> word_retriever(const RecallInput& input) {
  if (!input.text_index) return keyword_retriever(input);
  return HybridRetriever(TextRetriever{*input.text_index, input.request.query});
}

/// One retriever where the features know the vectors as well. A least score is the vector retriever's, and a question without
/// text or an index of contents leaves nothing to lift: then there are two.
Result<std::vector<HybridRetriever>> feature_retrievers(const RecallInput& input, bool by_vector,
                                                        double min_score) {
  const bool has_vector = by_vector && !input.vector.empty();
  const bool is_one = input.text_index && !input.request.query.empty() && min_score <= -1;
  std::vector<HybridRetriever> retrievers;
  if (!is_one && has_vector) retrievers.push_back(vector_retriever(input, min_score));
  if (!input.text_index) {
    CAIRN_ASSIGN(HybridRetriever words, keyword_retriever(input));
    retrievers.push_back(std::move(words));
    return retrievers;
  }
  RankedRetriever ranked{input.request.query, {}};
  ranked.options.index = *input.text_index;
  if (is_one && has_vector && input.has_vectors) {
    ranked.options.vector_index = memory::embedding_index;
    ranked.options.vector = input.vector;
  }
  retrievers.emplace_back(std::move(ranked));
  return retrievers;
}

/// The vectors' list stands first: the graph retriever starts from it, and explanations follow the order.
Result<std::vector<HybridRetriever>> retrievers_of(const RecallInput& input, double min_score) {
  const StrategyRule& rule = rule_of(input.request);
  if (rule.means == Means::words || rule.means == Means::words_first)
    return feature_retrievers(input, rule.means == Means::words_first, min_score);
  std::vector<HybridRetriever> retrievers = {vector_retriever(input, min_score)};
  if (rule.means == Means::vectors_and_words) {
    CAIRN_ASSIGN(HybridRetriever words, word_retriever(input));
    retrievers.push_back(std::move(words));
  }
  if (rule.hops > 0)
    retrievers.emplace_back(GraphRetriever{static_cast<std::size_t>(rule.hops),
                                           input.request.relationship_types,
                                           rule.summaries_only ? memory::label_of("summary") : ""});
  return retrievers;
}

Result<std::vector<Hit>> search(const RecallInput& input, std::vector<HybridRetriever> retrievers) {
  const StrategyRule& rule = rule_of(input.request);
  HybridSearch search;
  search.retrievers = std::move(retrievers);
  search.filter = input.filter;
  search.ranking = input.request.ranking;
  search.limit = input.request.limit;
  if (rule.summaries_only) search.label = memory::label_of("summary");
  if (input.request.include_relationships || rule.relationships)
    search.relationships = HitRelationships{input.request.relationship_types};
  CAIRN_ASSIGN(HybridHits found,
               hybrid_search(input.snapshot, search, input.impl.statement_options()));
  warn(input, found.warnings);
  return std::move(found.hits);
}

// As a last resort parts of words count as well, which an index of words does not know.
Result<std::vector<Hit>> search_any_word(const RecallInput& input) {
  CAIRN_ASSIGN(HybridRetriever words, word_retriever(input));
  CAIRN_ASSIGN(auto hits, search(input, {std::move(words)}));
  if (!hits.empty() || !input.text_index) return hits;
  CAIRN_ASSIGN(words, keyword_retriever(input));
  return search(input, {std::move(words)});
}

/// Stages ask less and less: first with the least score that was asked for, then with 0 for it, last
/// by any word of the question.
Result<std::vector<Hit>> answer(const RecallInput& input, RecallStage stage) {
  if (stage == RecallStage::keywords) return search_any_word(input);
  const double least = stage == RecallStage::asked ? input.request.min_score
                                                   : std::min(input.request.min_score, 0.0);
  CAIRN_ASSIGN(auto retrievers, retrievers_of(input, least));
  return search(input, std::move(retrievers));
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

}  // namespace
}  // namespace cairn::query

namespace cairn::memory {

// On one page, after the ranking has chosen it. Records without the field come last.
void sort_hits(std::vector<Hit>& hits, const SearchRequest& scope) {
  if (scope.sort_by.empty()) return;
  std::vector<std::pair<Value, Hit>> keyed;
  for (Hit& hit : hits) keyed.emplace_back(record_of(hit).field(scope.sort_by), std::move(hit));
  std::ranges::stable_sort(keyed, [&](const auto& a, const auto& b) {
    if (a.first.is_null() != b.first.is_null()) return b.first.is_null();
    const int order = sort_order(a.first, b.first);
    return scope.descending ? order > 0 : order < 0;
  });
  for (std::size_t i = 0; i < hits.size(); ++i) hits[i] = std::move(keyed[i].second);
}

// `conditions` are those of typed calls, beside the request's own.
Result<RecallResult> recall_records(const Memory::Impl& impl, const RecallRequest& request,
                                    query::Conditions conditions) {
  if (std::isnan(request.min_score))
    return Error{ErrorCode::invalid_argument,
                 "min_score is not a number: give the least cosine, from -1 to 1",
                 {}};
  CAIRN_ASSIGN(auto vector, query::vector_of(impl, request));
  CAIRN_ASSIGN(const Selection selection,
               select_records(impl, request.scope, std::move(conditions)));
  CAIRN_ASSIGN(const Snapshot snapshot, impl.snapshot(request.scope.include_deleted));
  const bool is_embedded = request.vector.empty() && !vector.empty();
  CAIRN_ASSIGN(const bool has_vectors, query::has_vectors(impl, snapshot, is_embedded));
  CAIRN_ASSIGN(auto text_index, impl.content_index(snapshot));
  RecallResult result;
  CAIRN_ASSIGN(const Filter filter,
               filter_of(impl, snapshot, request.scope, selection, result.warnings));
  const query::RecallInput input{
      impl,           snapshot,          selection,   request,
      filter,         std::move(vector), has_vectors, std::move(text_index),
      result.warnings};
  for (const RecallStage stage : query::stages_of(request)) {
    result.stage = stage;
    CAIRN_ASSIGN(result.hits, query::answer(input, stage));
    if (!result.hits.empty()) break;
  }
  if (is_embedded && !result.hits.empty())
    CAIRN_TRY(impl.warn_of_unknown_model(snapshot, result.warnings));
  for (const Hit& hit : result.hits) impl.note_access(NodeId{hit.id});
  sort_hits(result.hits, request.scope);
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
