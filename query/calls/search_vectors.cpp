// search_vectors(): evaluates the filter once, then searches for all questions in batches.
//
// Each batch of 64 questions is one call of the index, which then reads what it scans only once for the whole batch.
// Answers are in the order of the questions.

#include "engine/catalog/catalog.hpp"
#include "engine/database/access.hpp"
#include "engine/database/handles.hpp"
#include "engine/graph/embedding_model.hpp"
#include "engine/system/clock.hpp"
#include "engine/system/limits.hpp"
#include "engine/view/view.hpp"
#include "query/calls/forwarded_search.hpp"
#include "query/execute/filter/filter_ids.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/pipeline/known_indexes.hpp"
#include "query/search/index_search.hpp"

#include <cairn/vector_search.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn {
namespace {

using query::ExecutionContext;

// Questions in a batch. Cancellation is checked between batches.
constexpr std::size_t most_at_once = 64;

Error invalid(std::string message) {
  return Error{ErrorCode::invalid_argument, std::move(message), {}};
}

Status check(const VectorSearchOptions& options) {
  for (const auto& bound : {options.within, options.min_score})
    if (bound && std::isnan(*bound))
      return invalid("`within` and `min_score` are numbers, not NaN");
  return {};
}

/// Returns the number of a vector index and the kind of its entities. Checks that its vectors are of `model`, unless
/// that is empty.
Result<std::pair<std::uint32_t, codec::EntityKind>> find_index(ExecutionContext& context,
                                                               std::string_view name,
                                                               std::string_view model) {
  const engine::Catalog& catalog = context.graph.catalog();
  CAIRN_ASSIGN(const auto known, query::find_known_index(context, name));
  if (!known)
    return Error{ErrorCode::not_found,
                 "there is no index \"" + std::string(name) + "\"; SHOW INDEXES lists them",
                 {}};
  CAIRN_ASSIGN(const std::uint32_t id, engine::find_vector_index(catalog, name));
  const codec::IndexEntry& entry = catalog.indexes().at(id);
  if (!model.empty()) CAIRN_TRY(query::check_known_model(context, entry, model));
  return std::pair(id, entry.entity);
}

bool passes_all(const Filter& filter) {
  return filter.op == FilterOperator::all && filter.filters.empty();
}

// The ids that may be hits; nullopt if every record may.
Result<std::optional<codec::Bitmap>> allowed_ids(ExecutionContext& context, codec::EntityKind kind,
                                                 const VectorSearchOptions& options) {
  std::optional<codec::Bitmap> allowed;
  if (!passes_all(options.filter)) {
    CAIRN_TRY(validate(options.filter));
    CAIRN_ASSIGN(allowed, query::filter_ids(context, options.filter, kind));
  } else {
    CAIRN_ASSIGN(const codec::Bitmap* restriction, context.graph.restriction(kind));
    if (restriction != nullptr) allowed = *restriction;
  }
  if (!options.allowed_ids) return allowed;
  codec::Bitmap given = codec::Bitmap::from_unsorted(*options.allowed_ids);
  return std::optional(allowed ? codec::intersect(*allowed, given) : std::move(given));
}

/// A question and its ef_search, or 0.
struct Asked {
  std::span<const float> vector;
  std::size_t ef_search = 0;
};

/// A retriever for the question. A search by `within` is exact unless the caller asks for an accuracy or sets ef_search.
query::Retriever retriever_for(const Asked& asked, std::uint32_t index,
                               const VectorSearchOptions& options) {
  query::Retriever retriever;
  query::IndexQuestion& question = retriever.question;
  question.index = index;
  question.vector.assign(asked.vector.begin(), asked.vector.end());
  question.ef_search = asked.ef_search > 0 ? asked.ef_search : options.ef_search;
  question.within = options.within;
  question.min_score = options.min_score;
  const bool says_how = options.accuracy || question.ef_search > 0;
  question.accuracy = options.accuracy;
  if (options.within && !says_how) question.accuracy = VectorAccuracy::exact;
  return retriever;
}

VectorHits hits_of(query::RetrieverHits found) {
  VectorHits hits{{}, found.vector_executor};
  hits.hits.reserve(found.items.size());
  for (const query::RankedId& one : found.items) hits.hits.push_back(Hit{one.id, one.score});
  return hits;
}

/// Searches for the questions of one batch.
Status search_batch(ExecutionContext& context, std::uint32_t index,
                    std::span<const Asked> questions, const VectorSearchOptions& options,
                    const codec::Bitmap* allowed, std::vector<VectorHits>& answers) {
  CAIRN_TRY(context.budget.step(64 * questions.size()));
  std::vector<query::Retriever> retrievers;
  retrievers.reserve(questions.size());
  std::vector<query::BatchedQuestion> batch;
  batch.reserve(questions.size());
  for (const Asked& asked : questions) {
    retrievers.push_back(retriever_for(asked, index, options));
    batch.push_back({&retrievers.back(), options.k});
  }
  CAIRN_ASSIGN(auto found, query::search_vectors_batch(context, batch, allowed));
  for (query::RetrieverHits& one : found) answers.push_back(hits_of(std::move(one)));
  return {};
}

/// Searches for all questions. An id in `allowed_ids` that does not pass the filter or is not visible is not a hit.
Result<std::vector<VectorHits>> search_all(ExecutionContext& context, std::string_view index,
                                           std::span<const Asked> questions,
                                           const VectorSearchOptions& options) {
  CAIRN_TRY(check(options));
  CAIRN_ASSIGN(const auto found_index, find_index(context, index, options.model));
  CAIRN_ASSIGN(const auto allowed, allowed_ids(context, found_index.second, options));
  std::vector<VectorHits> answers;
  answers.reserve(questions.size());
  engine::Charge held(&context.budget);
  for (std::size_t first = 0; first < questions.size(); first += most_at_once) {
    const std::size_t count = std::min(most_at_once, questions.size() - first);
    CAIRN_TRY(search_batch(context, found_index.first, questions.subspan(first, count), options,
                           allowed ? &*allowed : nullptr, answers));
    for (std::size_t i = first; i < answers.size(); ++i)
      CAIRN_TRY(held.add(sizeof(VectorHits) + answers[i].hits.size() * sizeof(Hit)));
  }
  return answers;
}

/// Searches in one view. Filters may be relative to the current time, so a time is fixed even though no statement runs.
Result<std::vector<VectorHits>> search_view(const engine::View& view, std::string_view index,
                                            std::span<const Asked> questions,
                                            const VectorSearchOptions& options,
                                            const StatementOptions& statement_options) {
  const std::int64_t now = statement_options.now ? *statement_options.now : engine::system_time();
  const Parameters parameters;
  ExecutionContext context(view, nullptr, parameters, statement_options, now);
  return search_all(context, index, questions, options);
}

Result<VectorHits> search_one(const engine::View& view, std::string_view index,
                              std::span<const float> question, const VectorSearchOptions& options,
                              const StatementOptions& statement_options) {
  const Asked asked{question, 0};
  CAIRN_ASSIGN(auto found,
               search_view(view, index, std::span(&asked, 1), options, statement_options));
  return std::move(found.front());
}

std::vector<Asked> to_asked(std::span<const VectorQuestion> questions) {
  std::vector<Asked> asked;
  for (const VectorQuestion& question : questions)
    asked.push_back({question.vector, question.ef_search});
  return asked;
}

/// Sends the search to the host.
Result<std::vector<VectorHits>> search_there(engine::Forwarding& way, std::string_view index,
                                             std::vector<VectorQuestion> questions,
                                             const VectorSearchOptions& options,
                                             const StatementOptions& statement_options) {
  CAIRN_ASSIGN(
      const Value found,
      way.call("search_vectors", query::search_map(index, questions, options), statement_options));
  return query::read_vector_hits(found);
}

Result<VectorHits> search_one_there(engine::Forwarding& way, std::string_view index,
                                    std::span<const float> question,
                                    const VectorSearchOptions& options,
                                    const StatementOptions& statement_options) {
  CAIRN_ASSIGN(auto found, search_there(way, index, {{{question.begin(), question.end()}, 0}},
                                        options, statement_options));
  if (found.size() == 1) return std::move(found.front());
  return Error{ErrorCode::io_error,
               "the host returned no answer; use the same version of Cairn in all programs",
               {}};
}

Status check_open(const Transaction& transaction) {
  if (transaction.is_open()) return {};
  return Error{ErrorCode::conflict, "the transaction has ended; begin a new one", std::nullopt};
}

}  // namespace

Result<VectorHits> search_vectors(const Snapshot& snapshot, std::string_view index,
                                  std::span<const float> question,
                                  const VectorSearchOptions& options,
                                  const StatementOptions& statement_options) {
  if (auto* const way = Access::forwarding(snapshot))
    return search_one_there(*way, index, question, options, statement_options);
  return search_one(*Access::view(snapshot), index, question, options, statement_options);
}

Result<std::vector<VectorHits>> search_vectors(const Snapshot& snapshot, std::string_view index,
                                               std::span<const VectorQuestion> questions,
                                               const VectorSearchOptions& options,
                                               const StatementOptions& statement_options) {
  if (auto* const way = Access::forwarding(snapshot))
    return search_there(*way, index, {questions.begin(), questions.end()}, options,
                        statement_options);
  return search_view(*Access::view(snapshot), index, to_asked(questions), options,
                     statement_options);
}

Result<VectorHits> search_vectors(const Transaction& transaction, std::string_view index,
                                  std::span<const float> question,
                                  const VectorSearchOptions& options,
                                  const StatementOptions& statement_options) {
  CAIRN_TRY(check_open(transaction));
  if (auto* const way = Access::forwarding(transaction))
    return search_one_there(*way, index, question, options, statement_options);
  return search_one(Access::view(transaction), index, question, options, statement_options);
}

Result<std::vector<VectorHits>> search_vectors(const Transaction& transaction,
                                               std::string_view index,
                                               std::span<const VectorQuestion> questions,
                                               const VectorSearchOptions& options,
                                               const StatementOptions& statement_options) {
  CAIRN_TRY(check_open(transaction));
  if (auto* const way = Access::forwarding(transaction))
    return search_there(*way, index, {questions.begin(), questions.end()}, options,
                        statement_options);
  return search_view(Access::view(transaction), index, to_asked(questions), options,
                     statement_options);
}

}  // namespace cairn
