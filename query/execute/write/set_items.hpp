#pragma once
// The items of SET, REMOVE and of MERGE's ON CREATE and ON MATCH.

#include "query/bind/bound_query.hpp"
#include "query/execute/write/graph_editor.hpp"

namespace cairn::query {

[[nodiscard]] Status apply_items(const std::vector<SetItem>& items, ExecutionContext& context,
                                 GraphEditor& editor, Row row);

}  // namespace cairn::query
