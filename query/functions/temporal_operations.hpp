#pragma once
// What the functions and operators of the language do with points in time and durations.

#include "query/functions/temporal_fields.hpp"
#include "query/functions/temporal_parts.hpp"

#include <cairn/result.hpp>
#include <cairn/temporal.hpp>
#include <cairn/value.hpp>

#include <optional>
#include <string_view>

namespace cairn::query {

// Arithmetic of durations and points in time. Each gives nullopt where the operator has no meaning
// for the two types.

/// point + duration, duration + point, duration + duration.
[[nodiscard]] std::optional<Result<Value>> add_temporal(const Value& a, const Value& b);
/// point - duration, duration - duration.
[[nodiscard]] std::optional<Result<Value>> subtract_temporal(const Value& a, const Value& b);
/// duration * number, number * duration.
[[nodiscard]] std::optional<Result<Value>> multiply_temporal(const Value& a, const Value& b);
/// duration / number.
[[nodiscard]] std::optional<Result<Value>> divide_temporal(const Value& a, const Value& b);

// The duration from one point in time to another.

/// Two points made comparable: a date or zone that one lacks is taken from the other, a time of day
/// that it lacks is midnight. Whole units are counted toward zero, so both may be in any order.
class Interval {
 public:
  Interval(const TemporalParts& from, const TemporalParts& to);

  [[nodiscard]] Duration in_months() const;
  [[nodiscard]] Duration in_days() const;
  [[nodiscard]] Duration in_seconds() const;
  /// Months, then days, then the rest; only the rest where a date is missing.
  [[nodiscard]] Duration in_all_units() const;

 private:
  bool has_dates_ = false;
  DateTime from_;
  DateTime to_;  // on clocks of from_'s zone
};

// The parts that a temporal value shows by name, `.year` and `.epochMillis` for example.

/// The component, or nullopt where `value` is not temporal. Errors: invalid_argument for a name
/// that its type does not have.
[[nodiscard]] std::optional<Result<Value>> temporal_component(const Value& value,
                                                              std::string_view name);

// Points in time and durations from maps: date({year: 1984, month: 10}), datetime({date: other,
// hour: 12, timezone: 'Europe/Stockholm'}), duration({days: 1.5}).

/// The point that the map names. `date`, `time` and `datetime` select parts of other values, which
/// the numeric fields then change; a `timezone` moves a selected time that has a zone of its own.
[[nodiscard]] Result<Value> point_from_map(const PointType& type, const Map& map);

/// `parts` with the numeric fields of the map put in; a `timezone` replaces the zone and moves
/// nothing. For truncation: fractions of a second are added to what is left.
[[nodiscard]] Result<Value> changed_point(const PointType& type, TemporalParts parts,
                                          const Map& map);

[[nodiscard]] Result<Duration> duration_from_map(const Map& map);

// Points in time cut down to a unit: the beginning of their week, hour, millennium.

/// The parts at the beginning of the unit ("weekYear", "day", "microsecond", ...) that they lie in;
/// a unit of a day or more leaves midnight. Errors: invalid_argument for a unit that there is not,
/// or that needs a part which is missing.
[[nodiscard]] Result<TemporalParts> truncated(TemporalParts parts, std::string_view unit);

// Temporal values from ISO 8601 text, basic and extended forms.
//
// date      := year [["-"] month [["-"] day] | ["-"] "W" week [["-"] day] | ["-"] "Q" quarter
//              [["-"] day] | ["-"] ordinal-day]
// year      := 4 digits | sign 1 to 9 digits
// time      := hour [":" minute [":" second [("." | ",") 1 to 9 digits]]], or all without ":"
// zone      := "Z" | offset | [offset] "[" name "]"
// date-time := date ["T" time] [zone]
// duration  := ["-"] "P" [n "Y"] [n "M"] [n "W"] [n "D"] ["T" [n "H"] [n "M"] [n "S"]]
//            | "P" year "-" month "-" day "T" time       n := [sign] digits ["." digits]

/// The parts that a text of this type gives. Errors: invalid_argument, saying which text.
[[nodiscard]] Result<TemporalParts> parse_point(const PointType& type, std::string_view text);
[[nodiscard]] Result<Duration> parse_duration(std::string_view text);

}  // namespace cairn::query
