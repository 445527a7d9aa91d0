#pragma once
// The value of a path variable, from the nodes and relationships of a row.

#include "query/bind/bound_query.hpp"
#include "query/execute/graph_reader.hpp"
#include "query/execute/pipeline/physical_operator.hpp"

#include <optional>

namespace cairn::query {

/// Nothing where a part of it is null, as OPTIONAL MATCH may have left it. Reads the records of
/// relationships of variable length, for the nodes between them.
[[nodiscard]] Result<std::optional<Path>> path_of(const PathPattern& pattern, Row row,
                                                  GraphReader& graph);

}  // namespace cairn::query
