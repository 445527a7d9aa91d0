#pragma once
// The file memory.jsonl of the knowledge-graph server, read into a database.

#include "tools/mcp/memory/memory_caller.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <string>

namespace cairn::tools::mcp {

struct GraphImport {
  std::size_t entities = 0;
  std::size_t relations = 0;
  bool was_done_before = false;  ///< there is a graph already: nothing was read
};

/// Import a file once, in one transaction: into a graph that never had an entity, so that a client may name the file at each
/// start. Lines of other types are passed over, as that server does. Errors: io_error for a file that cannot be read;
/// invalid_argument for a line that is no entity and no relation, with its number.
[[nodiscard]] Result<GraphImport> import_graph(const MemoryCaller& caller, const std::string& file);

}  // namespace cairn::tools::mcp
