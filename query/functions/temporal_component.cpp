// Components of temporal values, such as date.year, by tables of names; and truncate() in the second half. An unknown
// component is an error and not null, because the author of a statement knows the names.

#include "codec/value_text.hpp"
#include "query/functions/call.hpp"
#include "query/functions/temporal_fields.hpp"
#include "query/functions/temporal_operations.hpp"
#include "query/functions/temporal_parts.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace cairn::query {
namespace {

/// A component: its name and how to read it from one part of a value.
template <class Part>
struct Component {
  std::string_view name;
  Result<Value> (*read)(const Part& part);
};

std::int64_t year_of(std::int64_t days) { return codec::civil_from_days(days).year; }
unsigned month_of(std::int64_t days) { return codec::civil_from_days(days).month; }
/// Counts from 1.
std::int64_t day_of_quarter(std::int64_t days) {
  const unsigned first_month = first_month_of_quarter(quarter_of_month(month_of(days)));
  return days - codec::days_from_civil({year_of(days), first_month, 1}) + 1;
}
Result<Value> integer(std::int64_t number) { return Value(number); }

// The names of openCypher. dayOfWeek is a second name of weekDay, because maps use it.
constexpr Component<std::int64_t> day_components[] = {
    {"year", [](const auto& days) { return integer(year_of(days)); }},
    {"quarter", [](const auto& days) { return integer(quarter_of_month(month_of(days))); }},
    {"month", [](const auto& days) { return integer(month_of(days)); }},
    {"week", [](const auto& days) { return integer(week_from_days(days).week); }},
    {"weekYear", [](const auto& days) { return integer(week_from_days(days).year); }},
    {"day", [](const auto& days) { return integer(codec::civil_from_days(days).day); }},
    {"ordinalDay",
     [](const auto& days) { return integer(days - first_day_of_year(year_of(days)) + 1); }},
    {"weekDay", [](const auto& days) { return integer(week_day(days)); }},
    {"dayOfWeek", [](const auto& days) { return integer(week_day(days)); }},
    {"dayOfQuarter", [](const auto& days) { return integer(day_of_quarter(days)); }},
};

// The fraction of a second is available in three units. Each is the whole fraction, not the rest below the next
// larger unit.
constexpr Component<std::int64_t> clock_components[] = {
    {"hour",
     [](const auto& time) { return integer(time / (3'600 * codec::nanoseconds_per_second)); }},
    {"minute",
     [](const auto& time) { return integer(time / (60 * codec::nanoseconds_per_second) % 60); }},
    {"second", [](const auto& time) { return integer(time / codec::nanoseconds_per_second % 60); }},
    {"millisecond",
     [](const auto& time) { return integer(time % codec::nanoseconds_per_second / 1'000'000); }},
    {"microsecond",
     [](const auto& time) { return integer(time % codec::nanoseconds_per_second / 1'000); }},
    {"nanosecond", [](const auto& time) { return integer(time % codec::nanoseconds_per_second); }},
};

/// The zone of a value always has an offset; a zone that was only parsed may lack it.
std::int64_t offset_of(const Zone& zone) { return zone.offset_seconds.value_or(0); }

constexpr Component<Zone> zone_components[] = {
    {"timezone",
     [](const Zone& zone) -> Result<Value> {
       return Value(zone.name.empty() ? codec::offset_text(offset_of(zone)) : zone.name);
     }},
    {"offset",
     [](const Zone& zone) -> Result<Value> { return Value(codec::offset_text(offset_of(zone))); }},
    {"offsetMinutes", [](const Zone& zone) { return integer(offset_of(zone) / 60); }},
    {"offsetSeconds", [](const Zone& zone) { return integer(offset_of(zone)); }},
};

/// Converts seconds and nanoseconds to a smaller unit. The longest times do not fit into an integer.
Result<Value> whole(std::string_view name, std::int64_t seconds, std::int64_t nanoseconds,
                    std::int64_t units_per_second) {
  const auto total = codec::Int128{seconds} * units_per_second +
                     nanoseconds / (codec::nanoseconds_per_second / units_per_second);
  const auto number = static_cast<std::int64_t>(total);
  if (number == total) return Value(number);
  return Error{ErrorCode::invalid_argument,
               "the component ." + std::string(name) + " of " + std::to_string(seconds) +
                   " seconds does not fit into a 64-bit integer; read a larger unit",
               {}};
}

Result<Value> whole(std::string_view name, const Duration& x, std::int64_t units_per_second) {
  return whole(name, x.seconds, x.nanoseconds, units_per_second);
}

// Only a datetime denotes an instant; local values do not.
constexpr Component<DateTime> epoch_components[] = {
    {"epochSeconds", [](const DateTime& x) { return integer(x.seconds); }},
    {"epochMillis",
     [](const DateTime& x) { return whole("epochMillis", x.seconds, x.nanoseconds, 1'000); }},
};

// A plural such as `hours` is the total of its part (months, days or time) in this unit. A name such as `minutesOfHour`
// is the rest below the larger unit.
constexpr Component<Duration> duration_components[] = {
    {"years", [](const Duration& x) { return integer(x.months / 12); }},
    {"quarters", [](const Duration& x) { return integer(x.months / 3); }},
    {"months", [](const Duration& x) { return integer(x.months); }},
    {"weeks", [](const Duration& x) { return integer(x.days / 7); }},
    {"days", [](const Duration& x) { return integer(x.days); }},
    {"hours", [](const Duration& x) { return integer(x.seconds / 3'600); }},
    {"minutes", [](const Duration& x) { return integer(x.seconds / 60); }},
    {"seconds", [](const Duration& x) { return integer(x.seconds); }},
    {"milliseconds", [](const Duration& x) { return whole("milliseconds", x, 1'000); }},
    {"microseconds", [](const Duration& x) { return whole("microseconds", x, 1'000'000); }},
    {"nanoseconds",
     [](const Duration& x) { return whole("nanoseconds", x, codec::nanoseconds_per_second); }},
    {"quartersOfYear", [](const Duration& x) { return integer(x.months / 3 % 4); }},
    {"monthsOfQuarter", [](const Duration& x) { return integer(x.months % 3); }},
    {"monthsOfYear", [](const Duration& x) { return integer(x.months % 12); }},
    {"daysOfWeek", [](const Duration& x) { return integer(x.days % 7); }},
    {"minutesOfHour", [](const Duration& x) { return integer(x.seconds / 60 % 60); }},
    {"secondsOfMinute", [](const Duration& x) { return integer(x.seconds % 60); }},
    {"millisecondsOfSecond", [](const Duration& x) { return integer(x.nanoseconds / 1'000'000); }},
    {"microsecondsOfSecond", [](const Duration& x) { return integer(x.nanoseconds / 1'000); }},
    {"nanosecondsOfSecond", [](const Duration& x) { return integer(x.nanoseconds); }},
};

// Returns nullopt if the value lacks the part, or the table lacks the name.
template <class Part>
std::optional<Result<Value>> find_component(std::span<const Component<Part>> table,
                                            const Part* part, std::string_view name) {
  if (!part) return std::nullopt;
  const auto found = std::ranges::find(table, name, &Component<Part>::name);
  return found == table.end() ? std::nullopt : std::optional(found->read(*part));
}

template <class Part>
const Part* pointer(const std::optional<Part>& part) {
  return part ? &*part : nullptr;
}

/// Searches the tables of all parts that the value has.
std::optional<Result<Value>> find_in(const TemporalParts& parts, const DateTime* date_time,
                                     std::string_view name) {
  auto found = find_component<std::int64_t>(day_components, pointer(parts.days), name);
  if (!found)
    found = find_component<std::int64_t>(clock_components, pointer(parts.nanoseconds), name);
  if (!found) found = find_component<Zone>(zone_components, pointer(parts.zone), name);
  if (!found) found = find_component<DateTime>(epoch_components, date_time, name);
  return found;
}

}  // namespace

// Returns nullopt for a value that is not temporal; the caller then reads a property or a map key.
std::optional<Result<Value>> temporal_component(const Value& value, std::string_view name) {
  const auto parts = parts_of(value);
  const auto* duration = value.get_if<Duration>();
  if (!parts && !duration) return std::nullopt;
  const auto found = parts ? find_in(*parts, value.get_if<DateTime>(), name)
                           : find_component<Duration>(duration_components, duration, name);
  if (found) return *found;
  return Error{
      ErrorCode::invalid_argument,
      "a " + std::string(to_string(value.type())) + " has no component ." + std::string(name),
      {}};
}

// truncate(): the beginning of the unit in local time. Weeks follow ISO 8601.

namespace {

using codec::civil_from_days;

/// Units of several years count from year 0, as in ISO 8601: the decade of 1984 begins in 1980.
template <std::int64_t years>
std::int64_t first_of_years(std::int64_t days) {
  return first_day_of_year(codec::floor_divide(civil_from_days(days).year, years) * years);
}

/// The Monday of week 1, which may be in the December before.
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

/// Weeks begin on Monday.
std::int64_t monday_of(std::int64_t days) { return days - week_day(days) + 1; }
std::int64_t same_day(std::int64_t days) { return days; }

/// A unit of a day or more, and the function that returns its first day.
struct DateUnit {
  std::string_view name;
  std::int64_t (*begin)(std::int64_t days);
};

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

// Units below a day, with a fixed length on a clock.
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

// Truncates the local time. The zone is preserved; make_point() determines its offset.
Result<TemporalParts> truncated(TemporalParts parts, std::string_view unit) {
  if (const auto* found = std::ranges::find(date_units, unit, &DateUnit::name);
      found != std::end(date_units)) {
    if (!parts.days && unit != "day") return wrong_unit(unit, "a time has no");
    if (parts.days) parts.days = found->begin(*parts.days);
    if (parts.nanoseconds) parts.nanoseconds = 0;
    return parts;
  }
  const auto* found = std::ranges::find(time_units, unit, &TimeUnit::name);
  if (found == std::end(time_units)) return wrong_unit(unit, "unknown unit");
  if (!parts.nanoseconds) return wrong_unit(unit, "a date has no");
  *parts.nanoseconds -= *parts.nanoseconds % found->nanoseconds;
  return parts;
}

}  // namespace cairn::query
