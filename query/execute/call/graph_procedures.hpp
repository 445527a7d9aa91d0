#pragma once
// The procedures of graph algorithms: graph.*.

#include "query/execute/call/procedures.hpp"

#include <span>

namespace cairn::query {

/// The table of these procedures. It is part of the table of all procedures.
[[nodiscard]] std::span<const Procedure> graph_procedures() noexcept;

// Procedures about paths and pairs of nodes, in graph_path_procedures.cpp.

/// Arguments: the nodes where random walks start, and options. Rows: node and score, for each node
/// that walks reach.
[[nodiscard]] Result<std::unique_ptr<RowSource>> rank_around(ExecutionContext& context,
                                                             std::span<const Value> arguments);
/// Arguments: source, target, options. Rows: path and cost; at most one row.
[[nodiscard]] Result<std::unique_ptr<RowSource>> find_shortest_path(
    ExecutionContext& context, std::span<const Value> arguments);
/// Arguments: source, target, number of paths, options. Rows: path and cost, shortest first.
[[nodiscard]] Result<std::unique_ptr<RowSource>> find_shortest_paths(
    ExecutionContext& context, std::span<const Value> arguments);
/// Arguments: a node or a list of nodes, options. Rows: node, other, common, jaccard, adamicAdar,
/// most similar first.
[[nodiscard]] Result<std::unique_ptr<RowSource>> compare_neighbours(
    ExecutionContext& context, std::span<const Value> arguments);

}  // namespace cairn::query
