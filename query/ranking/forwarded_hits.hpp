#pragma once
// Hits as values, to send them between processes. Both ends use these functions.

#include "engine/database/call_values.hpp"

#include <cairn/hit.hpp>

#include <vector>

namespace cairn::query {

/// Converts hits with all of their members.
[[nodiscard]] Value hits_value(const std::vector<Hit>& hits);
/// Converts back. Errors: io_error if the value does not have the expected form.
[[nodiscard]] Result<std::vector<Hit>> read_hits(const Value& value);

}  // namespace cairn::query
