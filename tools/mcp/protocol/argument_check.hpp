#pragma once
// The arguments of a call against the top level of the tool's schema, so that a model reads what to correct.

#include <boost/json.hpp>

#include <optional>
#include <string>

namespace cairn::tools::mcp {

namespace json = boost::json;

/// What is wrong, for the model: missing and unknown keys, values of other types or outside of an `enum`. Nothing if the call
/// may go on. Other keywords of JSON Schema, and what lies deeper, are not looked at.
[[nodiscard]] std::optional<std::string> check_arguments(const json::object& schema,
                                                         const json::object& arguments);

}  // namespace cairn::tools::mcp
