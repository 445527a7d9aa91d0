#pragma once
// Vector search by calls: one question or many at once, under a filter, the best or all that lie near.
//
//     VectorSearchOptions options;
//     options.filter = Filter::where("user", FilterOperator::equals, "ada");
//     options.min_score = 0.8;
//     CAIRN_ASSIGN(const VectorHits best, search_vectors(snapshot, "memories", vector, options));
//
//     options = {.k = VectorSearchOptions::all, .within = 0.25};   // every one of them, surely
//     CAIRN_ASSIGN(const auto near, search_vectors(snapshot, "memories", questions, options));
//
// `SEARCH ... IN (VECTOR INDEX ... WITHIN d MIN SCORE s LIMIT k)` is the same in the language.

#include <cairn/filter.hpp>
#include <cairn/hit.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/transaction.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// How many of the true nearest are found: .90, .95 and .99 of them, on average, or all.
/// Of ten hits, as measured on samples when a segment is made; `exact` compares every vector that
/// passes. Each step up takes longer; see tools/bench/RESULTS.md.
enum class VectorAccuracy : std::uint8_t { fast, standard, high, exact };

/// What is asked of a vector index besides the question.
///
/// Without cuts a search gives exactly min(k, those that pass the filter and have a vector). `within` and
/// `min_score` take hits away from these and never add any.
struct VectorSearchOptions {
  /// As `k`: no limit.
  static constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

  /// Hits at most, for each question. `all` with `within` or `min_score` alone is a search for everything near.
  std::size_t k = 10;
  /// Nothing: `standard`, and `exact` where `within` is given, so that none is missing.
  std::optional<VectorAccuracy> accuracy = std::nullopt;
  /// For those who know HNSW (Malkov, Yashunin 2018): more than `k`; larger finds more and takes
  /// longer.
  std::size_t ef_search =
      0;  ///< the recall of a graph walk that keeps so many; 0: as `recall` says
  /// Hits that lie farther away are left out; what lies just at it is a hit. 1 - cosine, minus the dot
  /// product or the Euclidean distance, by the metric of the index, in double precision.
  std::optional<double> within = std::nullopt;
  std::optional<double> min_score = std::nullopt;  ///< hits with a lower score are left out
  /// Nodes' or relationships' properties, by what the index covers.
  Filter filter = {};  ///< binds before the search: no other record takes a place
  std::optional<std::vector<std::uint64_t>> allowed_ids = std::nullopt;  ///< of these too, if given
  /// What made the question's vector, compared with the model of the index; empty: not compared.
  std::string_view model = {};
};

/// One of many questions, with an `ef_search` of its own if it is not 0.
/// `vector` has as many components as the index; its length does not matter under the cosine
/// metric.
struct VectorQuestion {
  std::vector<float> vector;
  std::size_t ef_search = 0;
};

/// What a vector search found, best first, and how. Equal scores: the smaller id first.
///
/// Scores by the metric of the index: cosine (1 + cosine) / 2, from 0 to 1; Euclidean 1 / (1 + distance^2), above 0 to 1;
/// dot product (1 + dot) / 2, unbounded. In double precision over the 32-bit components that the index holds, for cosine
/// those of length 1.
struct VectorHits {
  std::vector<Hit> hits;  ///< id and score alone
  /// "exact" (every allowed vector compared), "flat" (their codes scanned, the best compared), "partitions" (the same of
  /// those near), "graph" or "graph by hnswlib" (who walks it).
  std::string executor;
};

/// Find the records whose vector in `index` is nearest to `question`, best first, ties by ascending id.
/// The executor and scores are as in VectorHits.
///
/// Errors: not_found if there is no such index; invalid_argument if it is not a vector index, for a
/// question of another dimension or `model`, one that is not finite, or zero under the cosine metric, and for a
/// `within` or `min_score` that is NaN; as parse_filter() for the filter; resource_limit and cancelled by
/// `statement_options`. Cost: the filter, then less than a millisecond for some 100,000 vectors; exact,
/// each vector that passes. A distance under the dot product is found by comparing all in double
/// precision. Threads: any number at once.
[[nodiscard]] CAIRN_EXPORT Result<VectorHits> search_vectors(
    const Snapshot& snapshot, std::string_view index, std::span<const float> question,
    const VectorSearchOptions& options = {}, const StatementOptions& statement_options = {});

/// What the call above gives for each question, hit by hit and bit by bit.
///
/// The filter is evaluated once, and what is scanned is read once for 64 questions: where tens of
/// thousands of vectors are compared that takes a third of the time of one by one, where codes are
/// scanned a tenth less. Searches of partitions and walks over the graph share the filter alone.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<VectorHits>> search_vectors(
    const Snapshot& snapshot, std::string_view index, std::span<const VectorQuestion> questions,
    const VectorSearchOptions& options = {}, const StatementOptions& statement_options = {});

/// The same with the changes of a transaction. Threads: one at a time, as all of a transaction.
/// Errors: also unsupported for an index that this transaction made.
/// Precondition: the transaction has not ended.
[[nodiscard]] CAIRN_EXPORT Result<VectorHits> search_vectors(
    const Transaction& transaction, std::string_view index, std::span<const float> question,
    const VectorSearchOptions& options = {}, const StatementOptions& statement_options = {});
[[nodiscard]] CAIRN_EXPORT Result<std::vector<VectorHits>> search_vectors(
    const Transaction& transaction, std::string_view index,
    std::span<const VectorQuestion> questions, const VectorSearchOptions& options = {},
    const StatementOptions& statement_options = {});

}  // namespace cairn
