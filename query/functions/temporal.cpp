// Constructors of temporal values: date(), time(), datetime() and so on, their clocks and truncations, and
// duration().
//
// A constructor takes no argument (the current time), a text, a map or another temporal value. The five types differ
// only in their parts: day, time of day and zone (PointType). The semantics are those of openCypher's CIP on temporal
// types and its TCK (expressions/temporal).

#include "query/functions/call.hpp"
#include "query/functions/function_entry.hpp"
#include "query/functions/temporal_operations.hpp"

#include <array>

namespace cairn::query {
namespace {

/// Returns the current time in the zone that argument `i` names, or in UTC.
Result<TemporalParts> current(const Call& call, std::size_t i) {
  if (!call.has(i)) return parts_at(call.context.now, utc);
  CAIRN_ASSIGN(const std::string* name, call.string(i));
  CAIRN_ASSIGN(const Zone zone, parse_zone(*name));
  return parts_at(call.context.now, zone);
}

/// The clock of the statement. The transaction, statement and realtime clocks are the same here: two calls in one
/// statement return the same time.
template <const PointType& type>
Result<Value> now(const Call& call) {
  CAIRN_ASSIGN(const TemporalParts parts, current(call, 0));
  return make_point(type, parts);
}

/// Converts the argument to this type: parses a text, reads a map, or takes the parts of a temporal value.
template <const PointType& type>
Result<Value> point(const Call& call) {
  if (!call.has(0)) return now<type>(call);
  if (const std::string* text = call[0].string()) {
    CAIRN_ASSIGN(const TemporalParts parts, parse_point(type, *text));
    return make_point(type, parts);
  }
  if (const Map* map = call[0].map()) return point_from_map(type, *map);
  const auto parts = parts_of(call[0]);
  if (!parts || (type.has_date && !parts->days) || (!type.has_date && !parts->nanoseconds))
    return call.wrong_type(0, "a string, a map or a temporal value with the parts of this type");
  return make_point(type, *parts);
}

/// Truncates a value, or the current time if none is given, and then sets the fields of the map. A date is treated as
/// midnight if the type has a time.
template <const PointType& type>
Result<Value> truncate(const Call& call) {
  CAIRN_ASSIGN(const std::string* unit, call.string(0));
  CAIRN_ASSIGN(TemporalParts parts, current(call, 3));
  if (call.has(1)) {
    const auto given = parts_of(call[1]);
    if (!given) return call.wrong_type(1, "a temporal value");
    parts = *given;
  }
  if (type.has_time && !parts.nanoseconds) parts.nanoseconds = 0;
  CAIRN_ASSIGN(const TemporalParts begin, truncated(parts, *unit));
  if (!call.has(2)) return make_point(type, begin);
  CAIRN_ASSIGN(const Map* fields, call.map(2));
  return changed_point(type, begin, *fields);
}

/// The result is in UTC, the only zone that an instant alone determines.
Result<Value> from_epoch(const Call& call) {
  CAIRN_ASSIGN(const std::int64_t seconds, call.integer(0));
  CAIRN_ASSIGN(const std::int64_t nanoseconds, call.integer(1));
  if (nanoseconds < 0 || nanoseconds >= codec::nanoseconds_per_second)
    return call.wrong_value("nanoseconds must be between 0 and 999999999, got " +
                            std::to_string(nanoseconds));
  return checked(DateTime{seconds, static_cast<std::int32_t>(nanoseconds), 0, ""});
}

/// Rounds down, so that the fraction of a second is not negative for times before 1970.
Result<Value> from_epoch_millis(const Call& call) {
  CAIRN_ASSIGN(const std::int64_t millis, call.integer(0));
  const auto fraction = static_cast<std::int32_t>(codec::floor_modulo(millis, 1'000));
  return checked(DateTime{codec::floor_divide(millis, 1'000), fraction * 1'000'000, 0, ""});
}

/// Also accepts a duration, so that duration(x) works for texts and values alike.
Result<Value> duration(const Call& call) {
  if (call[0].type() == ValueType::duration) return call[0];
  if (const Map* map = call[0].map()) {
    CAIRN_ASSIGN(const Duration made, duration_from_map(*map));
    return Value(made);
  }
  if (!call[0].string()) return call.wrong_type(0, "a string, a map or a duration");
  CAIRN_ASSIGN(const Duration read, parse_duration(call[0].as_string()));
  return Value(read);
}

/// Measures the time between two points. Durations are not points in time.
template <Duration (Interval::*measure)() const>
Result<Value> between(const Call& call) {
  const auto from = parts_of(call[0]);
  if (!from) return call.wrong_type(0, "a point in time");
  const auto to = parts_of(call[1]);
  if (!to) return call.wrong_type(1, "a point in time");
  return Value((Interval(*from, *to).*measure)());
}

}  // namespace

FunctionFamily temporal_functions() {
  static constexpr FunctionEntry functions[] = {
      entry<"date(value?)", point<date_type>>(),
      entry<"date.realtime(timezone?)", now<date_type>>(),
      entry<"date.statement(timezone?)", now<date_type>>(),
      entry<"date.transaction(timezone?)", now<date_type>>(),
      entry<"date.truncate(unit, value?, fields?)", truncate<date_type>>(),
      entry<"datetime(value?)", point<date_time_type>>(),
      entry<"datetime.fromEpoch(seconds, nanoseconds)", from_epoch>(),
      entry<"datetime.fromEpochMillis(milliseconds)", from_epoch_millis>(),
      entry<"datetime.realtime(timezone?)", now<date_time_type>>(),
      entry<"datetime.statement(timezone?)", now<date_time_type>>(),
      entry<"datetime.transaction(timezone?)", now<date_time_type>>(),
      entry<"datetime.truncate(unit, value?, fields?)", truncate<date_time_type>>(),
      entry<"duration(value)", duration>(),
      entry<"duration.between(from, to)", between<&Interval::in_all_units>>(),
      entry<"duration.inDays(from, to)", between<&Interval::in_days>>(),
      entry<"duration.inMonths(from, to)", between<&Interval::in_months>>(),
      entry<"duration.inSeconds(from, to)", between<&Interval::in_seconds>>(),
      entry<"localdatetime(value?)", point<local_date_time_type>>(),
      entry<"localdatetime.realtime(timezone?)", now<local_date_time_type>>(),
      entry<"localdatetime.statement(timezone?)", now<local_date_time_type>>(),
      entry<"localdatetime.transaction(timezone?)", now<local_date_time_type>>(),
      entry<"localdatetime.truncate(unit, value?, fields?)", truncate<local_date_time_type>>(),
      entry<"localtime(value?)", point<local_time_type>>(),
      entry<"localtime.realtime(timezone?)", now<local_time_type>>(),
      entry<"localtime.statement(timezone?)", now<local_time_type>>(),
      entry<"localtime.transaction(timezone?)", now<local_time_type>>(),
      entry<"localtime.truncate(unit, value?, fields?)", truncate<local_time_type>>(),
      entry<"time(value?)", point<time_type>>(),
      entry<"time.realtime(timezone?)", now<time_type>>(),
      entry<"time.statement(timezone?)", now<time_type>>(),
      entry<"time.transaction(timezone?)", now<time_type>>(),
      entry<"time.truncate(unit, value?, fields?)", truncate<time_type>>(),
  };
  return functions;
}

}  // namespace cairn::query
