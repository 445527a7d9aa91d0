#pragma once
// Encodes answers of handlers as results of a revision of the protocol.

#include "tools/mcp/protocol/definition.hpp"
#include "tools/mcp/protocol/message.hpp"
#include "tools/mcp/protocol/revision.hpp"

#include <string_view>

namespace cairn::tools::mcp {

// What a server offers: its capabilities, and its tools, resources and prompts page by page.

/// Returns the capabilities, for `initialize` and `server/discover`.
[[nodiscard]] json::object server_capabilities(const ServerDefinition& server, Revision revision);

[[nodiscard]] json::object initialize_result(const ServerDefinition& server, Revision revision);
[[nodiscard]] json::object discover_result(const ServerDefinition& server, Revision revision);

/// Returns a page of "tools/list" and similar methods, in the order of the definition. Errors: a
/// method that lists nothing, a method of a capability that the server lacks, and an unknown
/// cursor.
[[nodiscard]] Reply list_page(const ServerDefinition& server, std::string_view method,
                              const json::object& params, Revision revision);
[[nodiscard]] bool is_listing(std::string_view method) noexcept;

/// Content that a revision lacks becomes text. Structured content is omitted if clients would
/// refuse it.
[[nodiscard]] json::object encode_result(ToolResult result, Revision revision);
[[nodiscard]] json::object encode_result(ResourceContents contents, Revision revision);
[[nodiscard]] json::object encode_result(PromptResult result, Revision revision);
[[nodiscard]] json::object encode_result(Completions completions, Revision revision);

/// Adds the members of results without handshake: `resultType` and the server's name.
void complete_result(json::object& result, const ServerDefinition& server, Revision revision);
/// Adds how long the client may cache the result. Only this client may cache it, because it is the
/// user's data.
void make_cacheable(json::object& result, std::uint64_t ttl_ms, Revision revision);

/// Returns `serverInfo`: name, version and other fields of the revision.
[[nodiscard]] json::object server_info(const ServerDefinition& server, Revision revision);

/// Converts the error code to that of the revision.
[[nodiscard]] ProtocolError error_of_revision(ProtocolError error, Revision revision);

}  // namespace cairn::tools::mcp
