#pragma once
// Points in time as people write them in filters: ISO 8601, or so long ago.
//
// moment   := instant | digit+ unit                        instant: codec/instant.hpp
// unit     := 'min' | 'h' | 'd' | 'w' | 'm' | 'y'          in any case
//
// A month is 30 days and a year 365, so that the same text means the same length on every day.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn::query {

/// Microseconds since 1970 UTC; "7d" is seven days before `now`. Errors: invalid_argument.
[[nodiscard]] Result<std::int64_t> parse_moment(std::string_view text, std::int64_t now);
/// The error of a text that is neither.
[[nodiscard]] Error invalid_date();

/// The instant that a value names: ISO 8601 text, a date (its midnight), a date and time (without
/// an offset: UTC), in microseconds rounded down. Absent for all other values.
[[nodiscard]] std::optional<std::int64_t> instant_of(const Value& value);

/// A point in time to the nanosecond; the same instant in two zones is one.
struct Instant {
  std::int64_t seconds = 0;      ///< since 1970 UTC
  std::int32_t nanoseconds = 0;  ///< 0 to 999,999,999
  auto operator<=>(const Instant&) const = default;
};

/// The same of microseconds since 1970 UTC.
[[nodiscard]] Instant instant_at(std::int64_t microseconds);
/// What instant_of() rounds down. A text names whole microseconds.
[[nodiscard]] std::optional<Instant> exact_instant_of(const Value& value);

}  // namespace cairn::query
