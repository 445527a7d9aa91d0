#pragma once
// What a server says of itself: its capabilities, and its tools, resources and prompts page by page.

#include "tools/mcp/protocol/definition.hpp"
#include "tools/mcp/protocol/message.hpp"
#include "tools/mcp/protocol/revision.hpp"

#include <string_view>

namespace cairn::tools::mcp {

/// What there is, for `initialize` and `server/discover`.
[[nodiscard]] json::object server_capabilities(const ServerDefinition& server, Revision revision);

[[nodiscard]] json::object initialize_result(const ServerDefinition& server, Revision revision);
[[nodiscard]] json::object discover_result(const ServerDefinition& server, Revision revision);

/// A page of "tools/list" and its like, in the order of the definition. Errors: a method that lists nothing, one of a
/// capability that the server does not have, and a cursor that is none of ours.
[[nodiscard]] Reply list_page(const ServerDefinition& server, std::string_view method,
                              const json::object& params, Revision revision);
[[nodiscard]] bool is_listing(std::string_view method) noexcept;

}  // namespace cairn::tools::mcp
