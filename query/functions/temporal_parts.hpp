#pragma once
// A point in time taken apart: which of day, time of day and zone it has. The six types differ only
// in that, so most of what is done to them is written once, on their parts.

#include "codec/temporal_order.hpp"
#include "query/functions/time_zone.hpp"

#include <cairn/value.hpp>

#include <cstdint>
#include <optional>

namespace cairn::query {

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

}  // namespace cairn::query
