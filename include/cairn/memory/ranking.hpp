#pragma once
// How hits are ranked: one pipeline for every search.
//
// legs -> fusion -> + additive terms -> * boosts -> order by the raw value -> public score
//
// A leg is a list of records, best first, with its own score: by vector, by text, by keyword, by
// expansion of the graph. Fields are dotted paths into a record's metadata ("thread.position"); a
// field that is not there adds nothing and boosts nothing.

#include <cairn/export.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cairn::memory {

/// Where a hit came from.
enum class LegKind : std::uint8_t { vector, text, keyword, graph };
[[nodiscard]] CAIRN_EXPORT std::string_view to_string(LegKind leg) noexcept;

/// How the legs' lists become one.
struct Fusion {
  enum class Kind : std::uint8_t {
    reciprocal_rank,  ///< sum of weight / (k + rank), rank from 1, weights made to sum to 1
    weighted_sum,     ///< sum of weight * score, weights as they are
  };
  Kind kind = Kind::weighted_sum;
  double k = 60;
  /// A leg without a weight counts 1.
  std::map<LegKind, double> weights = {};
};

/// Adds weight * value, where value is between 0 and 1.
struct Term {
  enum class Kind : std::uint8_t {
    recency,  ///< 1 / (1 + days / scale_days) of the instant in `field`; whole days, never negative
    position,  ///< 1 - field / max(total_field, 1)
  };
  Kind kind = Kind::recency;
  double weight = 0;
  std::string field;
  std::string total_field = {};  ///< position only; records without it get nothing. Empty: 1
  double scale_days = 30;        ///< recency only
};

/// Multiplies by 1 + factor where the field is truthy or, if `equals` is given, has that value.
///
/// Truthy is what is there and neither null, false, 0, NaN nor the empty string; empty lists and maps
/// are truthy. A field with a list equals a value that it contains.
struct Boost {
  std::string field;
  double factor = 0;
  std::optional<Value> equals = std::nullopt;
};

struct Ranking {
  Fusion fusion;
  std::vector<Term> terms;
  std::vector<Boost> boosts;
  /// How many hits a leg brings for each row asked for: terms and boosts choose among these.
  std::size_t oversample = 4;
  /// The highest public score; nullopt leaves it as it is. Order and ties go by the raw value.
  std::optional<double> highest_score = 1.0;
};

/// Similarity times (1 + factor) for each truthy field, at most 1 (source document 0).
[[nodiscard]] CAIRN_EXPORT Ranking
souvenir_ranking(const std::map<std::string, double>& boosts = {});
/// Similarity + recency of `modified_time` + early chunks, not limited (source document 3).
[[nodiscard]] CAIRN_EXPORT Ranking minima_ranking(double boost_recent = 0.1,
                                                  double boost_early_chunks = 0.05);
/// Reciprocal ranks of meaning, keywords and graph by 0.6 / 0.2 / 0.2, for relational questions
/// 0.4 / 0.2 / 0.4 (source document 4).
[[nodiscard]] CAIRN_EXPORT Ranking cognitive_ranking(bool relational = false);

/// A leg's part in a score.
struct LegShare {
  LegKind leg = LegKind::vector;
  std::size_t rank = 0;  ///< from 1
  double score = 0;      ///< the leg's own
  double share = 0;      ///< what it adds to the fused score
};

/// Why a hit has its score: (sum of shares + sum of terms) * product of factors = raw.
struct ScoreExplanation {
  std::vector<LegShare> legs;
  double fused = 0;
  std::vector<double> terms;    ///< as in Ranking::terms: weight * value, 0 where there is no field
  std::vector<double> factors;  ///< as in Ranking::boosts: 1 + factor, or 1
  double raw = 0;               ///< hits are ordered by it, equal ones by id
  double score = 0;             ///< public: raw, at most Ranking::highest_score
};

}  // namespace cairn::memory
