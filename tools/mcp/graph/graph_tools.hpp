#pragma once
// The tools and the resource of the knowledge-graph server, which `--compat server-memory` offers
// instead of the usual ones.

#include "tools/mcp/caller/memory_caller.hpp"
#include "tools/mcp/protocol/definition.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <string>

namespace cairn::tools::mcp {

// Import of the knowledge-graph server's file memory.jsonl.

/// The result of an import.
struct GraphImport {
  std::size_t entities = 0;
  std::size_t relations = 0;
  bool was_done_before = false;  ///< a graph exists already; nothing was read
};

/// Imports a file in one transaction if the graph never had an entity. So a client may name the
/// file at each start. Lines of other types are ignored, as by the original server. Errors:
/// io_error for a file that cannot be read; invalid_argument for a line that is neither an entity
/// nor a relation, with its number.
[[nodiscard]] Result<GraphImport> import_graph(const MemoryCaller& caller, const std::string& file);

/// Reads a file without importing it. Errors: as import_graph().
[[nodiscard]] Status check_graph_file(const std::string& file);

/// Offers nine tools with the names, arguments and answers of
/// `@modelcontextprotocol/server-memory`, without those that the role does not permit, and
/// memory://knowledge-graph, which clients can watch. Lifetime: the caller must outlive the server.
void offer_graph(const MemoryCaller& caller, ServerDefinition& server);

}  // namespace cairn::tools::mcp
