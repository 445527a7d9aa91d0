#pragma once
// Plans of statements without a database.

#include "query/plan/plan_text.hpp"
#include "query/plan/planner.hpp"
#include "query/bind/parser.hpp"
#include "tests/support/graph_builder.hpp"

#include <string>
#include <string_view>

namespace cairn::query {

/// A bound statement and the plan that follows its text.
struct PlannedStatement {
  explicit PlannedStatement(std::string_view statement)
      : text(statement),
        bound(test::must(parse_statement(text))),
        plan(test::must(query::plan(std::get<Query>(bound.content)))) {}

  /// Operators from first to last, each by its line, joined by "; ".
  [[nodiscard]] std::string operators(std::size_t branch = 0) const {
    std::string line;
    for (const Operator& one : plan.branches[branch].operators)
      line += (line.empty() ? "" : "; ") + describe(one, text);
    return line;
  }

  std::string text;
  BoundStatement bound;
  LogicalPlan plan;
};

}  // namespace cairn::query
