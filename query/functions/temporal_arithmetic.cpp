// Arithmetic with durations, and the distance of two points in the second half.
//
// A duration is added to a point in three steps: months, then days, then time. If the target month is too short, the
// result is its last day. Parts that a type does not have are ignored: a date ignores hours, and a time ignores days.

#include "query/functions/temporal_fields.hpp"
#include "query/functions/temporal_operations.hpp"
#include "query/functions/temporal_parts.hpp"

#include <algorithm>

namespace cairn::query {
namespace {

using codec::floor_divide;
using codec::floor_modulo;
using codec::Int128;

constexpr std::int64_t per_day = codec::nanoseconds_per_day;

/// Moves a day by months and then by days. If the target month is too short, its last day is used before the days are
/// added.
Result<std::int64_t> move_day(std::int64_t day, std::int64_t months, std::int64_t days) {
  constexpr std::int64_t most_months = 12 * std::int64_t{2'000'000'000};
  if (months > most_months || months < -most_months) return date_out_of_range();
  const Int128 moved = Int128{add_months(day, months)} + days;
  if (moved < codec::min_days || moved > codec::max_days) return date_out_of_range();
  return static_cast<std::int64_t>(moved);
}

/// Needs more than 64 bits: 2^63 seconds are about 2^93 nanoseconds.
Int128 nanoseconds_of(const Duration& duration) {
  return Int128{duration.seconds} * codec::nanoseconds_per_second + duration.nanoseconds;
}

/// Computes exactly for any duration. A result outside of the calendar is an error and never wraps.
Result<LocalDateTime> move_seconds(const LocalDateTime& from, const Duration& by) {
  const std::int64_t fraction = std::int64_t{from.nanoseconds} + by.nanoseconds;
  const Int128 seconds =
      Int128{from.seconds} + by.seconds + fraction / codec::nanoseconds_per_second;
  // Limits the value to 64 bits. The limits are far outside of the calendar, so such a result is refused below.
  const auto cut =
      static_cast<std::int64_t>(std::clamp<Int128>(seconds, -(Int128{1} << 62), Int128{1} << 62));
  const LocalDateTime moved{cut,
                            static_cast<std::int32_t>(fraction % codec::nanoseconds_per_second)};
  if (!codec::is_valid(moved)) return date_out_of_range();
  return moved;
}

/// Adds a duration to a temporal value. Parts that a type does not have are ignored.
struct Mover {
  Duration by;

  /// Only whole days of the duration's time count. Values are limited to 64 bits; the limits are far outside of the
  /// calendar, and move_day() refuses them.
  Result<Value> operator()(const Date& from) const {
    const Int128 days = by.days + nanoseconds_of(by) / per_day;
    const auto limited = std::clamp<Int128>(days, -(Int128{1} << 62), Int128{1} << 62);
    CAIRN_ASSIGN(const std::int64_t day,
                 move_day(from.days, by.months, static_cast<std::int64_t>(limited)));
    return Value(Date{day});
  }
  Result<Value> operator()(const LocalTime& from) const {
    return Value(LocalTime{turn(from.nanoseconds)});
  }
  Result<Value> operator()(const Time& from) const {
    return Value(Time{turn(from.nanoseconds), from.offset_seconds});
  }
  Result<Value> operator()(const LocalDateTime& from) const {
    CAIRN_ASSIGN(const LocalDateTime day, move_local_day(from));
    CAIRN_ASSIGN(const LocalDateTime moved, move_seconds(day, by));
    return Value(moved);
  }
  // Months and days move the local calendar day; hours and smaller units move the instant. A day on which the clocks
  // change may have 23 hours: PT24H adds 24 hours, and P1D gives the same local time on the next day.
  Result<Value> operator()(const DateTime& from) const {
    CAIRN_ASSIGN(const LocalDateTime day, move_local_day(local_of(from)));
    const bool stays = by.months == 0 && by.days == 0;
    const DateTime start = stays ? from : at_zone(day, zone_of(from));
    CAIRN_ASSIGN(const LocalDateTime moved, move_seconds({start.seconds, start.nanoseconds}, by));
    return Value(in_zone(moved.seconds, moved.nanoseconds, zone_of(start)));
  }
  Result<Value> operator()(const Duration& from) const {
    CAIRN_ASSIGN(const Duration total, add_durations(from, by, 1));
    return Value(total);
  }
  template <class Other>
  Result<Value> operator()(const Other&) const {
    return Value();  // never called: add_temporal() checks is_temporal() first
  }

 private:
  /// Adds the duration to a time of day without a date. The result wraps around midnight.
  std::int64_t turn(std::int64_t nanoseconds) const {
    const auto rest = static_cast<std::int64_t>(nanoseconds_of(by) % per_day);
    return floor_modulo(nanoseconds + rest, per_day);
  }
  /// Adds months before days: 31 January plus a month and a day is 1 March.
  Result<LocalDateTime> move_local_day(const LocalDateTime& from) const {
    const std::int64_t day = floor_divide(from.seconds, codec::seconds_per_day);
    CAIRN_ASSIGN(const std::int64_t moved, move_day(day, by.months, by.days));
    return LocalDateTime{from.seconds + (moved - day) * codec::seconds_per_day, from.nanoseconds};
  }
};

/// Relies on the order of the enumerators: temporal types are adjacent, and durations are the last.
bool is_temporal(const Value& value) {
  return value.type() >= ValueType::date && value.type() <= ValueType::duration;
}

/// Scales each part. A long double represents any 64-bit part exactly. Fractions are carried to smaller parts, as in
/// texts and maps of durations.
template <class Scale>
Result<Value> scaled(const Duration& duration, Scale scale) {
  const auto part = [&](std::int64_t count) { return scale(static_cast<long double>(count)); };
  CAIRN_ASSIGN(const Duration result,
               whole_duration({part(duration.months), part(duration.days), part(duration.seconds),
                               part(duration.nanoseconds)}));
  return Value(result);
}

/// Exact for integers of any size.
long double number_of(const Value& value) {
  const auto* integer = value.get_if<std::int64_t>();
  return integer ? static_cast<long double>(*integer) : static_cast<long double>(value.as_float());
}

}  // namespace

// Addition is commutative: duration + point is computed as point + duration.
std::optional<Result<Value>> add_temporal(const Value& a, const Value& b) {
  if (!is_temporal(a)) return std::nullopt;
  if (const auto* duration = b.get_if<Duration>()) return std::visit(Mover{*duration}, a.content());
  if (a.type() == ValueType::duration && is_temporal(b)) return add_temporal(b, a);
  return std::nullopt;
}

// Only durations can be subtracted. The distance of two points is duration.between(), whose variants choose the unit.
// An operator could not choose a unit.
std::optional<Result<Value>> subtract_temporal(const Value& a, const Value& b) {
  const auto* duration = b.get_if<Duration>();
  if (!duration || !is_temporal(a)) return std::nullopt;
  auto negative = add_durations({}, *duration, -1);
  if (!negative) return Result<Value>(std::move(negative).error());
  return add_temporal(a, Value(*negative));
}

std::optional<Result<Value>> multiply_temporal(const Value& a, const Value& b) {
  if (a.is_number() && b.type() == ValueType::duration) return multiply_temporal(b, a);
  const auto* duration = a.get_if<Duration>();
  if (!duration || !b.is_number()) return std::nullopt;
  return scaled(*duration, [factor = number_of(b)](long double part) { return part * factor; });
}

// Division by zero is an error also for a float, since a duration cannot be infinite.
std::optional<Result<Value>> divide_temporal(const Value& a, const Value& b) {
  const auto* duration = a.get_if<Duration>();
  if (!duration || !b.is_number()) return std::nullopt;
  const long double divisor = number_of(b);
  if (divisor == 0)
    return Error{ErrorCode::invalid_argument, "division by zero: " + a.to_text() + " / 0", {}};
  return scaled(*duration, [divisor](long double part) { return part / divisor; });
}

// The distance of two points in calendar units. A day or zone that one point lacks is taken from the other point: a
// time and a datetime are compared on the day of the datetime. A missing time is midnight. If the second point is
// earlier, no part of the distance is positive.

namespace {

using codec::floor_divide;
using codec::floor_modulo;
using codec::seconds_per_day;

/// A local time as a day and the time since midnight.
struct Moment {
  std::int64_t day = 0;
  std::int64_t second = 0;
  std::int64_t nanosecond = 0;
};

/// Returns the local time in the zone of the value.
Moment moment_of(const DateTime& value) {
  const LocalDateTime local = local_of(value);
  return {floor_divide(local.seconds, seconds_per_day),
          floor_modulo(local.seconds, seconds_per_day), local.nanoseconds};
}

/// Compares times of day.
bool is_earlier_in_day(const Moment& a, const Moment& b) {
  return std::pair(a.second, a.nanosecond) < std::pair(b.second, b.nanosecond);
}

/// Returns the last day that whole days reach on the way from `from` to `to`.
std::int64_t last_whole_day(const Moment& from, const Moment& to) {
  if (to.day > from.day && is_earlier_in_day(to, from)) return to.day - 1;
  if (to.day < from.day && is_earlier_in_day(from, to)) return to.day + 1;
  return to.day;
}

/// Rounds toward zero in both directions: from 31 January to 28 February is 0 months.
std::int64_t whole_months(std::int64_t from_day, std::int64_t to_day) {
  const codec::CivilDate from = codec::civil_from_days(from_day);
  const codec::CivilDate to = codec::civil_from_days(to_day);
  // A month has less than 32 days. So the difference of these numbers, divided by 32, is the number of whole months.
  const auto position = [](const codec::CivilDate& date) {
    return (date.year * 12 + date.month - 1) * 32 + date.day;
  };
  return (position(to) - position(from)) / 32;
}

/// Returns the same local time on another day. If the clocks skip this time, the result is moved forward.
DateTime on_day(const DateTime& value, std::int64_t day) {
  const Moment moment = moment_of(value);
  const LocalDateTime local{day * seconds_per_day + moment.second, value.nanoseconds};
  return at_zone(local, zone_of(value));
}

/// Measures between instants, so that an hour that the clocks skip or repeat counts with its real length.
Duration seconds_between(const DateTime& from, const DateTime& to) {
  const std::int32_t fraction = to.nanoseconds - from.nanoseconds;
  const bool borrows = fraction < 0;
  return {0, 0, to.seconds - from.seconds - (borrows ? 1 : 0),
          borrows ? fraction + static_cast<std::int32_t>(codec::nanoseconds_per_second) : fraction};
}

/// Fills in the parts that `parts` lacks: the day and the zone of `other`, and midnight.
DateTime complete(const TemporalParts& parts, const TemporalParts& other) {
  const std::int64_t day = parts.days.value_or(other.days.value_or(0));
  const Zone zone = parts.zone.value_or(other.zone.value_or(utc));
  return at_zone(local_date_time(day, parts.nanoseconds.value_or(0)), zone);
}

}  // namespace

// Both points are compared in the zone of the first one.
Interval::Interval(const TemporalParts& from, const TemporalParts& to)
    : has_dates_(from.days && to.days), from_(complete(from, to)) {
  const DateTime end = complete(to, from);
  to_ = in_zone(end.seconds, end.nanoseconds, zone_of(from_));
}

// Two times of day have no dates and so no months between them; the result is zero.
Duration Interval::in_months() const {
  if (!has_dates_) return {};
  const Moment from = moment_of(from_);
  return {whole_months(from.day, last_whole_day(from, moment_of(to_))), 0, 0, 0};
}

// Counts whole calendar days; an incomplete last day is not counted.
Duration Interval::in_days() const {
  if (!has_dates_) return {};
  const Moment from = moment_of(from_);
  return {0, last_whole_day(from, moment_of(to_)) - from.day, 0, 0};
}

Duration Interval::in_seconds() const { return seconds_between(from_, to_); }

// The rest after the last whole day is measured between instants. So a day with a change of the clocks counts as one
// day, and a part of it counts with its real length.
Duration Interval::in_all_units() const {
  if (!has_dates_) return in_seconds();
  const Moment from = moment_of(from_);
  const std::int64_t end = last_whole_day(from, moment_of(to_));
  const std::int64_t months = whole_months(from.day, end);
  const std::int64_t after_months = add_months(from.day, months);
  Duration result = seconds_between(on_day(from_, end), to_);
  result.months = months;
  result.days = end - after_months;
  return result;
}

}  // namespace cairn::query
