#pragma once
// db.recall(question, options): the recall call of the public face, within a statement.

#include "query/execute/call/procedures.hpp"

namespace cairn::query {

/// node, score, breakdown; best first. Options are those of RecallOptions and RecallFeatures by their names.
[[nodiscard]] Result<Procedure::Rows> recall_nodes(ExecutionContext& context,
                                                   std::span<const Value> arguments);

}  // namespace cairn::query
