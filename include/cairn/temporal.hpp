#pragma once
// The six temporal types of Cypher as plain values, at nanosecond precision. Arithmetic, parsing
// and printing of them belong to the query language; here are only their fields and their order.
//
// Source: ISO 8601 and openCypher's CIP2015-08-06, Date and Time. Range: years -999,999,999 to
// 999,999,999. Leap seconds do not exist: a day has 86,400 seconds.
//
//     Date::days of 2026-01-01 is 20'454; text is made and read with date('2026-01-01') and toString()
//     in a statement, or with Value::to_text() and parse_literal().
//
// Where a type has <=>, that is the order of the language; where it has only ==, two values may be the
// same moment and yet not the same value (12:00+01:00 and 11:00Z), and ORDER BY has its own rules.

#include <compare>
#include <cstdint>
#include <string>

namespace cairn {

/// A calendar day, proleptic Gregorian: today's rules also before 1582.
struct Date {
  std::int64_t days = 0;  ///< since 1970-01-01
  friend auto operator<=>(const Date&, const Date&) = default;
};

/// A time of day without a zone: what a clock on a wall shows.
struct LocalTime {
  std::int64_t nanoseconds = 0;  ///< since midnight, 0 to 86'399'999'999'999
  friend auto operator<=>(const LocalTime&, const LocalTime&) = default;
};

/// A time of day at an offset from UTC. Ordered by the instant on one day, then by offset.
struct Time {
  std::int64_t nanoseconds = 0;     ///< since local midnight
  std::int32_t offset_seconds = 0;  ///< east of UTC, within +-18 hours
  friend bool operator==(const Time&, const Time&) = default;
};

/// A day and a time without a zone: no moment, unless one knows where.
struct LocalDateTime {
  std::int64_t seconds = 0;      ///< since 1970-01-01T00:00:00 local
  std::int32_t nanoseconds = 0;  ///< 0 to 999'999'999
  friend auto operator<=>(const LocalDateTime&, const LocalDateTime&) = default;
};

/// An instant with the offset, and where known the zone, it was given in.
///
/// The instant alone decides its place in an order; the offset says how it is shown. A zone is kept
/// beside the offset, so that adding a month crosses a change of summer time rightly.
struct DateTime {
  std::int64_t seconds = 0;         ///< since 1970-01-01T00:00:00Z
  std::int32_t nanoseconds = 0;     ///< 0 to 999'999'999
  std::int32_t offset_seconds = 0;  ///< east of UTC
  std::string zone;                 ///< IANA name such as "Europe/Berlin", or empty
  friend bool operator==(const DateTime&, const DateTime&) = default;
};

/// An amount of time; the four parts do not convert into each other: a month has no number of days,
/// and a day, where clocks change, no number of hours. All parts may be negative.
struct Duration {
  std::int64_t months = 0;
  std::int64_t days = 0;
  std::int64_t seconds = 0;
  std::int32_t nanoseconds = 0;  ///< 0 to 999'999'999, also for negative durations
  friend bool operator==(const Duration&, const Duration&) = default;
};

}  // namespace cairn
