// Points in time as up to three parts: days since 1970, nanoseconds of the day, and a zone. Computations on parts
// work for all types. The second half builds durations.
#include "query/functions/temporal_parts.hpp"

#include "codec/instant.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace cairn::query {
namespace {

using codec::floor_divide;
using codec::floor_modulo;

/// For times before 1970, the day is rounded down and the time of day is not negative.
TemporalParts parts_of_local(const LocalDateTime& value) {
  return {floor_divide(value.seconds, codec::seconds_per_day),
          floor_modulo(value.seconds, codec::seconds_per_day) * codec::nanoseconds_per_second +
              value.nanoseconds,
          {}};
}

/// One overload for each point type; all other types have no parts.
struct Parter {
  std::optional<TemporalParts> operator()(const Date& x) const {
    return TemporalParts{x.days, {}, {}};
  }
  std::optional<TemporalParts> operator()(const LocalTime& x) const {
    return TemporalParts{{}, x.nanoseconds, {}};
  }
  std::optional<TemporalParts> operator()(const Time& x) const {
    return TemporalParts{{}, x.nanoseconds, Zone{"", x.offset_seconds}};
  }
  std::optional<TemporalParts> operator()(const LocalDateTime& x) const {
    return parts_of_local(x);
  }
  /// Returns the local day and time, with the zone.
  std::optional<TemporalParts> operator()(const DateTime& x) const {
    TemporalParts parts = parts_of_local(local_of(x));
    parts.zone = zone_of(x);
    return parts;
  }
  template <class Other>
  std::optional<TemporalParts> operator()(const Other&) const {
    return std::nullopt;
  }
};

}  // namespace

std::optional<TemporalParts> parts_of(const Value& value) {
  return std::visit(Parter{}, value.content());
}

// The inverse of parts_of_local(). The seconds of every day of the calendar fit into 64 bits.
LocalDateTime local_date_time(std::int64_t days, std::int64_t nanoseconds) noexcept {
  return {days * codec::seconds_per_day + nanoseconds / codec::nanoseconds_per_second,
          static_cast<std::int32_t>(nanoseconds % codec::nanoseconds_per_second)};
}

// The range of Java's LocalDate, which Neo4j uses.
Error date_out_of_range() {
  return {
      ErrorCode::invalid_argument, "a date must lie within the years -999999999 and 999999999", {}};
}

// Builds values from parts. Checks the range of the calendar at the end.

namespace {

/// Missing parts get defaults, which the caller's type does not show.
DateTime date_time_of(const TemporalParts& parts) {
  const LocalDateTime local =
      local_date_time(parts.days.value_or(0), parts.nanoseconds.value_or(0));
  return at_zone(local, parts.zone.value_or(utc));
}

}  // namespace

// A time with a named zone gets the offset on its day, or on 1970-01-01 without a day: a type without a date
// cannot store a zone whose offset changes. A missing time is midnight.
Result<Value> make_point(const PointType& type, const TemporalParts& parts) {
  if (type.has_date && !parts.days)
    return Error{ErrorCode::invalid_argument,
                 std::string(type.name) + "() needs a date: a time alone has none",
                 {}};
  const std::int64_t nanoseconds = parts.nanoseconds.value_or(0);
  if (!type.has_time) return checked(Date{*parts.days});
  if (!type.has_date && !type.has_zone) return Value(LocalTime{nanoseconds});
  if (!type.has_date) return Value(Time{nanoseconds, date_time_of(parts).offset_seconds});
  if (!type.has_zone) return checked(local_date_time(*parts.days, nanoseconds));
  return checked(date_time_of(parts));
}

// The clock of a statement counts microseconds, so the last three digits of nanoseconds are 0.
TemporalParts parts_at(std::int64_t microseconds, const Zone& zone) {
  constexpr std::int64_t per_second = 1'000'000;
  const auto fraction = static_cast<std::int32_t>(codec::floor_modulo(microseconds, per_second));
  const std::int64_t instant = codec::floor_divide(microseconds, per_second);
  return *parts_of(in_zone(instant, fraction * 1'000, zone));
}

// Converts to another zone. If the parts have no date, the result has no date.
TemporalParts moved_to_zone(const TemporalParts& parts, const Zone& zone) {
  const DateTime from = date_time_of(parts);
  TemporalParts moved = *parts_of(in_zone(from.seconds, from.nanoseconds, zone));
  if (!parts.days) moved.days.reset();
  return moved;
}

// Durations consist of months, days, seconds and nanoseconds. Months and days have no fixed length, so only nanoseconds
// are carried, into seconds. On x86-64 a long double represents any 64-bit integer exactly, but not nine decimal digits
// more. So fractions of seconds are counted separately, as nanoseconds.

namespace {

/// One message for all parts; the user's text shows which part is meant.
Error too_long() {
  return {
      ErrorCode::invalid_argument, "the duration is too long: a part of it exceeds 64 bits", {}};
}

/// Removes the whole number from `part` and returns it. Returns nullopt if it does not fit into 64 bits.
std::optional<std::int64_t> take_whole(long double& part) {
  const long double whole = std::trunc(part);
  constexpr long double bound = 0x1p63L;
  if (!(whole >= -bound && whole < bound)) return std::nullopt;
  part -= whole;
  return static_cast<std::int64_t>(whole);
}

/// Returns a + factor * b, or nullopt on overflow.
std::optional<std::int64_t> sum(std::int64_t a, std::int64_t b, std::int64_t factor) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(b, factor, &result) || __builtin_add_overflow(a, result, &result))
    return std::nullopt;
  return result;
}

}  // namespace

// Nanoseconds are never negative, so equal durations have equal fields.
Result<Duration> make_duration(std::int64_t months, std::int64_t days, std::int64_t seconds,
                               std::int64_t nanoseconds) {
  const auto total =
      sum(seconds, codec::floor_divide(nanoseconds, codec::nanoseconds_per_second), 1);
  if (!total) return too_long();
  return Duration{
      months, days, *total,
      static_cast<std::int32_t>(codec::floor_modulo(nanoseconds, codec::nanoseconds_per_second))};
}

// Carries the fraction of each part to the next smaller part, and rounds nanoseconds. Seconds are never carried to
// days nor days to months, because these units have no fixed length.
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

// Adds part by part. Only nanoseconds are carried, into seconds.
Result<Duration> add_durations(const Duration& a, const Duration& b, std::int64_t factor) {
  const auto months = sum(a.months, b.months, factor);
  const auto days = sum(a.days, b.days, factor);
  const auto seconds = sum(a.seconds, b.seconds, factor);
  if (!months || !days || !seconds) return too_long();
  return make_duration(*months, *days, *seconds, a.nanoseconds + factor * b.nanoseconds);
}

}  // namespace cairn::query
