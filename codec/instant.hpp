#pragma once
// Time: instants, the calendar, and the order of temporal values.

#include <cairn/temporal.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::codec {

// Instants in strings: RFC 3339 and the part of ISO 8601 that people write, as microseconds UTC.
//
// instant  := date [('T' | 't' | ' ') clock [offset]]
// date     := YYYY '-' MM '-' DD                     years 0001 to 9999
// clock    := hh ':' mm [':' ss [('.' | ',') digit+]]
// offset   := 'Z' | 'z' | ('+' | '-') hh [[':'] mm]
//
// A date alone is its midnight; without an offset UTC is meant, because a string must name the same
// instant on every machine. Digits beyond microseconds are cut off. A leap second, 23:59:60 UTC, is
// the first second of the next day, as in POSIX time.

/// Microseconds since 1970-01-01T00:00:00Z; absent if `text` as a whole is not an instant.
[[nodiscard]] std::optional<std::int64_t> parse_instant(std::string_view text) noexcept;

/// "2026-02-14T10:30:00Z", with as many digits of a fraction as it needs; parse_instant reads it back
/// for all years that have four digits.
[[nodiscard]] std::string instant_text(std::int64_t microseconds);

// Days of the proleptic Gregorian calendar, for years far beyond those of <chrono>.
// Source: Howard Hinnant, chrono-compatible low-level date algorithms, 2013.

inline constexpr std::int64_t seconds_per_day = 86'400;
inline constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
/// The mean Gregorian month, by which durations are ordered.
inline constexpr std::int64_t seconds_per_month = 2'629'746;

struct CivilDate {
  std::int64_t year = 1970;
  unsigned month = 1;  ///< 1 to 12
  unsigned day = 1;    ///< 1 to 31
  friend bool operator==(const CivilDate&, const CivilDate&) = default;
};

/// The quotient rounded toward minus infinity, and the remainder that belongs to it; `b` positive.
[[nodiscard]] constexpr std::int64_t floor_divide(std::int64_t a, std::int64_t b) noexcept {
  return a / b - (a % b < 0 ? 1 : 0);
}
[[nodiscard]] constexpr std::int64_t floor_modulo(std::int64_t a, std::int64_t b) noexcept {
  return a % b + (a % b < 0 ? b : 0);
}

/// Days since 1970-01-01. Years within +-10^15.
[[nodiscard]] constexpr std::int64_t days_from_civil(const CivilDate& date) noexcept {
  const std::int64_t year = date.year - (date.month <= 2 ? 1 : 0);  // years that begin in March
  const std::int64_t era = floor_divide(year, 400);
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t month = (date.month + 9) % 12;
  const std::int64_t day_of_year = (153 * month + 2) / 5 + date.day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

/// The date that lies `days` after 1970-01-01. Any day but the last 719,468 of the type.
[[nodiscard]] constexpr CivilDate civil_from_days(std::int64_t days) noexcept {
  days += 719'468;
  const std::int64_t era = floor_divide(days, 146'097);
  const std::int64_t day_of_era = days - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month = (5 * day_of_year + 2) / 153;  // from March
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

// What the temporal types are ordered by, and which of their values exist. Years reach from
// -999,999,999 to 999,999,999, so that seconds, and days of any date, never overflow.

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
