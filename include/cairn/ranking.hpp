#pragma once
// Ranking: how the hits of several retrievers become one list, and what else counts.
//
// retrievers -> fusion -> + additive terms -> * boosts -> order by the raw value -> public score
//
// A retriever is a list of records, best first, with its own score: by vector, by text, by keyword, by
// expansion of the graph. Fields are dotted paths into a record's properties ("thread.position"); a
// field that is not there adds nothing and boosts nothing.
//
//     Ranking ranking;
//     ranking.terms.push_back({.kind = Ranking::Term::Kind::recency, .weight = 0.1, .field = "created_at"});
//     ranking.boosts.push_back({.field = "pinned", .factor = 0.5});
//     request.ranking = ranking;   // hit.explanation tells what each part gave
//
// The language has the same parts: rank.fuse_by_rank, rank.boost, rank.recency and their like.

#include <cairn/hit.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cairn {

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

/// The whole pipeline. Made by default: the sum of the retrievers' scores, at most 1.
/// Errors when a recall runs: invalid_argument for a number that is not finite, a scale of 0 days
/// or less, and an invalid path with brackets.
struct Ranking {
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

  Fusion fusion;
  std::vector<Term> terms;
  std::vector<Boost> boosts;
  /// How many hits a retriever brings for each row asked for: terms and boosts choose among these.
  /// At least 1; each hit is one read of a record.
  std::size_t oversample = 4;
  /// The highest public score; nullopt leaves it as it is. Order and ties go by the raw value.
  std::optional<double> highest_score = 1.0;
};

}  // namespace cairn
