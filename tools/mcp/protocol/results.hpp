#pragma once
// Answers of handlers as results of a revision of the protocol.

#include "tools/mcp/protocol/definition.hpp"
#include "tools/mcp/protocol/revision.hpp"

namespace cairn::tools::mcp {

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
