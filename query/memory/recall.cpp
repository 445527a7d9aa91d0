// Recall: turns a strategy into the retrievers of a hybrid search over the selected records.
//
// If nothing is found, a recall may continue in stages: first as requested, then without the minimum score, then by words
// alone. The last two stages run only if the request allows them. All stages use one snapshot.

#include "query/memory/memory_impl.hpp"

#include <cairn/embedding_space.hpp>
#include <cairn/hybrid_search.hpp>
#include <cairn/memory/pending.hpp>
#include <cairn/recall.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

using memory::RecallRequest;
using memory::RecallResult;
using memory::RecallStage;
using memory::Strategy;

/// What a strategy searches with.
enum class Means : std::uint8_t { words_first, vectors, vectors_and_words, words };

/// The retrievers of a strategy, and what it returns with the hits.
struct StrategyRule {
  Means means;
  int hops = 0;  ///< of the graph retriever, from the hits of the vector retriever; 0: none
  bool relationships = false;   ///< return the relationships between the hits
  bool summaries_only = false;  ///< return summaries only
};
// Indexed by Strategy.
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

/// True if the strategy needs the vector of the question. A search by words first needs it only with an embedder of the
/// application, as the built-in one compares spelling.
bool needs_vector(const memory::Memory::Impl& impl, const RecallRequest& request) {
  const Means means = rule_of(request).means;
  return means == Means::words_first ? impl.has_model : means != Means::words;
}

/// What all stages of one recall use.
struct RecallInput {
  const memory::Memory::Impl& impl;
  const Snapshot& snapshot;
  const RecallRequest& request;
  const Filter& filter;                   ///< selects the records of the selection
  std::vector<float> vector;              ///< of the question; empty: search by words alone
  bool has_vectors;                       ///< true if the vector index exists
  std::optional<std::string> text_index;  ///< the full-text index of the contents, if there is one
  std::vector<std::string>& warnings;     ///< collected without duplicates
};

/// The vector of the question. Empty if the strategy needs none, or if the embedder returns zeros; then only words are
/// searched.
Result<std::vector<float>> vector_of(const memory::Memory::Impl& impl,
                                     const RecallRequest& request) {
  if (!request.vector.empty()) return request.vector;
  if (request.query.empty()) {
    return Error{ErrorCode::invalid_argument,
                 "Embedding provider required for vector retrieval: the request has neither text "
                 "nor a vector; set `query` or `vector`",
                 {}};
  }
  if (!needs_vector(impl, request)) return std::vector<float>();
  CAIRN_ASSIGN(const Value made, impl.embed_question(request.query));
  const auto* vector = made.get_if<Vector>();
  if (vector == nullptr) return std::vector<float>();
  const auto components = vector->components();
  return std::vector<float>(components.begin(), components.end());
}

/// As vector_of(). If the embedder fails, the automatic strategy searches only by words, with a warning. A strategy that
/// the caller has chosen is not replaced.
Result<std::vector<float>> vector_or_words(const memory::Memory::Impl& impl,
                                           const RecallRequest& request,
                                           std::vector<std::string>& warnings) {
  auto vector = vector_of(impl, request);
  if (vector || request.query.empty() || request.strategy != Strategy::automatic) return vector;
  warnings.push_back("found by words: " + vector.error().message);
  return std::vector<float>();
}

/// Says how many records of this memory a search by vectors cannot find. Other namespaces are not counted, as that would
/// reveal what is in them.
Status warn_of_pending(const memory::Memory::Impl& impl, const Snapshot& snapshot,
                       std::vector<std::string>& warnings) {
  const std::string text =
      "MATCH (m:Memory) WHERE m." + std::string(memory::pending_name) + " = true RETURN count(*)";
  CAIRN_ASSIGN(const Table table, impl.run(snapshot, text, {}));
  const std::int64_t pending = table.rows.at(0).at(0).as_integer();
  if (pending > 0)
    warnings.push_back("records whose vector is pending, found by words alone: " +
                       std::to_string(pending) + "; `cairn embed DB --pending` makes the vectors");
  return {};
}

/// True if the vector index exists. If the question was embedded here, its model must match that of the index.
Result<bool> has_vectors(const memory::Memory::Impl& impl, const Snapshot& snapshot,
                         bool is_embedded) {
  if (is_embedded) return impl.check_index(snapshot);
  return index_model(snapshot, memory::embedding_index).has_value();
}

/// Adds warnings that are not there yet.
void warn(const RecallInput& input, const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings)
    if (std::ranges::count(input.warnings, warning) == 0) input.warnings.push_back(warning);
}

/// Without an index or a vector, the retriever returns no hits.
HybridRetriever vector_retriever(const RecallInput& input, double min_score) {
  if (!input.has_vectors || input.vector.empty()) return GivenRetriever{RetrieverKind::vector, {}};
  return VectorRetriever{std::string(memory::embedding_index), input.vector, min_score};
}

/// The keyword retriever, which reads the content of every selected record. Used without a full-text index.
HybridRetriever keyword_retriever(const RecallInput& input) {
  return KeywordRetriever{"content", input.request.query};
}

// Uses the full-text index of the contents if there is one; otherwise reads the contents.
HybridRetriever word_retriever(const RecallInput& input) {
  if (!input.text_index) return keyword_retriever(input);
  return TextRetriever{*input.text_index, input.request.query};
}

/// The retrievers of a search by words: a ranked full-text search whose features include the vectors. A minimum score
/// needs a vector retriever of its own, as does a question without text or without a full-text index; then there are two
/// retrievers.
std::vector<HybridRetriever> feature_retrievers(const RecallInput& input, bool by_vector,
                                                double min_score) {
  const bool has_vector = by_vector && !input.vector.empty();
  const bool is_one = input.text_index && !input.request.query.empty() && min_score <= -1;
  std::vector<HybridRetriever> retrievers;
  if (!is_one && has_vector) retrievers.push_back(vector_retriever(input, min_score));
  if (!input.text_index) {
    retrievers.push_back(keyword_retriever(input));
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

/// The vector retriever is first: the graph retriever starts from its hits, and explanations follow this order.
std::vector<HybridRetriever> retrievers_of(const RecallInput& input, double min_score) {
  const StrategyRule& rule = rule_of(input.request);
  if (rule.means == Means::words || rule.means == Means::words_first)
    return feature_retrievers(input, rule.means == Means::words_first, min_score);
  std::vector<HybridRetriever> retrievers = {vector_retriever(input, min_score)};
  if (rule.means == Means::vectors_and_words) retrievers.push_back(word_retriever(input));
  if (rule.hops > 0)
    retrievers.emplace_back(GraphRetriever{static_cast<std::size_t>(rule.hops),
                                           input.request.relationship_types,
                                           rule.summaries_only ? memory::label_of("summary") : ""});
  return retrievers;
}

bool wants_passages(const RecallRequest& request) {
  return request.context > 0 || request.expand == PassageExtent::session || request.max_tokens > 0;
}

/// The options under which records have passages. The field `thread` has the place of each message, so records are not
/// grouped by it.
RecallOptions passages_of(const RecallInput& input) {
  RecallOptions options;
  options.index = *input.text_index;
  options.context = input.request.context;
  options.expand = input.request.expand;
  options.max_tokens = input.request.max_tokens;
  std::erase(options.features.group_properties, "thread");
  options.features.relationship_types = input.request.relationship_types;
  if (options.features.relationship_types.empty())
    options.features.relationship_types = {"NEXT", "PARENT"};
  return options;
}

/// Runs a hybrid search with the retrievers of a stage.
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
  if (wants_passages(input.request) && input.text_index) search.passages = passages_of(input);
  CAIRN_ASSIGN(HybridHits found,
               hybrid_search(input.snapshot, search, input.impl.statement_options()));
  warn(input, found.warnings);
  return std::move(found.hits);
}

// Last, parts of words count as well, which the full-text index does not know.
Result<std::vector<Hit>> search_any_word(const RecallInput& input) {
  CAIRN_ASSIGN(auto hits, search(input, {word_retriever(input)}));
  if (!hits.empty() || !input.text_index) return hits;
  return search(input, {keyword_retriever(input)});
}

/// Runs one stage. Each stage demands less: the requested minimum score, then a minimum of 0, then any word of the
/// question.
Result<std::vector<Hit>> answer(const RecallInput& input, RecallStage stage) {
  if (stage == RecallStage::keywords) return search_any_word(input);
  const double least = stage == RecallStage::asked ? input.request.min_score
                                                   : std::min(input.request.min_score, 0.0);
  return search(input, retrievers_of(input, least));
}

/// The stages that may run. A later stage runs only if the earlier ones found nothing.
std::vector<RecallStage> stages_of(const RecallRequest& request) {
  std::vector<RecallStage> stages = {RecallStage::asked};
  // With a minimum score of 0 or less, this stage would repeat the first one.
  if (request.fallback.without_minimum && request.min_score > 0)
    stages.push_back(RecallStage::without_minimum);
  if (request.fallback.keywords) stages.push_back(RecallStage::keywords);
  return stages;
}

}  // namespace

}  // namespace cairn::query

namespace cairn::memory {

// Sorts the hits of one page, which the ranking has selected. Hits without the field come last.
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

namespace {

/// One recall over one snapshot. Stages are tried in order until one has hits. Hits count as accesses of their records.
Result<RecallResult> recall_once(const Memory::Impl& impl, const RecallRequest& request,
                                 query::Conditions conditions) {
  if (std::isnan(request.min_score))
    return Error{
        ErrorCode::invalid_argument, "min_score is NaN; set the minimum cosine, from -1 to 1", {}};
  RecallResult result;
  CAIRN_ASSIGN(auto vector, query::vector_or_words(impl, request, result.warnings));
  CAIRN_ASSIGN(const Selection selection,
               select_records(impl, request.scope, std::move(conditions)));
  CAIRN_ASSIGN(const Snapshot snapshot, impl.snapshot(request.scope.include_deleted));
  const bool is_embedded = request.vector.empty() && !vector.empty();
  CAIRN_ASSIGN(const bool may_know, impl.may_know_indexes(snapshot));
  bool has_vectors = false;
  std::optional<std::string> text_index;
  if (may_know) {
    CAIRN_ASSIGN(has_vectors, query::has_vectors(impl, snapshot, is_embedded));
    CAIRN_ASSIGN(text_index, impl.content_index(snapshot));
  }
  if (is_embedded) CAIRN_TRY(query::warn_of_pending(impl, snapshot, result.warnings));
  CAIRN_ASSIGN(const Filter filter,
               filter_of(impl, snapshot, request.scope, selection, result.warnings));
  const query::RecallInput input{impl,
                                 snapshot,
                                 request,
                                 filter,
                                 std::move(vector),
                                 has_vectors,
                                 std::move(text_index),
                                 result.warnings};
  for (const RecallStage stage : query::stages_of(request)) {
    result.stage = stage;
    CAIRN_ASSIGN(result.hits, query::answer(input, stage));
    if (!result.hits.empty()) break;
  }
  if (query::wants_passages(request) && !input.text_index && !result.hits.empty())
    result.warnings.emplace_back(
        "hits have no passages, because there is no full-text index of the contents; the next "
        "write makes it");
  if (is_embedded && !result.hits.empty())
    CAIRN_TRY(impl.warn_of_unknown_model(snapshot, result.warnings));
  for (const Hit& hit : result.hits) impl.note_access(NodeId{hit.id});
  sort_hits(result.hits, request.scope);
  return result;
}

}  // namespace

// `conditions` come from the calls with named criteria, in addition to the request's own conditions.
Result<RecallResult> recall_records(const Memory::Impl& impl, const RecallRequest& request,
                                    query::Conditions conditions) {
  return again([&] { return recall_once(impl, request, conditions); });
}

// The settings of a pure similarity search: vectors only, with a minimum score.
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
