#pragma once
// Which questions a client can be asked.

#include <boost/json.hpp>

#include <string_view>

namespace cairn::tools::mcp {

namespace json = boost::json;

/// True if a client with these capabilities answers requests of this method; false for methods that
/// are not questions.
[[nodiscard]] bool can_ask(const json::object& capabilities, std::string_view method);

/// Returns the capability that a method needs, as an object: {"sampling": {}}. Empty for other
/// methods.
[[nodiscard]] json::object capability_of(std::string_view method);

}  // namespace cairn::tools::mcp
