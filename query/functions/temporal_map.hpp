#pragma once
// Points in time and durations from maps: date({year: 1984, month: 10}), datetime({date: other,
// hour: 12, timezone: 'Europe/Stockholm'}), duration({days: 1.5}).

#include "query/functions/temporal_fields.hpp"
#include "query/functions/temporal_point.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

namespace cairn::query {

/// The point that the map names. `date`, `time` and `datetime` select parts of other values, which
/// the numeric fields then change; a `timezone` moves a selected time that has a zone of its own.
[[nodiscard]] Result<Value> point_from_map(const PointType& type, const Map& map);

/// `parts` with the numeric fields of the map put in; a `timezone` replaces the zone and moves
/// nothing. For truncation: fractions of a second are added to what is left.
[[nodiscard]] Result<Value> changed_point(const PointType& type, TemporalParts parts,
                                          const Map& map);

[[nodiscard]] Result<Duration> duration_from_map(const Map& map);

}  // namespace cairn::query
