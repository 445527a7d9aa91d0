#pragma once
// Vectors as components.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <vector>

namespace cairn::query {

/// Converts a vector or a list of numbers to components. Errors: type_error at `where`.
[[nodiscard]] Result<std::vector<float>> vector_components(const Value& value,
                                                           const TextRange& where);

}  // namespace cairn::query
