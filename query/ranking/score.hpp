#pragma once
// From a fused score to the score of a hit: additive terms, boosts, the public score. Pure functions of a record's
// fields and the time.

#include "query/functions/function_entry.hpp"
#include "query/ranking/fusion.hpp"

#include <cairn/ranking.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <string_view>

namespace cairn::query {

/// Returns the value at a dotted path through nested maps, or null. A field whose name itself contains the dots takes
/// precedence. If nothing is found, the path is tried without a leading "metadata.". Quoted keys are supported as in
/// filters: a['b.c'].
[[nodiscard]] const Value& field_at(const Properties& fields, std::string_view path);

/// True if a boost without `equals` applies to the value: see Ranking::Boost.
[[nodiscard]] bool is_truthy(const Value& value) noexcept;

/// Returns 1 / (1 + days / scale_days) for the age in whole days; 1 for an instant in the future. `instant` and `now`
/// are in microseconds since 1970 UTC.
[[nodiscard]] double recency_score(std::int64_t instant, std::int64_t now,
                                   double scale_days) noexcept;
/// Returns 1 - index / max(total, 1), limited to 0 to 1; 0 if an argument is not finite.
[[nodiscard]] double position_score(double index, double total) noexcept;

/// Returns the contribution of a term, including its weight; 0 if the field is missing or has another type.
[[nodiscard]] double term_value(const Ranking::Term& term, const Properties& fields,
                                std::int64_t now);
/// Returns 1 + factor if the boost applies to the fields, else 1.
[[nodiscard]] double boost_factor(const Ranking::Boost& boost, const Properties& fields);

/// Computes the score of one hit with all of its parts. `now` is in microseconds since 1970 UTC.
[[nodiscard]] Explanation explain_score(const FusedId& hit, const Properties& fields,
                                        const Ranking& ranking, std::int64_t now);

/// Limits a raw score to the ranking's highest score. Hits are ordered by the raw score.
[[nodiscard]] double public_score(double raw, const Ranking& ranking);

/// Errors: invalid_argument if a number of a term or boost is not finite, a scale is 0 or less, or a path is invalid.
[[nodiscard]] Status check_ranking(const Ranking& ranking);

/// The rank.* functions of the language.
[[nodiscard]] FunctionFamily rank_functions();

}  // namespace cairn::query
