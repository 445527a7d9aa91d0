// The distance between two points, in units that a calendar has. What one of the two lacks is taken
// from the other: a time and a datetime are compared on the datetime's day. Backwards everything is
// negative.
#include "query/functions/temporal_operations.hpp"

#include "query/functions/week_calendar.hpp"

#include <algorithm>

namespace cairn::query {
namespace {

using codec::floor_divide;
using codec::floor_modulo;
using codec::seconds_per_day;

/// A local moment as a day and what has gone of it.
struct Moment {
  std::int64_t day = 0;
  std::int64_t second = 0;
  std::int64_t nanosecond = 0;
};

/// As the clock of the value's own zone shows it.
Moment moment_of(const DateTime& value) {
  const LocalDateTime local = local_of(value);
  return {floor_divide(local.seconds, seconds_per_day),
          floor_modulo(local.seconds, seconds_per_day), local.nanoseconds};
}

/// Days set aside.
bool is_earlier_in_day(const Moment& a, const Moment& b) {
  return std::pair(a.second, a.nanosecond) < std::pair(b.second, b.nanosecond);
}

/// The last day that is reached in whole days when walking from `from` to `to`.
std::int64_t last_whole_day(const Moment& from, const Moment& to) {
  if (to.day > from.day && is_earlier_in_day(to, from)) return to.day - 1;
  if (to.day < from.day && is_earlier_in_day(from, to)) return to.day + 1;
  return to.day;
}

/// Toward zero, also backwards: from 31 January to 28 February it is 0.
std::int64_t whole_months(std::int64_t from_day, std::int64_t to_day) {
  const codec::CivilDate from = codec::civil_from_days(from_day);
  const codec::CivilDate to = codec::civil_from_days(to_day);
  // No month has 32 days, so this number is the months where it is divided by 32.
  const auto position = [](const codec::CivilDate& date) {
    return (date.year * 12 + date.month - 1) * 32 + date.day;
  };
  return (position(to) - position(from)) / 32;
}

/// The same time of day on another day, as well as the zone's clocks allow.
DateTime on_day(const DateTime& value, std::int64_t day) {
  const Moment moment = moment_of(value);
  const LocalDateTime local{day * seconds_per_day + moment.second, value.nanoseconds};
  return at_zone(local, zone_of(value));
}

/// Between instants, so an hour that clocks skip or repeat counts as it was lived.
Duration seconds_between(const DateTime& from, const DateTime& to) {
  const std::int32_t fraction = to.nanoseconds - from.nanoseconds;
  const bool borrows = fraction < 0;
  return {0, 0, to.seconds - from.seconds - (borrows ? 1 : 0),
          borrows ? fraction + static_cast<std::int32_t>(codec::nanoseconds_per_second) : fraction};
}

/// What this one lacks is taken from the other, so that both can be compared.
DateTime complete(const TemporalParts& parts, const TemporalParts& other) {
  const std::int64_t day = parts.days.value_or(other.days.value_or(0));
  const Zone zone = parts.zone.value_or(other.zone.value_or(utc));
  return at_zone(local_date_time(day, parts.nanoseconds.value_or(0)), zone);
}

}  // namespace

// A day or zone that one side lacks is that of the other, a time that it lacks is midnight; both are
// looked at in the zone of the first.
Interval::Interval(const TemporalParts& from, const TemporalParts& to)
    : has_dates_(from.days && to.days), from_(complete(from, to)) {
  const DateTime end = complete(to, from);
  to_ = in_zone(end.seconds, end.nanoseconds, zone_of(from_));
}

// Times of day have no months between them: then it is zero.
Duration Interval::in_months() const {
  if (!has_dates_) return {};
  const Moment from = moment_of(from_);
  return {whole_months(from.day, last_whole_day(from, moment_of(to_))), 0, 0, 0};
}

// Whole days of the calendar, a last one that is not complete left out.
Duration Interval::in_days() const {
  if (!has_dates_) return {};
  const Moment from = moment_of(from_);
  return {0, last_whole_day(from, moment_of(to_)) - from.day, 0, 0};
}

Duration Interval::in_seconds() const { return seconds_between(from_, to_); }

// The rest is measured from the last whole day on, by instants; so a day with a change of clocks is
// one day, and its part is counted in true hours.
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
