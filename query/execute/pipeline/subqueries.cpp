// Patterns, EXISTS, COUNT, COLLECT within expressions. Each has its plan and its operators, made
// when it is first evaluated and kept for the statement, by the address of its expression.
// Evaluated for each row of the query around, with a restart: nothing is cached but what the
// operators look up once.
#include "query/execute/pipeline/subqueries.hpp"

#include "query/optimize/optimizer.hpp"
#include "query/plan/planner.hpp"

#include <utility>

namespace cairn::query {

// The plan is the same for all rows; only the row that it starts from changes.
Result<RunningPlan*> Subqueries::prepare(const Expression& expression) {
  Prepared& prepared = prepared_[&expression];
  if (prepared.running) return prepared.running.get();
  if (expression.match) {
    prepared.plan = plan(*expression.match);
  } else {
    CAIRN_ASSIGN(prepared.plan, plan(*expression.subquery));
    // Clauses that write are refused before; the statement around may have no writer.
    if (prepared.plan.is_writing)
      return Error{ErrorCode::unsupported,
                   "a subquery in an expression reads; it cannot call a procedure that changes "
                   "something: CALL { } can",
                   expression.where};
  }
  CAIRN_TRY(optimize(prepared.plan, inputs_));
  prepared.running = std::make_unique<RunningPlan>(context_, prepared.plan);
  return prepared.running.get();
}

// `visit` says whether it wants more; EXISTS stops at the first row.
Status Subqueries::for_each_row(const Expression& expression, Row outer,
                                const std::function<Result<bool>(Row)>& visit) {
  CAIRN_ASSIGN(RunningPlan * running, prepare(expression));
  // What was read ahead belongs to rows of the outer query.
  const ReadAhead none(context_.evaluator, nullptr);
  running->start(outer);
  RowBatch rows;
  while (true) {
    CAIRN_ASSIGN(const bool more, running->next(rows));
    if (!more) return {};
    for (std::size_t row = 0; row < rows.size(); ++row) {
      CAIRN_ASSIGN(const bool goes_on, visit(rows[row]));
      if (!goes_on) return {};
    }
  }
}

}  // namespace cairn::query
