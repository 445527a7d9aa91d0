#pragma once
// JSON in the tools is the library's.

#include <cairn/json.hpp>

namespace cairn::tools {

using cairn::parse_json;
using cairn::to_json;

/// A parameter as a person gives it: a whole number beyond 64 bits is an error, where parse_json
/// makes a float near it. Errors: invalid_argument.
[[nodiscard]] Result<Value> parse_parameter(std::string_view text);

}  // namespace cairn::tools
