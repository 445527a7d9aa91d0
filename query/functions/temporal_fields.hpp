#pragma once
// Temporal values from named fields, and steps through the calendar.

#include "codec/instant.hpp"
#include "query/functions/temporal_parts.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cairn::query {

// Numbers that name a point in time: {year: 1984, week: 10, dayOfWeek: 3, hour: 12}. The numbers come from a map or a
// text, and may change the parts of another value.

/// Whether fields of milliseconds, microseconds and nanoseconds replace the fraction of a base value or are added to
/// it.
enum class Fraction : std::uint8_t { replaced, added_to };

/// The fields in the order in which they were set. The first value of a field counts.
class PointFields {
 public:
  /// Checks and adds a field. Errors: invalid_argument for an unknown field or one that `type` does not have;
  /// type_error if the value is not an integer.
  [[nodiscard]] Status put(const PointType& type, std::string_view name, const Value& value);
  /// Adds a field that is known to exist.
  void set(std::string_view name, std::int64_t value);

  /// Returns the day, in days since 1970-01-01. Missing fields are taken from `base`; without a base they are 1.
  /// Errors: invalid_argument if fields contradict each other, the day does not exist, or the year is missing.
  [[nodiscard]] Result<std::int64_t> days(std::optional<std::int64_t> base) const;
  /// Returns the time of day in nanoseconds, by the same rules.
  [[nodiscard]] Result<std::int64_t> nanoseconds(std::optional<std::int64_t> base,
                                                 Fraction fraction = Fraction::replaced) const;

 private:
  struct Field {
    std::string_view name;
    std::int64_t value = 0;
  };
  [[nodiscard]] std::optional<std::int64_t> find(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return find(name).has_value(); }
  /// Returns the field, else the part of the base, else `otherwise`.
  [[nodiscard]] std::int64_t pick(std::string_view name, std::optional<std::int64_t> base,
                                  std::int64_t otherwise) const;
  [[nodiscard]] Status check_ranges() const;
  [[nodiscard]] Status check_kinds_of_day() const;
  [[nodiscard]] Status check_order(std::initializer_list<std::string_view> names) const;
  [[nodiscard]] std::int64_t day_of_week_date(std::optional<std::int64_t> base) const;
  [[nodiscard]] Result<std::int64_t> day_of_year(std::optional<std::int64_t> base) const;
  [[nodiscard]] Result<std::int64_t> day_of_quarter(std::optional<std::int64_t> base) const;
  [[nodiscard]] Result<std::int64_t> day_of_month(std::optional<std::int64_t> base) const;
  [[nodiscard]] std::int64_t fraction_of_second(std::int64_t base, Fraction fraction) const;

  std::vector<Field> fields_;
};

// Calendar arithmetic with weeks, months and quarters. Weeks follow ISO 8601: they begin on Monday, and week 1
// of a year contains 4 January. Days are counted from 1970-01-01.

/// A day by its ISO week.
struct WeekDate {
  std::int64_t year = 1970;  ///< year to which the week belongs
  std::int64_t week = 1;     ///< 1 to 53
  std::int64_t day = 4;      ///< 1 is Monday, 7 is Sunday
};

/// Returns 1 for Monday to 7 for Sunday. Day 0, 1970-01-01, was a Thursday.
[[nodiscard]] constexpr std::int64_t week_day(std::int64_t days) noexcept {
  return codec::floor_modulo(days + 3, 7) + 1;
}

/// Returns 1 January of a year, which may be negative.
[[nodiscard]] constexpr std::int64_t first_day_of_year(std::int64_t year) noexcept {
  return codec::days_from_civil({year, 1, 1});
}

/// Converts a week date to a day. Numbers of weeks and days outside of their range count on.
[[nodiscard]] constexpr std::int64_t days_from_week(const WeekDate& date) noexcept {
  const std::int64_t january_4 = first_day_of_year(date.year) + 3;
  const std::int64_t first_monday = january_4 - (week_day(january_4) - 1);
  return first_monday + (date.week - 1) * 7 + date.day - 1;
}

/// Converts a day to a week date. A week belongs to the year of its Thursday.
[[nodiscard]] constexpr WeekDate week_from_days(std::int64_t days) noexcept {
  const std::int64_t thursday = days - week_day(days) + 4;
  const std::int64_t year = codec::civil_from_days(thursday).year;
  return {year, (thursday - first_day_of_year(year)) / 7 + 1, week_day(days)};
}

/// Returns 52 or 53, the week of 28 December.
[[nodiscard]] constexpr std::int64_t weeks_in_year(std::int64_t year) noexcept {
  return week_from_days(codec::days_from_civil({year, 12, 28})).week;
}

/// Returns the same day of the month `months` later, or the last day of that month if it is shorter.
[[nodiscard]] constexpr std::int64_t add_months(std::int64_t day, std::int64_t months) noexcept {
  codec::CivilDate date = codec::civil_from_days(day);
  const std::int64_t month = date.year * 12 + date.month - 1 + months;
  date.year = codec::floor_divide(month, 12);
  date.month = static_cast<unsigned>(codec::floor_modulo(month, 12)) + 1;
  date.day = std::min(date.day, codec::days_in_month(date.year, date.month));
  return codec::days_from_civil(date);
}

/// Returns 1, 4, 7 or 10.
[[nodiscard]] constexpr unsigned first_month_of_quarter(unsigned quarter) noexcept {
  return quarter * 3 - 2;
}
[[nodiscard]] constexpr unsigned quarter_of_month(unsigned month) noexcept {
  return (month + 2) / 3;
}

}  // namespace cairn::query
