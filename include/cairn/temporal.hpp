#pragma once
// The six temporal types of Cypher as plain values, with nanosecond precision. These are only the
// fields and their order; the query language has arithmetic, parsing and printing.
//
// Source: ISO 8601 and openCypher's CIP2015-08-06, Date and Time. Range: years -999,999,999 to
// 999,999,999. Leap seconds do not exist: a day has 86,400 seconds.
//
//     const Date new_year{20'454};                                     // 2026-01-01
//     const DateTime noon{1'767'268'800, 0, 3'600, "Europe/Berlin"};   // 13:00+01:00
//     CAIRN_ASSIGN(const Value same, parse_literal("date('2026-01-01')"));
//
// To convert from and to text, use date('2026-01-01') and toString() in a statement, or
// Value::to_text() and parse_literal(). Storing a value with a field out of range is refused
// (invalid_argument).
//
// The order <=> of a type is that of the language. A type with only == has values that are the same
// moment and still differ (12:00+01:00 and 11:00Z); ORDER BY has rules for these.

#include <cairn/visibility.hpp>

#include <compare>
#include <cstdint>
#include <string>

namespace cairn {

/// A calendar day, proleptic Gregorian: the current rules also apply before 1582. `days` is
/// negative before 1970. 1970-01-01 was a Thursday, so `days` modulo 7 gives the day of the week.
struct Date {
  std::int64_t days = 0;  ///< since 1970-01-01
  friend auto operator<=>(const Date&, const Date&) = default;
};

/// A time of day without a zone. 24:00 does not exist: a day ends at 23:59:59.999999999.
struct LocalTime {
  std::int64_t nanoseconds = 0;  ///< since midnight, 0 to 86'399'999'999'999
  friend auto operator<=>(const LocalTime&, const LocalTime&) = default;
};

/// A time of day at an offset from UTC. Ordered by the instant on one day, then by offset. 11:00Z
/// and 12:00+01:00 are the same instant but different values: == is false.
struct Time {
  /// The local time. Minus `offset_seconds`, it is the time of day in UTC.
  std::int64_t nanoseconds = 0;     ///< since local midnight
  std::int32_t offset_seconds = 0;  ///< east of UTC, within +-18 hours
  friend bool operator==(const Time&, const Time&) = default;
};

/// A day and a time without a zone, so not an instant. To compare it with a DateTime, choose an
/// offset; recall() takes it as UTC.
struct LocalDateTime {
  std::int64_t seconds = 0;      ///< since 1970-01-01T00:00:00 local
  std::int32_t nanoseconds = 0;  ///< 0 to 999'999'999
  friend auto operator<=>(const LocalDateTime&, const LocalDateTime&) = default;
};

/// An instant with the offset, and optionally the zone, in which it was given.
///
/// Only the instant determines its place in an order; the offset determines how it is shown. The
/// zone is stored besides the offset, so that adding a month across a change of summer time is
/// correct. For a time from a clock: seconds and nanoseconds of system_clock, offset 0, no zone.
struct DateTime {
  std::int64_t seconds = 0;         ///< since 1970-01-01T00:00:00Z
  std::int32_t nanoseconds = 0;     ///< 0 to 999'999'999
  std::int32_t offset_seconds = 0;  ///< east of UTC
  std::string zone;                 ///< IANA name such as "Europe/Berlin", or empty
  friend bool operator==(const DateTime&, const DateTime&) = default;
};

/// An amount of time in four parts, which do not convert into each other: the days of a month vary,
/// and so do the hours of a day when clocks change. All parts may be negative.
///
/// Durations are sorted by their mean length, with months of 30.436875 days. == compares each part,
/// so PT60M and PT1H are equal, and P1D and PT24H are not. Minus half a second is {0, 0, -1,
/// 500'000'000}.
struct Duration {
  std::int64_t months = 0;
  std::int64_t days = 0;
  std::int64_t seconds = 0;
  std::int32_t nanoseconds = 0;  ///< 0 to 999'999'999, also for negative durations
  friend bool operator==(const Duration&, const Duration&) = default;
};

}  // namespace cairn
