#pragma once
// The parts that a temporal value shows by name, `.year` and `.epochMillis` for example.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <optional>
#include <string_view>

namespace cairn::query {

/// The component, or nullopt where `value` is not temporal. Errors: invalid_argument for a name
/// that its type does not have.
[[nodiscard]] std::optional<Result<Value>> temporal_component(const Value& value,
                                                              std::string_view name);

}  // namespace cairn::query
