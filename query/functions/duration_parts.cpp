// A duration is months, days, seconds and nanoseconds, four numbers that are not of one length and
// never carried into each other, but nanoseconds into seconds. long double holds any 64-bit integer
// exactly on x86-64, so that whole parts lose nothing beside a fraction.
#include "query/functions/duration_parts.hpp"

#include "codec/calendar.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace cairn::query {
namespace {

/// One message for all parts: which of them it was, the user's own text shows.
Error too_long() {
  return {
      ErrorCode::invalid_argument, "the duration is too long: a part of it exceeds 64 bits", {}};
}

/// The part without its fraction, which is left in `part`.
std::optional<std::int64_t> take_whole(long double& part) {
  const long double whole = std::trunc(part);
  if (!(std::fabs(whole) < 9'223'372'036'854'775'807.0L)) return std::nullopt;
  part -= whole;
  return static_cast<std::int64_t>(whole);
}

/// a + factor * b.
std::optional<std::int64_t> sum(std::int64_t a, std::int64_t b, std::int64_t factor) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(b, factor, &result) || __builtin_add_overflow(a, result, &result))
    return std::nullopt;
  return result;
}

}  // namespace

// The fraction of a second always counts upwards, so that equal durations have equal fields.
Result<Duration> make_duration(std::int64_t months, std::int64_t days, std::int64_t seconds,
                               std::int64_t nanoseconds) {
  const auto total =
      sum(seconds, codec::floor_divide(nanoseconds, codec::nanoseconds_per_second), 1);
  if (!total) return too_long();
  return Duration{
      months, days, *total,
      static_cast<std::int32_t>(codec::floor_modulo(nanoseconds, codec::nanoseconds_per_second))};
}

// From large to small: what is left of a unit is handed to the next, and only nanoseconds are
// rounded. Seconds never become days, nor days months, because those are not of one length.
Result<Duration> whole_duration(FractionalDuration parts) {
  constexpr auto seconds_in_day = static_cast<long double>(codec::seconds_per_day);
  const auto months = take_whole(parts.months);
  parts.days += parts.months * static_cast<long double>(codec::seconds_per_month) / seconds_in_day;
  const auto days = take_whole(parts.days);
  parts.seconds += parts.days * seconds_in_day;
  const auto seconds = take_whole(parts.seconds);
  long double rounded = std::nearbyint(
      parts.nanoseconds + parts.seconds * static_cast<long double>(codec::nanoseconds_per_second));
  const auto nanoseconds = take_whole(rounded);
  if (!months || !days || !seconds || !nanoseconds) return too_long();
  return make_duration(*months, *days, *seconds, *nanoseconds);
}

// Parts are added one by one and never carried over, except nanoseconds into seconds.
Result<Duration> add_durations(const Duration& a, const Duration& b, std::int64_t factor) {
  const auto months = sum(a.months, b.months, factor);
  const auto days = sum(a.days, b.days, factor);
  const auto seconds = sum(a.seconds, b.seconds, factor);
  if (!months || !days || !seconds) return too_long();
  return make_duration(*months, *days, *seconds, a.nanoseconds + factor * b.nanoseconds);
}

}  // namespace cairn::query
