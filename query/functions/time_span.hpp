#pragma once
// Lengths of time as texts, see cairn/time_span.hpp.
//
// span := ISO 8601 duration | number unit     number: digits, possibly with a fraction

#include <cairn/temporal.hpp>
#include <cairn/time_span.hpp>

#include <chrono>
#include <optional>

namespace cairn::query {

/// The length of a duration, rounded down to microseconds. A month is 30 days, and twelve months are a year of 365.
/// Returns nullopt if it is negative or does not fit into 64 bits.
[[nodiscard]] std::optional<std::chrono::microseconds> time_span_of(const Duration& duration);

}  // namespace cairn::query
