#pragma once
// Days of the proleptic Gregorian calendar, for years far beyond those of <chrono>.
// Source: Howard Hinnant, chrono-compatible low-level date algorithms, 2013.

#include <cstdint>

namespace cairn::codec {

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

}  // namespace cairn::codec
