#pragma once
// Hits as a message: what searches found as values, for both ends.

#include "engine/database/call_values.hpp"

#include <cairn/hit.hpp>

#include <vector>

namespace cairn::query {

/// With everything that a hit has.
[[nodiscard]] Value hits_value(const std::vector<Hit>& hits);
/// Errors: io_error.
[[nodiscard]] Result<std::vector<Hit>> read_hits(const Value& value);

}  // namespace cairn::query
