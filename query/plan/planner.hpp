#pragma once
// The planner: a bound query to the plan that follows its text, clause by clause. Patterns are
// walked from left to right, every node is scanned whole, and conditions are checked last; the
// rules of query/optimize make something better of it.

#include "query/plan/logical_plan.hpp"

#include <cairn/result.hpp>

namespace cairn::query {

/// Errors: parse_error for what can be bound but not planned, with its place.
[[nodiscard]] Result<LogicalPlan> plan(const Query& query);

/// Whether running it changes the graph, its procedures included.
[[nodiscard]] bool is_writing(const Query& query);
[[nodiscard]] bool is_writing(const CallClause& call);

/// Whether it calls a procedure that needs the database itself, and so runs neither in a transaction nor on a snapshot.
[[nodiscard]] bool needs_database(const Query& query);

/// Whether it is CALL db.scrub() and nothing else, which is done before the run.
[[nodiscard]] bool scrubs(const Query& query);

/// The plan of a pattern inside an expression: one row for each match, from the outer row.
[[nodiscard]] LogicalPlan plan(const MatchClause& pattern);

// MERGE as a plan: the conditions that its pattern stands for, and the pipeline that looks for it.

struct MergePlace {
  Slot first_slot = 0;  ///< of the values of its properties
  std::uint32_t width = 0;
  std::uint32_t clause = 0;
};

/// Conditions that it makes up are added to `synthesized`, which must live as long as the plan.
/// Errors: parse_error where the properties are not written out as a map.
[[nodiscard]] Result<MergePattern> plan_merge(const MergeClause& clause, const MergePlace& place,
                                              std::vector<ExpressionPtr>& synthesized);

}  // namespace cairn::query
