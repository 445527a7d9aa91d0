#pragma once
// The five types that are points in time, and how a value of one is put together from parts.

#include "query/functions/temporal_parts.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <string_view>

namespace cairn::query {

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

}  // namespace cairn::query
