// Recall: a strategy as the retrievers of a hybrid search over the records of the scope, and what to do when nothing is
// found.
//
// Stages follow each other until one finds something: as asked, then without the least score, then by words alone, the
// latter two if the request allows them. All of them see one snapshot.

#include "query/memory/memory_impl.hpp"

#include <cairn/embedding_space.hpp>
#include <cairn/hybrid_search.hpp>
#include <cairn/value_as.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

// Records by the words of a question, without an index.
//
// It is a statement, as no index is asked: the words are compared as the language compares texts.

struct KeywordHits {
  std::vector<GivenRetriever::Found> hits;  ///< best first, ties by id
  std::vector<std::string> warnings;
};

std::vector<std::string> split_at_blanks(const std::string& text) {
  constexpr const char* blanks = " \t\r\n";
  std::vector<std::string> words;
  for (auto begin = text.find_first_not_of(blanks); begin != std::string::npos;) {
    const auto end = text.find_first_of(blanks, begin);
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(blanks, end);
  }
  return words;
}

std::ptrdiff_t count_characters(const std::string& word) {
  return std::ranges::count_if(
      word, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; });
}

// Words of three characters or more, each once.
// By the language's toLower(), as the contents are.
Result<List> keywords_of(const memory::Memory::Impl& impl, const Snapshot& snapshot,
                         const std::string& query) {
  CAIRN_ASSIGN(const Table table,
               impl.run(snapshot, "RETURN toLower($_query) AS text", {{"_query", query}}));
  CAIRN_ASSIGN(const auto lower, value_as<std::string>(table.rows.at(0).at(0)));
  std::vector<std::string> words = split_at_blanks(lower);
  std::erase_if(words, [](const std::string& word) { return count_characters(word) < 3; });
  std::ranges::sort(words);
  words.erase(std::ranges::unique(words).begin(), words.end());
  return List(words.begin(), words.end());
}

/// As many as a retriever brings.
std::int64_t most_hits(const memory::RecallRequest& request) {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
  const std::size_t oversample = std::max<std::size_t>(request.ranking.oversample, 1);
  if (request.limit > most / oversample) return std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::max<std::size_t>(request.limit * oversample, 1));
}

/// Records with any of the words, those with most of them first: score = share of the words that are
/// in the content. Words are what lies between blanks, in lower case, of three characters or more. Cost:
/// reads the content of every record of the selection.
Result<KeywordHits> find_keywords(const memory::Memory::Impl& impl, const Snapshot& snapshot,
                                  const memory::Selection& selection,
                                  const memory::RecallRequest& request) {
  KeywordHits found;
  CAIRN_ASSIGN(const List words, keywords_of(impl, snapshot, request.query));
  if (words.empty()) return found;
  Parameters parameters = selection.parameters;
  parameters.insert_or_assign("_words", words);
  parameters.insert_or_assign("_most", most_hits(request));
  const std::string text = selection.match() +
                           " WITH m, size([w IN $_words WHERE toLower(toStringOrNull(m.content)) "
                           "CONTAINS w]) AS found WHERE found > 0 "
                           "RETURN id(m) AS id, found ORDER BY found DESC, id LIMIT $_most";
  CAIRN_ASSIGN(Table table, impl.run(snapshot, text, parameters));
  for (const auto& row : table.rows)
    found.hits.push_back(
        {NodeId{static_cast<std::uint64_t>(row.at(0).as_integer())},
         static_cast<double>(row.at(1).as_integer()) / static_cast<double>(words.size())});
  found.warnings = std::move(table.warnings);
  return found;
}

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

/// Reads every content of the selection: the way without a full-text index.
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

// Sorts one page, which the ranking has chosen. Records without the field come last.
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

Result<RecallResult> recall_once(const Memory::Impl& impl, const RecallRequest& request,
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

}  // namespace

// `conditions` are those of typed calls, beside the request's own.
Result<RecallResult> recall_records(const Memory::Impl& impl, const RecallRequest& request,
                                    query::Conditions conditions) {
  return again([&] { return recall_once(impl, request, conditions); });
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
