#pragma once
// Answers of handlers as results of a revision of the protocol.

#include "tools/mcp/protocol/definition.hpp"
#include "tools/mcp/protocol/message.hpp"
#include "tools/mcp/protocol/revision.hpp"

#include <string_view>

namespace cairn::tools::mcp {

// What a server says of itself: its capabilities, and its tools, resources and prompts page by page.

/// What there is, for `initialize` and `server/discover`.
[[nodiscard]] json::object server_capabilities(const ServerDefinition& server, Revision revision);

[[nodiscard]] json::object initialize_result(const ServerDefinition& server, Revision revision);
[[nodiscard]] json::object discover_result(const ServerDefinition& server, Revision revision);

/// A page of "tools/list" and its like, in the order of the definition. Errors: a method that lists nothing, one of a
/// capability that the server does not have, and an unknown cursor.
[[nodiscard]] Reply list_page(const ServerDefinition& server, std::string_view method,
                              const json::object& params, Revision revision);
[[nodiscard]] bool is_listing(std::string_view method) noexcept;

/// Content that a revision does not have becomes text; structured content is left out where clients would refuse it.
[[nodiscard]] json::object encode_result(ToolResult result, Revision revision);
[[nodiscard]] json::object encode_result(ResourceContents contents, Revision revision);
[[nodiscard]] json::object encode_result(PromptResult result, Revision revision);
[[nodiscard]] json::object encode_result(Completions completions, Revision revision);

/// Add what results of requests without handshake carry: `resultType` and who answers.
void complete_result(json::object& result, const ServerDefinition& server, Revision revision);
/// Add how long a client may keep the result. Nobody but this client may: it is this user's data.
void make_cacheable(json::object& result, std::uint64_t ttl_ms, Revision revision);

/// `serverInfo`: name, version and what else the revision has.
[[nodiscard]] json::object server_info(const ServerDefinition& server, Revision revision);

/// The error as this revision numbers it.
[[nodiscard]] ProtocolError error_of_revision(ProtocolError error, Revision revision);

}  // namespace cairn::tools::mcp
