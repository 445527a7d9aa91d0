#pragma once
// What a client says that it can be asked.

#include <boost/json.hpp>

#include <string_view>

namespace cairn::tools::mcp {

namespace json = boost::json;

/// Whether a client of these capabilities answers requests of this method. False for methods that are no questions.
[[nodiscard]] bool can_ask(const json::object& capabilities, std::string_view method);

/// The capability that a method needs, as an object that names it: {"sampling": {}}. Empty for other methods.
[[nodiscard]] json::object capability_of(std::string_view method);

}  // namespace cairn::tools::mcp
