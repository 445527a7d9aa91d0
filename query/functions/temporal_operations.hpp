#pragma once
// Operations on points in time and durations, for functions and operators of the language.

#include "query/functions/temporal_fields.hpp"
#include "query/functions/temporal_parts.hpp"

#include <cairn/result.hpp>
#include <cairn/temporal.hpp>
#include <cairn/value.hpp>

#include <chrono>
#include <optional>
#include <string_view>

namespace cairn::query {

// Arithmetic. Each function returns nullopt if the operator is not defined for the two types.

/// point + duration, duration + point, duration + duration.
[[nodiscard]] std::optional<Result<Value>> add_temporal(const Value& a, const Value& b);
/// point - duration, duration - duration.
[[nodiscard]] std::optional<Result<Value>> subtract_temporal(const Value& a, const Value& b);
/// duration * number, number * duration.
[[nodiscard]] std::optional<Result<Value>> multiply_temporal(const Value& a, const Value& b);
/// duration / number.
[[nodiscard]] std::optional<Result<Value>> divide_temporal(const Value& a, const Value& b);

// The duration from one point in time to another.

/// The distance of two points. A day or zone that one point lacks is taken from the other point. A missing time of day
/// is midnight. Whole units are rounded toward zero, so the points may be in any order.
class Interval {
 public:
  Interval(const TemporalParts& from, const TemporalParts& to);

  [[nodiscard]] Duration in_months() const;
  [[nodiscard]] Duration in_days() const;
  [[nodiscard]] Duration in_seconds() const;
  /// Returns months, then days, then the rest. If a point has no date, returns only the rest.
  [[nodiscard]] Duration in_all_units() const;

 private:
  bool has_dates_ = false;
  DateTime from_;
  DateTime to_;  // in the zone of from_
};

/// The length of a duration, rounded down to microseconds. A month is 30 days, and twelve months are a year of 365.
/// Returns nullopt if it is negative or does not fit into 64 bits.
[[nodiscard]] std::optional<std::chrono::microseconds> time_span_of(const Duration& duration);

// Components of a temporal value by name, such as `.year` and `.epochMillis`.

/// Returns the component, or nullopt if `value` is not temporal. Errors: invalid_argument for a name that the type
/// does not have.
[[nodiscard]] std::optional<Result<Value>> temporal_component(const Value& value,
                                                              std::string_view name);

// Temporal values from maps: date({year: 1984, month: 10}), datetime({date: other, hour: 12, timezone:
// 'Europe/Stockholm'}), duration({days: 1.5}).

/// Builds a point from a map. `date`, `time` and `datetime` select parts of other values, and numeric fields change
/// them. A `timezone` converts a selected time that has a zone.
[[nodiscard]] Result<Value> point_from_map(const PointType& type, const Map& map);

/// Changes `parts` by the numeric fields of the map, after a truncation: fractions of a second are added to the
/// remaining fraction. A `timezone` replaces the zone without converting the time.
[[nodiscard]] Result<Value> changed_point(const PointType& type, TemporalParts parts,
                                          const Map& map);

[[nodiscard]] Result<Duration> duration_from_map(const Map& map);

// Truncation of points in time.

/// Returns the beginning of the unit that contains the point, such as "weekYear", "day" or "microsecond". A unit of a
/// day or more gives midnight. Errors: invalid_argument for an unknown unit, or if the point lacks the part that the
/// unit needs.
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

/// Parses a text of this type. Errors: invalid_argument with the text.
[[nodiscard]] Result<TemporalParts> parse_point(const PointType& type, std::string_view text);
[[nodiscard]] Result<Duration> parse_duration(std::string_view text);

}  // namespace cairn::query
