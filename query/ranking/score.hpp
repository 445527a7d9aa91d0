#pragma once
// From a fused score to the score of a hit: additive terms, boosts, the public value. Pure functions
// of a record's fields and the time.

#include "query/functions/function_entry.hpp"
#include "query/ranking/fusion.hpp"

#include <cairn/ranking.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <string_view>

namespace cairn::query {

/// The value at a dotted path through maps. A field whose name has the dots in it is found first, and
/// a leading "metadata." that leads nowhere is left out; a['b.c'] is read as in filters. Null where
/// there is none.
[[nodiscard]] const Value& field_at(const Properties& fields, std::string_view path);

/// Whether a boost takes the value for true: see Ranking::Boost.
[[nodiscard]] bool is_truthy(const Value& value) noexcept;

/// 1 / (1 + days / scale_days), in whole days of age; a time to come has no age.
[[nodiscard]] double recency_score(std::int64_t instant, std::int64_t now,
                                   double scale_days) noexcept;
/// 1 - index / max(total, 1), from 0 to 1
[[nodiscard]] double position_score(double index, double total) noexcept;

/// What a term adds, its weight included; 0 where the field is missing or of another type.
[[nodiscard]] double term_value(const Ranking::Term& term, const Properties& fields,
                                std::int64_t now);
/// 1 + factor, or 1.
[[nodiscard]] double boost_factor(const Ranking::Boost& boost, const Properties& fields);

/// The whole score of one hit. `now` in microseconds since 1970 UTC.
[[nodiscard]] Explanation explain_score(const FusedId& hit, const Properties& fields,
                                        const Ranking& ranking, std::int64_t now);

/// What is shown of a raw score, by which hits are ordered.
[[nodiscard]] double public_score(double raw, const Ranking& ranking);

/// Errors: invalid_argument for a term or boost whose numbers are not finite, or a scale of 0 or less.
[[nodiscard]] Status check_ranking(const Ranking& ranking);

// The functions rank.* of the language.

[[nodiscard]] FunctionFamily rank_functions();

}  // namespace cairn::query
