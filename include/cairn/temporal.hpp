#pragma once
// The six temporal types of Cypher as plain values, at nanosecond precision. Arithmetic, parsing
// and printing of them belong to the query language; here are only their fields and their order.
//
// Source: ISO 8601 and openCypher's CIP2015-08-06, Date and Time. Range: years -999,999,999 to
// 999,999,999. Leap seconds do not exist: a day has 86,400 seconds.
//
//     const Date new_year{20'454};                                     // 2026-01-01
//     const DateTime noon{1'767'268'800, 0, 3'600, "Europe/Berlin"};   // 13:00+01:00
//     CAIRN_ASSIGN(const Value same, parse_literal("date('2026-01-01')"));
//
// Text is made and read with date('2026-01-01') and toString() in a statement, or with
// Value::to_text() and parse_literal(). Fields out of their range are refused where a value is
// stored (invalid_argument).
//
// Where a type has <=>, that is the order of the language; where it has only ==, two values may be the
// same moment and yet not the same value (12:00+01:00 and 11:00Z), and ORDER BY has its own rules.

#include <cairn/visibility.hpp>

#include <compare>
#include <cstdint>
#include <string>

namespace cairn {

/// A calendar day, proleptic Gregorian: today's rules also before 1582.
/// `days` is negative before 1970; division by 7 gives the day of the week: 1970-01-01 was a
/// Thursday.
struct Date {
  std::int64_t days = 0;  ///< since 1970-01-01
  friend auto operator<=>(const Date&, const Date&) = default;
};

/// A time of day without a zone: what a clock on a wall shows.
/// 24:00 does not exist: a day ends at 23:59:59.999999999.
struct LocalTime {
  std::int64_t nanoseconds = 0;  ///< since midnight, 0 to 86'399'999'999'999
  friend auto operator<=>(const LocalTime&, const LocalTime&) = default;
};

/// A time of day at an offset from UTC. Ordered by the instant on one day, then by offset.
/// 11:00Z and 12:00+01:00 are the same instant and two values: == is false.
struct Time {
  /// `nanoseconds` is what the clock shows there; less `offset_seconds` it is the time of day in
  /// UTC.
  std::int64_t nanoseconds = 0;     ///< since local midnight
  std::int32_t offset_seconds = 0;  ///< east of UTC, within +-18 hours
  friend bool operator==(const Time&, const Time&) = default;
};

/// A day and a time without a zone: no moment, unless one knows where.
/// To compare it with a DateTime, say which offset it is meant in; recall() takes it as UTC.
struct LocalDateTime {
  std::int64_t seconds = 0;      ///< since 1970-01-01T00:00:00 local
  std::int32_t nanoseconds = 0;  ///< 0 to 999'999'999
  friend auto operator<=>(const LocalDateTime&, const LocalDateTime&) = default;
};

/// An instant with the offset, and where known the zone, it was given in.
///
/// The instant alone decides its place in an order; the offset says how it is shown. A zone is stored
/// with the offset, so that adding a month crosses a change of summer time rightly.
/// For a time from a clock: seconds and nanoseconds of system_clock, offset 0, no zone.
struct DateTime {
  std::int64_t seconds = 0;         ///< since 1970-01-01T00:00:00Z
  std::int32_t nanoseconds = 0;     ///< 0 to 999'999'999
  std::int32_t offset_seconds = 0;  ///< east of UTC
  std::string zone;                 ///< IANA name such as "Europe/Berlin", or empty
  friend bool operator==(const DateTime&, const DateTime&) = default;
};

/// An amount of time; the four parts do not convert into each other: a month has no number of days,
/// and a day, where clocks change, no number of hours. All parts may be negative.
///
/// Sorted by its mean length, a month taken as 30.436875 days; compared by == part by part, so that
/// PT60M and PT1H are equal and P1D and PT24H are not. Minus half a second is {0, 0, -1,
/// 500'000'000}.
struct Duration {
  std::int64_t months = 0;
  std::int64_t days = 0;
  std::int64_t seconds = 0;
  std::int32_t nanoseconds = 0;  ///< 0 to 999'999'999, also for negative durations
  friend bool operator==(const Duration&, const Duration&) = default;
};

}  // namespace cairn
