#pragma once
// What the temporal types are ordered by, and which of their values exist. Years reach from
// -999,999,999 to 999,999,999, so that seconds, and days of any date, never overflow.

#include "codec/calendar.hpp"

#include <cairn/temporal.hpp>

#include <cstdint>

namespace cairn::codec {

__extension__ typedef __int128 Int128;

inline constexpr std::int64_t max_days = days_from_civil({999'999'999, 12, 31});
inline constexpr std::int64_t min_days = days_from_civil({-999'999'999, 1, 1});
inline constexpr std::int64_t nanoseconds_per_day = seconds_per_day * nanoseconds_per_second;
inline constexpr std::int32_t max_offset_seconds = 18 * 3'600;

/// Nanoseconds since midnight UTC; of another day where negative or beyond the day's end.
[[nodiscard]] constexpr std::int64_t instant_of(const Time& time) noexcept {
  return time.nanoseconds - time.offset_seconds * nanoseconds_per_second;
}

/// Seconds, a month being the mean one.
[[nodiscard]] constexpr Int128 length_of(const Duration& duration) noexcept {
  return Int128{duration.months} * seconds_per_month + Int128{duration.days} * seconds_per_day +
         duration.seconds;
}

namespace detail {
[[nodiscard]] constexpr bool is_fraction(std::int64_t nanoseconds) noexcept {
  return nanoseconds >= 0 && nanoseconds < nanoseconds_per_second;
}
[[nodiscard]] constexpr bool is_time_of_day(std::int64_t nanoseconds) noexcept {
  return nanoseconds >= 0 && nanoseconds < nanoseconds_per_day;
}
[[nodiscard]] constexpr bool is_offset(std::int32_t seconds) noexcept {
  return seconds >= -max_offset_seconds && seconds <= max_offset_seconds;
}
}  // namespace detail

/// Whether a value of this type may hold these fields.
[[nodiscard]] constexpr bool is_valid(const Date& value) noexcept {
  return value.days >= min_days && value.days <= max_days;
}
[[nodiscard]] constexpr bool is_valid(const LocalTime& value) noexcept {
  return detail::is_time_of_day(value.nanoseconds);
}
[[nodiscard]] constexpr bool is_valid(const Time& value) noexcept {
  return detail::is_time_of_day(value.nanoseconds) && detail::is_offset(value.offset_seconds);
}
[[nodiscard]] constexpr bool is_valid(const LocalDateTime& value) noexcept {
  return is_valid(Date{floor_divide(value.seconds, seconds_per_day)}) &&
         detail::is_fraction(value.nanoseconds);
}
[[nodiscard]] constexpr bool is_valid(const DateTime& value) noexcept {
  return is_valid(LocalDateTime{value.seconds, value.nanoseconds}) &&
         detail::is_offset(value.offset_seconds);
}
[[nodiscard]] constexpr bool is_valid(const Duration& value) noexcept {
  return detail::is_fraction(value.nanoseconds);
}

}  // namespace cairn::codec
