#pragma once
// Moments of time, and the zones in which they are read.

#include <cairn/result.hpp>
#include <cairn/temporal.hpp>
#include <cairn/value.hpp>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::query {

// Time zones: IANA names by ICU's own copy of the tz database, which is there on any machine, and
// offsets such as "+01:00". The one home of ICU's time zones.

/// What "Europe/Stockholm" or "+01:00" stands for: a name, or an offset where the name is empty. A
/// named zone may have the offset that held at some moment, which distinguishes hours shown twice.
struct Zone {
  std::string name;
  std::optional<std::int32_t> offset_seconds;
};

inline const Zone utc{"", 0};

/// Errors: invalid_argument for a name that the tz database does not have.
[[nodiscard]] Result<Zone> parse_zone(std::string_view text);
/// "Z", "+hh", "+hhmm", "+hh:mm", "+hh:mm:ss"; within 18 hours. Nullopt for anything else.
[[nodiscard]] std::optional<std::int32_t> parse_offset(std::string_view text);

/// The zone's offset at this instant, in seconds since 1970 UTC.
[[nodiscard]] std::int32_t offset_at(const Zone& zone, std::int64_t instant);
/// The same of a zone by its name, in the form that codec::read_value() takes.
/// Errors: as parse_zone(), and invalid_argument for an offset, which is not a name.
[[nodiscard]] Result<std::int32_t> named_zone_offset(std::string_view name, std::int64_t instant);

/// The instant at which clocks of the zone show `local`: with the zone's own offset if that is
/// possible. Otherwise what they skip in spring is read with the offset from before, so that it
/// lies as much later, and what they show twice is the first of the two.
[[nodiscard]] DateTime at_zone(const LocalDateTime& local, const Zone& zone);
/// This instant as clocks of the zone show it.
[[nodiscard]] DateTime in_zone(std::int64_t instant, std::int32_t nanoseconds, const Zone& zone);

[[nodiscard]] Zone zone_of(const DateTime& value);
[[nodiscard]] LocalDateTime local_of(const DateTime& value);

// Points in time as people write them in filters: ISO 8601, or so long ago.
//
// moment   := instant | digit+ unit                        instant: codec/instant.hpp
// unit     := 'min' | 'h' | 'd' | 'w' | 'm' | 'y'          in any case
//
// A month is 30 days and a year 365, so that the same text means the same length on every day.

/// Microseconds since 1970 UTC; "7d" is seven days before `now`. Errors: invalid_argument.
[[nodiscard]] Result<std::int64_t> parse_moment(std::string_view text, std::int64_t now);
/// The error of a text that is neither.
[[nodiscard]] Error invalid_date();

/// The instant that a value names: ISO 8601 text, a date (its midnight), a date and time (without
/// an offset: UTC), in microseconds rounded down. Absent for all other values.
[[nodiscard]] std::optional<std::int64_t> instant_of(const Value& value);

/// A point in time to the nanosecond; the same instant in two zones is one.
struct Instant {
  std::int64_t seconds = 0;      ///< since 1970 UTC
  std::int32_t nanoseconds = 0;  ///< 0 to 999,999,999
  auto operator<=>(const Instant&) const = default;
};

/// The same of microseconds since 1970 UTC.
[[nodiscard]] Instant instant_at(std::int64_t microseconds);
/// What instant_of() rounds down. A text names whole microseconds.
[[nodiscard]] std::optional<Instant> exact_instant_of(const Value& value);

}  // namespace cairn::query
