// Every point in time as up to three parts: days since 1970, nanoseconds of the day, a zone. What
// is computed with parts is computed for all types at once.
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

/// A negative second count is a day before 1970 and a time counted upwards in it.
TemporalParts parts_of_local(const LocalDateTime& value) {
  return {floor_divide(value.seconds, codec::seconds_per_day),
          floor_modulo(value.seconds, codec::seconds_per_day) * codec::nanoseconds_per_second +
              value.nanoseconds,
          {}};
}

/// One overload a type; everything else has no parts.
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
  /// The parts of the local clock, beside the zone.
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

// The inverse of taking apart. Seconds of any day in the calendar fit 64 bits.
LocalDateTime local_date_time(std::int64_t days, std::int64_t nanoseconds) noexcept {
  return {days * codec::seconds_per_day + nanoseconds / codec::nanoseconds_per_second,
          static_cast<std::int32_t>(nanoseconds % codec::nanoseconds_per_second)};
}

// The range of Java's LocalDate, on which the behaviour of Cypher rests.
Error date_out_of_range() {
  return {
      ErrorCode::invalid_argument, "a date must lie within the years -999999999 and 999999999", {}};
}

// Parts to a value of a type, the way back from the above. The calendar's range is checked last.

namespace {

/// Parts that are missing do no harm where their type does not show them.
DateTime date_time_of(const TemporalParts& parts) {
  const LocalDateTime local =
      local_date_time(parts.days.value_or(0), parts.nanoseconds.value_or(0));
  return at_zone(local, parts.zone.value_or(utc));
}

}  // namespace

// A time with a named zone has the offset of its day, or of 1970 where it has none: a type without
// a date cannot keep a zone whose offset changes.
// A time that is missing is midnight.
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

// The statement's clock ticks in microseconds; nanoseconds are zeros.
TemporalParts parts_at(std::int64_t microseconds, const Zone& zone) {
  constexpr std::int64_t per_second = 1'000'000;
  const auto fraction = static_cast<std::int32_t>(codec::floor_modulo(microseconds, per_second));
  const std::int64_t instant = codec::floor_divide(microseconds, per_second);
  return *parts_of(in_zone(instant, fraction * 1'000, zone));
}

// The same instant on another clock; a time without a date gets none.
TemporalParts moved_to_zone(const TemporalParts& parts, const Zone& zone) {
  const DateTime from = date_time_of(parts);
  TemporalParts moved = *parts_of(in_zone(from.seconds, from.nanoseconds, zone));
  if (!parts.days) moved.days.reset();
  return moved;
}

// A duration is months, days, seconds and nanoseconds. Months and days have no fixed length, so only nanoseconds
// are carried, into seconds. A long double holds any 64-bit integer
// exactly on x86-64, but not with nine digits behind it: fractions of seconds are counted in nanoseconds apart.

namespace {

/// One message for all parts: which of them it was, the user's own text shows.
Error too_long() {
  return {
      ErrorCode::invalid_argument, "the duration is too long: a part of it exceeds 64 bits", {}};
}

/// The part without its fraction, which is left in `part`.
std::optional<std::int64_t> take_whole(long double& part) {
  const long double whole = std::trunc(part);
  constexpr long double bound = 0x1p63L;
  if (!(whole >= -bound && whole < bound)) return std::nullopt;
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
