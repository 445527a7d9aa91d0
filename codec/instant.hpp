#pragma once
// Time: instants, the calendar, and the order of temporal values.

#include <cairn/temporal.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::codec {

// Instants in strings: RFC 3339 and the common part of ISO 8601, as microseconds since 1970 UTC.
//
// instant  := date [('T' | 't' | ' ') clock [offset]]
// date     := YYYY '-' MM '-' DD                     years 0001 to 9999
// clock    := hh ':' mm [':' ss [('.' | ',') digit+]]
// offset   := 'Z' | 'z' | ('+' | '-') hh [[':'] mm]
//
// A date alone means its midnight. A string without an offset means UTC, so that it names the same
// instant on every machine. Digits beyond microseconds are cut off. The leap second 23:59:60 UTC
// becomes the first second of the next day, as in POSIX time.

/// Returns microseconds since 1970-01-01T00:00:00Z; nullopt if `text` as a whole is not an instant.
[[nodiscard]] std::optional<std::int64_t> parse_instant(std::string_view text) noexcept;

/// Returns text like "2026-02-14T10:30:00Z", with only as many fraction digits as needed.
/// parse_instant() reads it back for all years of four digits.
[[nodiscard]] std::string instant_text(std::int64_t microseconds);

// Days of the proleptic Gregorian calendar, for years far beyond those of <chrono>.
// Source: Howard Hinnant, chrono-compatible low-level date algorithms, 2013.

inline constexpr std::int64_t seconds_per_day = 86'400;
inline constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
/// Length of the mean Gregorian month, which orders durations.
inline constexpr std::int64_t seconds_per_month = 2'629'746;

/// A day of the Gregorian calendar, which is extended to the years before its introduction.
struct CivilDate {
  std::int64_t year = 1970;
  unsigned month = 1;  ///< 1 to 12
  unsigned day = 1;    ///< 1 to 31
  friend bool operator==(const CivilDate&, const CivilDate&) = default;
};

/// Returns the quotient rounded toward minus infinity; `b` must be positive.
[[nodiscard]] constexpr std::int64_t floor_divide(std::int64_t a, std::int64_t b) noexcept {
  return a / b - (a % b < 0 ? 1 : 0);
}
/// Returns the remainder of floor_divide(), from 0 to b - 1.
[[nodiscard]] constexpr std::int64_t floor_modulo(std::int64_t a, std::int64_t b) noexcept {
  return a % b + (a % b < 0 ? b : 0);
}

/// Returns the days since 1970-01-01. Precondition: the year is within +-10^15.
[[nodiscard]] constexpr std::int64_t days_from_civil(const CivilDate& date) noexcept {
  const std::int64_t year = date.year - (date.month <= 2 ? 1 : 0);  // begins in March
  const std::int64_t era = floor_divide(year, 400);
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t month = (date.month + 9) % 12;
  const std::int64_t day_of_year = (153 * month + 2) / 5 + date.day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

/// Returns the date that is `days` after 1970-01-01. Precondition: `days` is not among the greatest
/// 719,468 values of its type.
[[nodiscard]] constexpr CivilDate civil_from_days(std::int64_t days) noexcept {
  days += 719'468;
  const std::int64_t era = floor_divide(days, 146'097);
  const std::int64_t day_of_era = days - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month = (5 * day_of_year + 2) / 153;  // counted from March
  const auto day = static_cast<unsigned>(day_of_year - (153 * month + 2) / 5 + 1);
  const auto civil_month = static_cast<unsigned>(month < 10 ? month + 3 : month - 9);
  return {year_of_era + era * 400 + (civil_month <= 2 ? 1 : 0), civil_month, day};
}

[[nodiscard]] constexpr bool is_leap_year(std::int64_t year) noexcept {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

[[nodiscard]] constexpr unsigned days_in_month(std::int64_t year, unsigned month) noexcept {
  constexpr unsigned days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap_year(year) ? 29 : days[month - 1];
}

// The sort keys of temporal types, and the ranges of their fields. Years reach from -999,999,999 to
// 999,999,999, so seconds and days of any date do not overflow.

__extension__ typedef __int128 Int128;

inline constexpr std::int64_t max_days = days_from_civil({999'999'999, 12, 31});
inline constexpr std::int64_t min_days = days_from_civil({-999'999'999, 1, 1});
inline constexpr std::int64_t nanoseconds_per_day = seconds_per_day * nanoseconds_per_second;
inline constexpr std::int32_t max_offset_seconds = 18 * 3'600;

/// Returns nanoseconds since midnight UTC. The result is negative or beyond 24 hours if UTC is on
/// another day.
[[nodiscard]] constexpr std::int64_t instant_of(const Time& time) noexcept {
  return time.nanoseconds - time.offset_seconds * nanoseconds_per_second;
}

/// Returns the length in seconds, with months of mean length.
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

/// True if the fields are in the range of their type.
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
