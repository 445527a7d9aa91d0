#pragma once
// Making durations: exact sums of their four parts, and rounding where the parts are fractions.

#include <cairn/result.hpp>
#include <cairn/temporal.hpp>

#include <cstdint>

namespace cairn::query {

/// Four parts that may be fractions. A fraction of a month or day goes on to the next smaller part,
/// a month having 30.436875 days and a day 24 hours.
struct FractionalDuration {
  long double months = 0;
  long double days = 0;
  long double seconds = 0;
  long double nanoseconds = 0;
};

/// Rounded to whole nanoseconds. Errors: invalid_argument where a part needs over 64 bits.
[[nodiscard]] Result<Duration> whole_duration(FractionalDuration parts);

/// The duration with its nanoseconds brought into 0 to 999,999,999. Errors as above.
[[nodiscard]] Result<Duration> make_duration(std::int64_t months, std::int64_t days,
                                             std::int64_t seconds, std::int64_t nanoseconds);

/// a + factor * b for a factor of 1 or -1. Errors as above.
[[nodiscard]] Result<Duration> add_durations(const Duration& a, const Duration& b,
                                             std::int64_t factor);

}  // namespace cairn::query
