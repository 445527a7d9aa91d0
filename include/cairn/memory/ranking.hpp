#pragma once
// How hits are ranked: one pipeline for every search.
//
// retrievers -> fusion -> + additive terms -> * boosts -> order by the raw value -> public score
//
// A retriever is a list of records, best first, with its own score: by vector, by text, by keyword, by
// expansion of the graph. Fields are dotted paths into a record's metadata ("thread.position"); a
// field that is not there adds nothing and boosts nothing.
//
//     Ranking ranking = rrf_ranking();
//     ranking.terms.push_back({.kind = Term::Kind::recency, .weight = 0.1, .field = "created_at"});
//     ranking.boosts.push_back({.field = "pinned", .factor = 0.5});
//     request.ranking = ranking;   // hit.why tells what each part gave
//
// The language has the same parts: rank.fuse_by_rank, rank.boost, rank.recency and their like.

#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cairn::memory {

/// Where a hit came from.
///
/// Scores of its retriever: vector the cosine, -1 to 1; text the score of cairn::recall(), 0 to 1, or with
/// Strategy::hybrid BM25 over the best hit's; keyword the share of the question's words in the content; graph the score of the hit it was reached from, halved and times the relationship's
/// `weight` (0 to 1, else 1) at each step.
enum class RetrieverKind : std::uint8_t { vector, text, keyword, graph };
/// "vector", "text", "keyword" or "graph".
[[nodiscard]] CAIRN_EXPORT std::string_view to_string(RetrieverKind retriever) noexcept;

/// How the retrievers' lists become one.
///
/// Source of reciprocal ranks: Cormack, Clarke, Büttcher, SIGIR 2009. A record that a retriever lacks
/// gets nothing from it. Weights and sums that are not finite are invalid_argument when a recall
/// runs, and but for weighted_sum also negative weights and weights that are all 0, and a negative k.
struct Fusion {
  enum class Kind : std::uint8_t {
    reciprocal_rank,  ///< sum of weight / (k + rank), rank from 1, weights made to sum to 1
    weighted_sum,     ///< sum of weight * score, weights as they are
    /// The language's FUSE ZSCORE, MAX_NORM and MIN_MAX: weights made to sum to 1, scores made comparable. A record that a
    /// list lacks has the list's least score.
    z_score,   ///< sum of weight * (score - mean) / deviation
    max_norm,  ///< sum of weight * score / most
    min_max,   ///< sum of weight * (score - least) / (most - least)
  };
  Kind kind = Kind::weighted_sum;
  /// The larger, the less the first ranks stand out; of reciprocal_rank alone. 60 is the paper's.
  double k = 60;
  /// A retriever without a weight counts 1.
  std::map<RetrieverKind, double> weights = {};
};

/// Adds weight * value, where value is between 0 and 1.
/// Weights may be negative; they are finite.
struct Term {
  enum class Kind : std::uint8_t {
    recency,  ///< 1 / (1 + days / scale_days) of the instant in `field`; whole days, never negative
    position,  ///< 1 - field / max(total_field, 1)
  };
  Kind kind = Kind::recency;
  double weight = 0;
  std::string field;
  /// How many there are; as `field` it holds a number.
  std::string total_field = {};  ///< position only; records without it get nothing. Empty: 1
  /// The age at which recency is 0.5; more than 0.
  double scale_days = 30;  ///< recency only
};

/// Multiplies by 1 + factor where the field is truthy or, if `equals` is given, has that value.
///
/// Truthy is what is there and neither null, false, 0, NaN nor the empty string; empty lists and maps
/// are truthy. A field with a list equals a value that it contains.
///
/// All boosts that apply multiply. A factor of -1 makes the score 0, a negative one below reverses
/// it.
struct Boost {
  std::string field;
  /// Finite; 0 changes nothing.
  double factor = 0;
  std::optional<Value> equals = std::nullopt;
};

/// The whole pipeline. Made by default: the sum of the retrievers' scores, at most 1.
/// Errors when a recall runs: invalid_argument for a number that is not finite, a scale of 0 days
/// or less, and an invalid path with brackets.
struct Ranking {
  Fusion fusion;
  std::vector<Term> terms;
  std::vector<Boost> boosts;
  /// How many hits a retriever brings for each row asked for: terms and boosts choose among these.
  /// At least 1; each hit is one read of a record.
  std::size_t oversample = 4;
  /// The highest public score; nullopt leaves it as it is. Order and ties go by the raw value.
  std::optional<double> highest_score = 1.0;
};

/// Similarity times (1 + factor) for each truthy field, at most 1:
/// min(similarity * product of (1 + factor), 1), chosen among twice the hits asked for.
[[nodiscard]] CAIRN_EXPORT Ranking
similarity_ranking(const std::map<std::string, double>& boosts = {});
/// Similarity + recency of `modified_time` + early chunks, not limited:
/// similarity + 0.1 / (1 + days / 30) + 0.05 * (1 - chunk_index / total_chunks), of twice the hits.
[[nodiscard]] CAIRN_EXPORT Ranking recency_ranking(double boost_recent = 0.1,
                                                   double boost_early_chunks = 0.05);
/// What a question is about: things, or how they hang together.
enum class QuestionKind : std::uint8_t { general, relational };

/// Reciprocal ranks of meaning, keywords and graph by 0.6 / 0.2 / 0.2, for relational questions
/// 0.4 / 0.2 / 0.4: sum of weight / (60 + rank), of four times the hits asked
/// for.
[[nodiscard]] CAIRN_EXPORT Ranking rrf_ranking(QuestionKind kind = QuestionKind::general);

/// A retriever's part in a score.
/// A retriever that did not find the record has no entry.
struct RetrieverShare {
  RetrieverKind retriever = RetrieverKind::vector;
  std::size_t rank = 0;  ///< from 1
  double score = 0;      ///< the retriever's own
  double share = 0;      ///< what it adds to the fused score
};

/// Why a hit has its score: (sum of shares + sum of terms) * product of factors = raw.
///
/// Two hits with one public score, because it is cut, are still in the order of `raw`.
struct ScoreExplanation {
  std::vector<RetrieverShare> retrievers;
  /// The sum of the shares.
  double fused = 0;
  std::vector<double> terms;    ///< as in Ranking::terms: weight * value, 0 where there is no field
  std::vector<double> factors;  ///< as in Ranking::boosts: 1 + factor, or 1
  double raw = 0;               ///< hits are ordered by it, equal ones by id
  double score = 0;             ///< public: raw, at most Ranking::highest_score
};

}  // namespace cairn::memory
