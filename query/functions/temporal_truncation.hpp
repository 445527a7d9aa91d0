#pragma once
// Points in time cut down to a unit: the beginning of their week, hour, millennium.

#include "query/functions/temporal_parts.hpp"

#include <cairn/result.hpp>

#include <string_view>

namespace cairn::query {

/// The parts at the beginning of the unit ("weekYear", "day", "microsecond", ...) that they lie in;
/// a unit of a day or more leaves midnight. Errors: invalid_argument for a unit that there is not,
/// or that needs a part which is missing.
[[nodiscard]] Result<TemporalParts> truncated(TemporalParts parts, std::string_view unit);

}  // namespace cairn::query
