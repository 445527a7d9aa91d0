#pragma once
// The parts of points in time, and the construction of durations.

#include "codec/instant.hpp"
#include "query/functions/time_zone.hpp"

#include <cairn/result.hpp>
#include <cairn/temporal.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn::query {

// A point in time as parts: day, time of day and zone. The point types differ only in their parts, so most operations
// are written once, on parts.

/// The parts that a value has. Missing parts are not filled in: a date has no time, and a local time has no zone.
struct TemporalParts {
  std::optional<std::int64_t> days;         ///< local day since 1970-01-01
  std::optional<std::int64_t> nanoseconds;  ///< since local midnight
  std::optional<Zone> zone;                 ///< with the offset at this time
};

/// Returns nullopt for durations and for values that are not temporal.
[[nodiscard]] std::optional<TemporalParts> parts_of(const Value& value);

/// Builds a local time from a day and the nanoseconds since midnight.
[[nodiscard]] LocalDateTime local_date_time(std::int64_t days, std::int64_t nanoseconds) noexcept;

/// The error for results outside of the calendar.
[[nodiscard]] Error date_out_of_range();

/// Returns the value, or an error if its year is outside of +-999,999,999.
template <class Temporal>
[[nodiscard]] Result<Value> checked(const Temporal& value) {
  if (codec::is_valid(value)) return Value(value);
  return date_out_of_range();
}

// The five types of points in time, and their construction from parts.

/// The parts that a type has. A type with a zone also has a time.
struct PointType {
  std::string_view name;  ///< name of the constructor function
  bool has_date = false;
  bool has_time = false;
  bool has_zone = false;
};

inline constexpr PointType date_type{"date", true, false, false};
inline constexpr PointType local_time_type{"localtime", false, true, false};
inline constexpr PointType time_type{"time", false, true, true};
inline constexpr PointType local_date_time_type{"localdatetime", true, true, false};
inline constexpr PointType date_time_type{"datetime", true, true, true};

/// Builds a value of this type. A missing time is midnight and a missing zone is UTC. Parts that the type does not
/// have are ignored. Errors: invalid_argument if the type needs a date and the parts lack it.
[[nodiscard]] Result<Value> make_point(const PointType& type, const TemporalParts& parts);

/// Returns the parts of an instant in a zone. The instant is in microseconds since 1970 UTC.
[[nodiscard]] TemporalParts parts_at(std::int64_t microseconds, const Zone& zone);

/// Converts to the same instant in another zone. Parts without a day are taken as of 1970-01-01, and the result has
/// no day.
[[nodiscard]] TemporalParts moved_to_zone(const TemporalParts& parts, const Zone& zone);

// Construction of durations, with overflow checks and rounding.

/// The parts of a duration with fractions. A fraction of a month or day is carried to the next smaller part: a month
/// has 30.436875 days, and a day has 24 hours.
struct FractionalDuration {
  long double months = 0;
  long double days = 0;
  long double seconds = 0;
  long double nanoseconds = 0;
};

/// Rounds to whole nanoseconds. Errors: invalid_argument if a part does not fit into 64 bits.
[[nodiscard]] Result<Duration> whole_duration(FractionalDuration parts);

/// Returns a duration whose nanoseconds are normalised to 0..999,999,999. Errors: as whole_duration().
[[nodiscard]] Result<Duration> make_duration(std::int64_t months, std::int64_t days,
                                             std::int64_t seconds, std::int64_t nanoseconds);

/// Returns a + factor * b for a factor of 1 or -1. Errors: as whole_duration().
[[nodiscard]] Result<Duration> add_durations(const Duration& a, const Duration& b,
                                             std::int64_t factor);

}  // namespace cairn::query
