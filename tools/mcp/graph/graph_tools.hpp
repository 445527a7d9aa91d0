#pragma once
// The tools and the resource of the knowledge-graph server, which `--compat server-memory` offers in their place.

#include "tools/mcp/memory/memory_caller.hpp"
#include "tools/mcp/protocol/definition.hpp"

namespace cairn::tools::mcp {

/// Nine tools with the names, arguments and answers of `@modelcontextprotocol/server-memory`, but for those that the role does
/// not let work, and memory://knowledge-graph, which clients can watch. Lifetime: of the caller.
void offer_graph(const MemoryCaller& caller, ServerDefinition& server);

}  // namespace cairn::tools::mcp
