#pragma once
// The planner turns a bound query into a plan that follows the text, clause by clause. It plans the steps of patterns
// from left to right, scans the nodes that no step reaches, and checks conditions last. The rules of query/optimize
// improve the plan.

#include "query/plan/logical_plan.hpp"

#include <cairn/result.hpp>

namespace cairn::query {

/// Plans a statement. Errors: parse_error, with the position, for a statement that can be bound but
/// not planned.
[[nodiscard]] Result<LogicalPlan> plan(const Query& query);

/// True if running the statement changes the graph, directly or by a procedure.
[[nodiscard]] bool is_writing(const Query& query);
[[nodiscard]] bool is_writing(const CallClause& call);

/// True if the query calls a procedure that needs the database itself. Such a query runs neither in a transaction nor
/// on a snapshot.
[[nodiscard]] bool needs_database(const Query& query);

/// True if the query is CALL db.scrub() alone, which is executed before the run.
[[nodiscard]] bool scrubs(const Query& query);

/// Plans a pattern inside an expression. The plan returns one row for each match, starting from the outer row.
[[nodiscard]] LogicalPlan plan(const MatchClause& pattern);

// Plans MERGE: the conditions for its pattern, and the pipeline that matches the pattern.

/// Where a MERGE is placed in the plan.
struct MergePlace {
  Slot first_slot = 0;       ///< slot for the first property value
  std::uint32_t width = 0;   ///< number of slots in the rows
  std::uint32_t clause = 0;  ///< clause number for the operators
};

/// Adds new conditions to `synthesized`, which must live as long as the plan.
/// Errors: parse_error if the properties are not written out as a map.
[[nodiscard]] Result<MergePattern> plan_merge(const MergeClause& clause, const MergePlace& place,
                                              std::vector<ExpressionPtr>& synthesized);

}  // namespace cairn::query
