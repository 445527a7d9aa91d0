// truncate(): a point to the beginning of its unit, on its own clock. Weeks are ISO's.
#include "query/functions/temporal_operations.hpp"

#include "query/functions/week_calendar.hpp"

#include <algorithm>
#include <string>

namespace cairn::query {
namespace {

using codec::civil_from_days;

/// Years are counted from 0, as ISO 8601 does, so the decade of 1984 begins with 1980.
template <std::int64_t years>
std::int64_t first_of_years(std::int64_t days) {
  return first_day_of_year(codec::floor_divide(civil_from_days(days).year, years) * years);
}

/// Monday of week 1, which may lie in the December before.
std::int64_t first_of_week_year(std::int64_t days) {
  return days_from_week({week_from_days(days).year, 1, 1});
}

std::int64_t first_of_quarter(std::int64_t days) {
  const codec::CivilDate date = civil_from_days(days);
  return codec::days_from_civil(
      {date.year, first_month_of_quarter(quarter_of_month(date.month)), 1});
}

std::int64_t first_of_month(std::int64_t days) {
  const codec::CivilDate date = civil_from_days(days);
  return codec::days_from_civil({date.year, date.month, 1});
}

/// Weeks begin on Monday, everywhere.
std::int64_t monday_of(std::int64_t days) { return days - week_day(days) + 1; }
std::int64_t same_day(std::int64_t days) { return days; }

struct DateUnit {
  std::string_view name;
  std::int64_t (*begin)(std::int64_t days);
};

// Units of a day or more: a day is mapped to the first one of its unit.
constexpr DateUnit date_units[] = {
    {"millennium", first_of_years<1'000>},
    {"century", first_of_years<100>},
    {"decade", first_of_years<10>},
    {"year", first_of_years<1>},
    {"weekYear", first_of_week_year},
    {"quarter", first_of_quarter},
    {"month", first_of_month},
    {"week", monday_of},
    {"day", same_day},
};

struct TimeUnit {
  std::string_view name;
  std::int64_t nanoseconds;
};

// Units below a day, of fixed length on a clock.
constexpr TimeUnit time_units[] = {
    {"hour", 3'600 * codec::nanoseconds_per_second},
    {"minute", 60 * codec::nanoseconds_per_second},
    {"second", codec::nanoseconds_per_second},
    {"millisecond", 1'000'000},
    {"microsecond", 1'000},
};

Error wrong_unit(std::string_view unit, std::string_view problem) {
  return {ErrorCode::invalid_argument,
          "truncate(): " + std::string(problem) + " '" + std::string(unit) + "'",
          {}};
}

}  // namespace

// The time of day is cut on the local clock; the zone stays, its offset follows when a value is
// made.
Result<TemporalParts> truncated(TemporalParts parts, std::string_view unit) {
  if (const auto* found = std::ranges::find(date_units, unit, &DateUnit::name);
      found != std::end(date_units)) {
    if (!parts.days && unit != "day") return wrong_unit(unit, "a time has no");
    if (parts.days) parts.days = found->begin(*parts.days);
    if (parts.nanoseconds) parts.nanoseconds = 0;
    return parts;
  }
  const auto* found = std::ranges::find(time_units, unit, &TimeUnit::name);
  if (found == std::end(time_units)) return wrong_unit(unit, "there is no unit");
  if (!parts.nanoseconds) return wrong_unit(unit, "a date has no");
  *parts.nanoseconds -= *parts.nanoseconds % found->nanoseconds;
  return parts;
}

}  // namespace cairn::query
