#pragma once
// Ranking: how hits of several retrievers are combined and scored.
//
// retrievers -> fusion -> + additive terms -> * boosts -> order by the raw value -> public score
//
// A retriever returns a list of records, best first, with scores: by vector, by text, by keyword,
// or by expansion of the graph. Fields are dotted paths into a record's properties
// ("thread.position"). A field that a record does not have adds nothing and boosts nothing.
//
//     Ranking ranking;
//     ranking.terms.push_back({.kind = Ranking::Term::Kind::recency, .weight = 0.1, .field = "created_at"});
//     ranking.boosts.push_back({.field = "pinned", .factor = 0.5});
//     request.ranking = ranking;   // hit.explanation has the share of each part
//
// The language has the same functions: rank.fuse_by_rank, rank.boost, rank.recency and others.

#include <cairn/hit.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cairn {

/// How the lists of the retrievers are combined.
///
/// The default is that of every search with several retrievers, in C++ and in the language; it has
/// the best measured results. The scores of a single retriever stay as they are, except for
/// reciprocal_rank.
///
/// Source of reciprocal ranks: Cormack, Clarke, Büttcher, SIGIR 2009. Errors of a search:
/// invalid_argument for weights and sums that are not finite, a weight of RetrieverKind::ranked, a
/// negative k, and (except for weighted_sum) negative weights or weights that are all 0.
struct Fusion {
  enum class Kind : std::uint8_t {
    /// For the first two, a record gets no share from a retriever that did not find it.
    reciprocal_rank,  ///< sum of weight / (k + rank), ranks from 1, weights normalised to sum 1
    weighted_sum,     ///< sum of weight * score, weights not normalised
    /// The next three are FUSE ZSCORE, MAX_NORM and MIN_MAX of the language: weights are normalised
    /// to sum 1, and scores are normalised. Retrievers by vector, text and keyword also score the
    /// records that the others found. A record without a match has the score 0 in texts, keywords,
    /// the graph and ranked lists, and in given hits the lesser of 0 and their least score. A record
    /// without a vector has the least score of the vectors.
    z_score,   ///< sum of weight * (score - mean) / deviation
    max_norm,  ///< sum of weight * score / most; a cosine counts from -1, so as 1 + cosine
    min_max,   ///< sum of weight * (score - least) / (most - least)
  };
  Kind kind = Kind::max_norm;
  /// For reciprocal_rank only. A larger k reduces the advantage of the first ranks. 60 is the value
  /// of the paper.
  double k = 60;
  /// Weights by retriever. A RankedRetriever has the weight of RetrieverKind::text. A missing
  /// weight is 1, and 3 for a RankedRetriever, which combines three kinds of evidence (in a
  /// weighted_sum 1).
  std::map<RetrieverKind, double> weights = {};
};

/// The complete ranking. The default is the default fusion of the retrievers' scores, at most 1.
/// Errors of a search: invalid_argument for a number that is not finite, a scale of 0 days or less,
/// and an invalid path.
struct Ranking {
  /// Adds weight * value, where value is between 0 and 1. Weights are finite and may be negative.
  struct Term {
    enum class Kind : std::uint8_t {
      recency,   ///< 1 / (1 + days / scale_days) for the instant in `field`, in whole days >= 0
      position,  ///< 1 - field / max(total_field, 1)
    };
    Kind kind = Kind::recency;
    double weight = 0;
    std::string field;
    /// The field with the total number of positions.
    std::string total_field = {};  ///< position only; records without it get 0; empty: a total of 1
    /// The age in days at which recency is 0.5; more than 0.
    double scale_days = 30;  ///< recency only
  };

  /// Multiplies the score by 1 + factor if the field is truthy or, if `equals` is given, has that
  /// value.
  ///
  /// A value is truthy if it is present and not null, false, 0, NaN or the empty string; empty
  /// lists and maps are truthy. A list field equals each value that it contains.
  ///
  /// All boosts that apply are multiplied. A factor of -1 makes the score 0; a lower one makes it
  /// negative.
  struct Boost {
    std::string field;
    /// Finite; 0 has no effect.
    double factor = 0;
    std::optional<Value> equals = std::nullopt;
  };

  /// How the scores of the retrievers become one score.
  Fusion fusion;
  /// Added to the fused score, before the boosts.
  std::vector<Term> terms;
  /// Multiply the sum of the fused score and the terms.
  std::vector<Boost> boosts;
  /// Each retriever returns this many hits per requested hit, and terms and boosts choose among
  /// them. 0: four, and at least 100 in all, as CANDIDATES of the language. With terms,
  /// boosts, a label or passages, each of these hits costs one read of a record.
  std::size_t oversample = 0;
  /// Upper limit of public scores; nullopt: no limit. Order and ties use the raw value.
  std::optional<double> highest_score = 1.0;
};

}  // namespace cairn
