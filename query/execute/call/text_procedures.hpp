#pragma once
// Neo4j's calls of full-text search: db.index.fulltext.queryNodes and queryRelationships.

#include "query/execute/call/procedures.hpp"

namespace cairn::query {

/// Arguments: the index, the question, and a map with `skip` and `limit`, which may be left out. Rows:
/// entity and score, best first. Errors: not_found, type_error, invalid_argument.
[[nodiscard]] Result<Procedure::Rows> query_nodes_by_text(ExecutionContext& context,
                                                          std::span<const Value> arguments);
[[nodiscard]] Result<Procedure::Rows> query_relationships_by_text(ExecutionContext& context,
                                                                  std::span<const Value> arguments);

}  // namespace cairn::query
