#pragma once
// Time zones: IANA names by ICU's own copy of the tz database, which is there on any machine, and
// offsets such as "+01:00". The one home of ICU's time zones.

#include <cairn/result.hpp>
#include <cairn/temporal.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::query {

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
/// Errors: as parse_zone(), and invalid_argument for an offset, which is no name.
[[nodiscard]] Result<std::int32_t> named_zone_offset(std::string_view name, std::int64_t instant);

/// The instant at which clocks of the zone show `local`: with the zone's own offset if that is
/// possible. Otherwise what they skip in spring is read with the offset from before, so that it
/// lies as much later, and what they show twice is the first of the two.
[[nodiscard]] DateTime at_zone(const LocalDateTime& local, const Zone& zone);
/// This instant as clocks of the zone show it.
[[nodiscard]] DateTime in_zone(std::int64_t instant, std::int32_t nanoseconds, const Zone& zone);

[[nodiscard]] Zone zone_of(const DateTime& value);
[[nodiscard]] LocalDateTime local_of(const DateTime& value);

}  // namespace cairn::query
