#pragma once
// The parts of temporal values: days and clock time, points of time, and the groups of a duration.

#include "codec/instant.hpp"
#include "query/functions/time_zone.hpp"

#include <cairn/result.hpp>
#include <cairn/temporal.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn::query {

// A point in time taken apart: which of day, time of day and zone it has. The six types differ only
// in that, so most of what is done to them is written once, on their parts.

/// What a value has and nothing else: a date has no midnight, a local time no UTC.
struct TemporalParts {
  std::optional<std::int64_t> days;         ///< local day since 1970-01-01
  std::optional<std::int64_t> nanoseconds;  ///< since local midnight
  std::optional<Zone> zone;                 ///< with the offset that holds then
};

/// Nullopt for durations and for what is not temporal.
[[nodiscard]] std::optional<TemporalParts> parts_of(const Value& value);

/// Day and nanosecond of the day put together again.
[[nodiscard]] LocalDateTime local_date_time(std::int64_t days, std::int64_t nanoseconds) noexcept;

/// For results of arithmetic that leave the calendar.
[[nodiscard]] Error date_out_of_range();

/// The value, or the error that its year lies beyond +-999,999,999.
template <class Temporal>
[[nodiscard]] Result<Value> checked(const Temporal& value) {
  if (codec::is_valid(value)) return Value(value);
  return date_out_of_range();
}

// The five types that are points in time, and how a value of one is put together from parts.

/// Which parts a type has. The zone is never alone: it comes with a time.
struct PointType {
  std::string_view name;  ///< of the function that makes one
  bool has_date = false;
  bool has_time = false;
  bool has_zone = false;
};

inline constexpr PointType date_type{"date", true, false, false};
inline constexpr PointType local_time_type{"localtime", false, true, false};
inline constexpr PointType time_type{"time", false, true, true};
inline constexpr PointType local_date_time_type{"localdatetime", true, true, false};
inline constexpr PointType date_time_type{"datetime", true, true, true};

/// The value of this type with these parts: midnight and UTC where a time or zone is missing, parts
/// that the type does not have are left out. Errors: invalid_argument without the date that it
/// needs.
[[nodiscard]] Result<Value> make_point(const PointType& type, const TemporalParts& parts);

/// The parts of a clock in this zone at an instant, in microseconds since 1970 UTC.
[[nodiscard]] TemporalParts parts_at(std::int64_t microseconds, const Zone& zone);

/// The same instant on a clock of another zone. Parts without a day are taken to be of 1970-01-01
/// and come back without one.
[[nodiscard]] TemporalParts moved_to_zone(const TemporalParts& parts, const Zone& zone);

// Making durations: exact sums of their four parts, and rounding where the parts are fractions.

/// Four parts that may be fractions. A fraction of a month or day goes on to the next smaller part,
/// a month having 30.436875 days and a day 24 hours.
struct FractionalDuration {
  long double months = 0;
  long double days = 0;
  long double seconds = 0;
  long double nanoseconds = 0;
};

/// Rounded to whole nanoseconds. Errors: invalid_argument where a part needs over 64 bits.
[[nodiscard]] Result<Duration> whole_duration(FractionalDuration parts);

/// The duration with its nanoseconds brought into 0 to 999,999,999. Errors as above.
[[nodiscard]] Result<Duration> make_duration(std::int64_t months, std::int64_t days,
                                             std::int64_t seconds, std::int64_t nanoseconds);

/// a + factor * b for a factor of 1 or -1. Errors as above.
[[nodiscard]] Result<Duration> add_durations(const Duration& a, const Duration& b,
                                             std::int64_t factor);

}  // namespace cairn::query
