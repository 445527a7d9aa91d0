#pragma once
// Temporal values from named fields, by the calendar and by its weeks.

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

// The numbers that name a point in time: {year: 1984, week: 10, dayOfWeek: 3, hour: 12}. They come
// from a map or from a text, stand alone or change the parts of another value.

/// How the fraction of a second that is being changed meets milli-, micro- and nanosecond fields.
enum class Fraction : std::uint8_t { replaced, added_to };

/// Fields in the order they came; a later one of the same name never overrides an earlier one.
class PointFields {
 public:
  /// Take a field in. Errors: invalid_argument for an unknown field or one that `type` does not have;
  /// type_error if the value is not an integer.
  [[nodiscard]] Status put(const PointType& type, std::string_view name, const Value& value);
  /// Take in a field that is known to exist.
  void set(std::string_view name, std::int64_t value);

  /// The day that the fields name; what they leave open is taken from `base`, or begins with 1.
  /// Errors: invalid_argument where they contradict each other, name no day, or leave out the year.
  [[nodiscard]] Result<std::int64_t> days(std::optional<std::int64_t> base) const;
  /// The nanosecond of the day that they name, in the same way.
  [[nodiscard]] Result<std::int64_t> nanoseconds(std::optional<std::int64_t> base,
                                                 Fraction fraction = Fraction::replaced) const;

 private:
  struct Field {
    std::string_view name;
    std::int64_t value = 0;
  };
  [[nodiscard]] std::optional<std::int64_t> find(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return find(name).has_value(); }
  /// The field, else what the base has, else `otherwise`.
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

// Steps through the calendar by weeks, months and quarters. Weeks are those of ISO 8601: they begin
// on Monday, and the first week of a year is the one with 4 January in it.

struct WeekDate {
  std::int64_t year = 1970;  ///< the year that the week belongs to
  std::int64_t week = 1;     ///< 1 to 53
  std::int64_t day = 4;      ///< 1 is Monday, 7 Sunday
};

/// 1 for Monday to 7 for Sunday; 1970-01-01, day 0, was a Thursday.
[[nodiscard]] constexpr std::int64_t week_day(std::int64_t days) noexcept {
  return codec::floor_modulo(days + 3, 7) + 1;
}

/// 1 January as days since 1970-01-01; years of any sign.
[[nodiscard]] constexpr std::int64_t first_day_of_year(std::int64_t year) noexcept {
  return codec::days_from_civil({year, 1, 1});
}

/// The day of a week date; any week and day number counts on from the first.
[[nodiscard]] constexpr std::int64_t days_from_week(const WeekDate& date) noexcept {
  const std::int64_t january_4 = first_day_of_year(date.year) + 3;
  const std::int64_t first_monday = january_4 - (week_day(january_4) - 1);
  return first_monday + (date.week - 1) * 7 + date.day - 1;
}

/// A week belongs to the year that its Thursday lies in.
[[nodiscard]] constexpr WeekDate week_from_days(std::int64_t days) noexcept {
  const std::int64_t thursday = days - week_day(days) + 4;
  const std::int64_t year = codec::civil_from_days(thursday).year;
  return {year, (thursday - first_day_of_year(year)) / 7 + 1, week_day(days)};
}

/// Weeks of a year: 53 where 28 December lies in week 53.
[[nodiscard]] constexpr std::int64_t weeks_in_year(std::int64_t year) noexcept {
  return week_from_days(codec::days_from_civil({year, 12, 28})).week;
}

/// The same day of the month `months` later, or the last one of a month that is too short.
[[nodiscard]] constexpr std::int64_t add_months(std::int64_t day, std::int64_t months) noexcept {
  codec::CivilDate date = codec::civil_from_days(day);
  const std::int64_t month = date.year * 12 + date.month - 1 + months;
  date.year = codec::floor_divide(month, 12);
  date.month = static_cast<unsigned>(codec::floor_modulo(month, 12)) + 1;
  date.day = std::min(date.day, codec::days_in_month(date.year, date.month));
  return codec::days_from_civil(date);
}

/// 1, 4, 7 or 10.
[[nodiscard]] constexpr unsigned first_month_of_quarter(unsigned quarter) noexcept {
  return quarter * 3 - 2;
}
[[nodiscard]] constexpr unsigned quarter_of_month(unsigned month) noexcept {
  return (month + 2) / 3;
}

}  // namespace cairn::query
