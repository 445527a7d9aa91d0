#pragma once
// Time zones and instants.

#include <cairn/result.hpp>
#include <cairn/temporal.hpp>
#include <cairn/value.hpp>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::query {

// Time zones: IANA names, by ICU's copy of the tz database, which is the same on every machine; and offsets such as
// "+01:00". Only time_zone.cpp uses ICU's time zones.

/// A named zone, or an offset if the name is empty. A named zone may have an offset as well: the offset at a certain
/// time, which distinguishes local times that occur twice.
struct Zone {
  std::string name;
  std::optional<std::int32_t> offset_seconds;
};

inline const Zone utc{"", 0};

/// Errors: invalid_argument for a name that the tz database does not contain.
[[nodiscard]] Result<Zone> parse_zone(std::string_view text);
/// Parses "Z", "+hh", "+hhmm", "+hh:mm" or "+hh:mm:ss", at most 18 hours. Returns nullopt for any other text.
[[nodiscard]] std::optional<std::int32_t> parse_offset(std::string_view text);

/// Returns the offset of the zone at an instant, which is in seconds since 1970 UTC.
[[nodiscard]] std::int32_t offset_at(const Zone& zone, std::int64_t instant);
/// Returns the offset of a named zone at an instant. Has the form that codec::read_value() needs. Errors: as
/// parse_zone(); invalid_argument for an offset instead of a name.
[[nodiscard]] Result<std::int32_t> named_zone_offset(std::string_view name, std::int64_t instant);

/// Returns the instant with this local time in the zone. Uses the offset of `zone` if the zone has it at that time.
/// Otherwise, a local time that the clocks skip is read with the offset before the change, so that it is moved
/// forward. A local time that occurs twice is the first one.
[[nodiscard]] DateTime at_zone(const LocalDateTime& local, const Zone& zone);
/// Returns the local time of an instant in the zone.
[[nodiscard]] DateTime in_zone(std::int64_t instant, std::int32_t nanoseconds, const Zone& zone);

[[nodiscard]] Zone zone_of(const DateTime& value);
[[nodiscard]] LocalDateTime local_of(const DateTime& value);

// Points in time as users write them in filters: ISO 8601 or relative.
//
// moment   := instant | span     instant: codec/instant.hpp, span: cairn/time_span.hpp

/// Returns microseconds since 1970 UTC. "7d" is seven days before `now`. Errors: invalid_argument.
[[nodiscard]] Result<std::int64_t> parse_moment(std::string_view text, std::int64_t now);
/// The error for a text that has neither form.
[[nodiscard]] Error invalid_date();

/// Returns the instant of an ISO 8601 text, a date (at midnight) or a date with time, in microseconds since 1970 UTC,
/// rounded down. Values without a zone are taken as UTC. Returns nullopt for any other value.
[[nodiscard]] std::optional<std::int64_t> instant_of(const Value& value);

/// An instant with nanoseconds. It does not depend on a zone.
struct Instant {
  std::int64_t seconds = 0;      ///< since 1970 UTC
  std::int32_t nanoseconds = 0;  ///< 0 to 999,999,999
  auto operator<=>(const Instant&) const = default;
};

/// Converts microseconds since 1970 UTC.
[[nodiscard]] Instant instant_at(std::int64_t microseconds);
/// Does the same as instant_of() without rounding. Texts have whole microseconds.
[[nodiscard]] std::optional<Instant> exact_instant_of(const Value& value);

}  // namespace cairn::query
