// Makes the operators that run a plan.
// One physical operator for each logical one; all choices were made before. Operators point into
// the plan, which must not move while they live. Built once for each run, and once for each
// subquery.
#include "query/execute/pipeline/running_plan.hpp"

#include "query/optimize/optimizer.hpp"
#include "query/plan/logical_plan.hpp"
#include "query/plan/planner.hpp"

#include <utility>

namespace cairn::query {
namespace {

// Each operator owns its input, so that the last one owns them all.
OperatorPtr lower(ExecutionContext& context, const Operator& one, OperatorPtr input) {
  OperatorPtr made = context.make_operator(one, {context, std::move(input), one.width});
  if (context.profile) context.running[&one] = made.get();
  return made;
}

}  // namespace

// From the argument up: each operator owns the one that it pulls from, the last is the root.
RunningPipeline::RunningPipeline(ExecutionContext& context, const Pipeline& pipeline) {
  auto argument = std::make_unique<ArgumentOperator>(context, pipeline.width);
  argument_ = argument.get();
  root_ = std::move(argument);
  for (const Operator& one : pipeline.operators) root_ = lower(context, one, std::move(root_));
}

void RunningPipeline::start(std::span<const Value> row) {
  argument_->set(row);
  root_->restart();
}

// The parts of a UNION run one after the other; only the rows of UNION are remembered, those of UNION ALL
// not.
RunningPlan::RunningPlan(ExecutionContext& context, const LogicalPlan& plan)
    : RunningPlan(context, plan.branches, plan.distinct, plan.columns.size()) {}

RunningPlan::RunningPlan(ExecutionContext& context, std::span<const Pipeline> branches,
                         bool distinct, std::size_t columns)
    : seen_(context.budget), is_distinct_(distinct), columns_(columns) {
  for (const Pipeline& pipeline : branches) branches_.emplace_back(context, pipeline);
}

// Restarting is cheap: operators forget rows, not what they looked up.
void RunningPlan::start(std::span<const Value> row) {
  for (RunningPipeline& branch : branches_) branch.start(row);
  seen_.clear();
  branch_ = 0;
}

// Branches of a UNION one behind another, in the order of the text; only one runs at a time. An
// empty batch is never given.
Result<bool> RunningPlan::next(RowBatch& out) {
  for (; branch_ < branches_.size(); ++branch_)
    while (true) {
      CAIRN_ASSIGN(const bool more, branches_[branch_].next(out));
      if (!more) break;
      if (is_distinct_) CAIRN_TRY(keep_new(out));
      if (!out.empty()) return true;
    }
  return false;
}

// Only the columns are compared: rows may be longer.
Status RunningPlan::keep_new(RowBatch& out) {
  std::vector<bool> is_new(out.size());
  for (std::size_t row = 0; row < out.size(); ++row) {
    CAIRN_ASSIGN(is_new[row], seen_.add(out[row].first(columns_)));
  }
  out.keep(is_new);
  return {};
}

// Patterns, EXISTS, COUNT, COLLECT within expressions. Each has its plan and its operators. They are
// made when it is first evaluated and live as long as the statement, found by the address of its
// expression. Evaluated for each row of the query around, with a restart: nothing is cached but what the
// operators look up once.

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
