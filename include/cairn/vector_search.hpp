#pragma once
// Vector search: one query vector or many at once, under a filter, for the nearest records or all
// records within a distance.
//
//     VectorSearchOptions options;
//     options.filter = Filter::where("user", FilterOperator::equals, "ada");
//     options.min_score = 0.8;
//     CAIRN_ASSIGN(const VectorHits best, search_vectors(snapshot, "memories", vector, options));
//
//     options = {.k = VectorSearchOptions::all, .within = 0.25};   // all of them, guaranteed
//     CAIRN_ASSIGN(const auto near, search_vectors(snapshot, "memories", questions, options));
//
// In the language this is `SEARCH ... IN (VECTOR INDEX ... WITHIN d MIN SCORE s LIMIT k)`.

#include <cairn/filter.hpp>
#include <cairn/hit.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/transaction.hpp>
#include <cairn/vector_executor.hpp>
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

/// The average share of the true nearest neighbours that is found: .90, .95, .99, or all. It is
/// measured for ten hits on samples when a segment is built. `exact` compares every vector that
/// passes the filter, as does any of them if at most 200 pass. Each step takes longer; see
/// tools/bench/RESULTS.md.
enum class VectorAccuracy : std::uint8_t { fast, standard, high, exact };

/// Options of a vector search.
///
/// Without cuts, a search returns exactly min(k, number of records that pass the filter and have a
/// vector) hits. `within` and `min_score` remove hits and never add any.
struct VectorSearchOptions {
  /// A value of `k`: no limit.
  static constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

  /// Maximal number of hits per query. With `all`, set `within` or `min_score`.
  std::size_t k = 10;
  /// Nullopt: `standard`, or `exact` if `within` is set, so that no hit is missing.
  std::optional<VectorAccuracy> accuracy = std::nullopt;
  /// The ef parameter of HNSW (Malkov, Yashunin 2018), more than `k`. A larger value finds more and
  /// takes longer.
  std::size_t ef_search = 0;  ///< the recall of a graph search with this ef; 0: use `accuracy`
  /// Maximal distance of hits, inclusive: 1 - cosine, minus the dot product, or the Euclidean
  /// distance, by the metric of the index, in double precision.
  std::optional<double> within = std::nullopt;
  std::optional<double> min_score = std::nullopt;  ///< least score of hits
  /// A filter on properties of nodes or relationships, whichever the index covers.
  Filter filter = {};  ///< applied before the search: only records that pass compete
  std::optional<std::vector<std::uint64_t>> allowed_ids = std::nullopt;  ///< if set, only these ids
  /// The model of the query vector, compared with the model of the index; empty: not compared.
  std::string_view model = {};
};

/// One of many query vectors, with its own `ef_search` if that is not 0. The dimension must be that
/// of the index; under the cosine metric the length does not matter.
struct VectorQuestion {
  std::vector<float> vector;
  std::size_t ef_search = 0;
};

/// The result of a vector search, best first; equal scores by ascending id.
///
/// Scores by metric: cosine (1 + cosine) / 2, from 0 to 1; Euclidean 1 / (1 + distance^2), above 0
/// to 1; dot product (1 + dot) / 2, unbounded. They are computed in double precision from the
/// 32-bit components in the index, which have length 1 for the cosine metric.
struct VectorHits {
  std::vector<Hit> hits;                           ///< with id and score only
  VectorExecutor executor = VectorExecutor::none;  ///< how the hits were found
};

/// Finds the records whose vector in `index` is nearest to `question`, best first; equal scores by
/// ascending id. VectorHits explains scores.
///
/// Errors: not_found if the index does not exist; invalid_argument if it is not a vector index, for
/// a query vector of another dimension or `model`, not finite, or zero under the cosine metric, and
/// for a `within` or `min_score` that is NaN; those of parse_filter(); resource_limit and cancelled
/// by `statement_options`. Cost: the filter, then less than a millisecond for some 100,000 vectors;
/// `exact` compares each vector that passes. With `within` under the dot product, all vectors are
/// compared in double precision. Threads: any number at once.
[[nodiscard]] CAIRN_EXPORT Result<VectorHits> search_vectors(
    const Snapshot& snapshot, std::string_view index, std::span<const float> question,
    const VectorSearchOptions& options = {}, const StatementOptions& statement_options = {});

/// Searches for many query vectors; each result is bit by bit that of the call above.
///
/// The filter is evaluated once, and data to scan is read once for 64 queries. Comparing tens of
/// thousands of vectors takes a third of the time of single searches, scanning codes a tenth less.
/// Searches of partitions and of the graph only share the filter.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<VectorHits>> search_vectors(
    const Snapshot& snapshot, std::string_view index, std::span<const VectorQuestion> questions,
    const VectorSearchOptions& options = {}, const StatementOptions& statement_options = {});

/// Searches with the changes of a transaction, which must not have ended. Errors: also unsupported
/// for an index that this transaction created. Threads: one at a time, like all calls of a
/// transaction.
[[nodiscard]] CAIRN_EXPORT Result<VectorHits> search_vectors(
    const Transaction& transaction, std::string_view index, std::span<const float> question,
    const VectorSearchOptions& options = {}, const StatementOptions& statement_options = {});
[[nodiscard]] CAIRN_EXPORT Result<std::vector<VectorHits>> search_vectors(
    const Transaction& transaction, std::string_view index,
    std::span<const VectorQuestion> questions, const VectorSearchOptions& options = {},
    const StatementOptions& statement_options = {});

}  // namespace cairn
