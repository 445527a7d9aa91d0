#pragma once
// The six temporal types of Cypher as plain values, at nanosecond precision. Arithmetic, parsing
// and printing of them belong to the query language; here are only their fields and their order.

#include <compare>
#include <cstdint>
#include <string>

namespace cairn {

/// A calendar day, proleptic Gregorian.
struct Date {
  std::int64_t days = 0;  ///< since 1970-01-01
  friend auto operator<=>(const Date&, const Date&) = default;
};

/// A time of day without a zone.
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

/// A day and a time without a zone.
struct LocalDateTime {
  std::int64_t seconds = 0;      ///< since 1970-01-01T00:00:00 local
  std::int32_t nanoseconds = 0;  ///< 0 to 999'999'999
  friend auto operator<=>(const LocalDateTime&, const LocalDateTime&) = default;
};

/// An instant with the offset, and where known the zone, it was given in.
struct DateTime {
  std::int64_t seconds = 0;         ///< since 1970-01-01T00:00:00Z
  std::int32_t nanoseconds = 0;     ///< 0 to 999'999'999
  std::int32_t offset_seconds = 0;  ///< east of UTC
  std::string zone;                 ///< IANA name such as "Europe/Berlin", or empty
  friend bool operator==(const DateTime&, const DateTime&) = default;
};

/// An amount of time; the four parts do not convert into each other.
struct Duration {
  std::int64_t months = 0;
  std::int64_t days = 0;
  std::int64_t seconds = 0;
  std::int32_t nanoseconds = 0;  ///< 0 to 999'999'999, also for negative durations
  friend bool operator==(const Duration&, const Duration&) = default;
};

}  // namespace cairn
