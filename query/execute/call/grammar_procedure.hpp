#pragma once
// db.grammar

#include "query/execute/call/procedures.hpp"

namespace cairn::query {

/// The grammar of the language in each format, or in the one that is named.
[[nodiscard]] Result<Procedure::Rows> give_grammar(ExecutionContext& context,
                                                   std::span<const Value> arguments);

}  // namespace cairn::query
