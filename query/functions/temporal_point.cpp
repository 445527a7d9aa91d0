// Parts to a value of a type, the way back from temporal_parts.cpp. The calendar's range is checked
// last.
#include "query/functions/temporal_point.hpp"

namespace cairn::query {
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

}  // namespace cairn::query
