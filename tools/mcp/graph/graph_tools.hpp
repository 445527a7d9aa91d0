#pragma once
// The tools and the resource of the knowledge-graph server, which `--compat server-memory` offers in their place.

#include "tools/mcp/caller/memory_caller.hpp"
#include "tools/mcp/protocol/definition.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <string>

namespace cairn::tools::mcp {

// The file memory.jsonl of the knowledge-graph server, read into a database.

struct GraphImport {
  std::size_t entities = 0;
  std::size_t relations = 0;
  bool was_done_before = false;  ///< there is a graph already: nothing was read
};

/// Import a file once, in one transaction: into a graph that never had an entity, so that a client may name the file at each
/// start. Lines of other types are passed over, as that server does. Errors: io_error for a file that cannot be read;
/// invalid_argument for a line that is neither an entity nor a relation, with its number.
[[nodiscard]] Result<GraphImport> import_graph(const MemoryCaller& caller, const std::string& file);

/// Nine tools with the names, arguments and answers of `@modelcontextprotocol/server-memory`, but for those that the role does
/// not let work, and memory://knowledge-graph, which clients can watch. Lifetime: of the caller.
void offer_graph(const MemoryCaller& caller, ServerDefinition& server);

}  // namespace cairn::tools::mcp
