#pragma once
// db.csv.load, which LOAD CSV is a short form of.

#include "query/execute/call/procedures.hpp"

namespace cairn::query {

/// The records of a file as rows, read as they are asked for.
[[nodiscard]] Result<std::unique_ptr<RowSource>> load_csv(ExecutionContext& context,
                                                          std::span<const Value> arguments);

}  // namespace cairn::query
