// Makes the physical operators of a plan: one for each logical operator. The planner and the
// optimizer have made all choices. Operators point into the plan, which must not move. Each run,
// and each subquery, makes its operators once.
#include "query/execute/pipeline/running_plan.hpp"

#include "query/optimize/optimizer.hpp"
#include "query/plan/logical_plan.hpp"
#include "query/plan/planner.hpp"

#include <span>
#include <utility>

namespace cairn::query {
namespace {

// The operators that the operator after them runs on several threads; empty: none.
std::span<const Operator> shared_operators(const Pipeline& pipeline) {
  for (const Operator& one : pipeline.operators)
    if (const SharedPart* const part = shared_part_of(one))
      if (part->threads > 1) return {part->first, part->count};
  return {};
}

}  // namespace

// Each operator owns its input, so the last operator owns all others.
OperatorPtr lower(ExecutionContext& context, const Operator& one, OperatorPtr input) {
  OperatorPtr made = context.make_operator(one, {context, std::move(input), one.width});
  if (context.profile) context.running[&one] = &made->meter();
  return made;
}

// Begins with the argument operator. Each operator owns the one from which it pulls, and the last
// one is the root.
RunningPipeline::RunningPipeline(ExecutionContext& context, const Pipeline& pipeline) {
  auto argument = std::make_unique<ArgumentOperator>(context, pipeline.width);
  argument_ = argument.get();
  root_ = std::move(argument);
  const std::span<const Operator> shared = shared_operators(pipeline);
  for (const Operator& one : pipeline.operators) {
    const bool is_shared = !shared.empty() && &one >= shared.data() && &one <= &shared.back();
    if (!is_shared) root_ = lower(context, one, std::move(root_));
  }
}

void RunningPipeline::start(std::span<const Value> row) {
  argument_->set(row);
  root_->restart();
}

// The parts of a UNION run one after the other. UNION stores the rows seen so far, UNION ALL does
// not.
RunningPlan::RunningPlan(ExecutionContext& context, const LogicalPlan& plan)
    : RunningPlan(context, plan.branches, plan.distinct, plan.columns.size()) {}

RunningPlan::RunningPlan(ExecutionContext& context, std::span<const Pipeline> branches,
                         bool distinct, std::size_t columns)
    : seen_(context.budget), is_distinct_(distinct), columns_(columns) {
  for (const Pipeline& pipeline : branches) branches_.emplace_back(context, pipeline);
}

// A restart is cheap: operators discard their rows but keep the results of lookups.
void RunningPlan::start(std::span<const Value> row) {
  for (RunningPipeline& branch : branches_) branch.start(row);
  seen_.clear();
  branch_ = 0;
}

// Runs one branch after the other, in the order of the text. Never returns an empty batch.
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

// Compares only the columns, because rows may be longer.
Status RunningPlan::keep_new(RowBatch& out) {
  std::vector<bool> is_new(out.size());
  for (std::size_t row = 0; row < out.size(); ++row) {
    CAIRN_ASSIGN(is_new[row], seen_.add(out[row].first(columns_)));
  }
  out.keep(is_new);
  return {};
}

// Runs patterns, EXISTS, COUNT and COLLECT inside expressions. Each such expression has a plan and
// operators, which are made at its first evaluation, live as long as the statement, and are found
// by the address of the expression. The plan is the same for all outer rows and is restarted for
// each row. Between rows, only the results of lookups are cached.
Result<RunningPlan*> Subqueries::prepare(const Expression& expression) {
  Prepared& prepared = prepared_[&expression];
  if (prepared.running) return prepared.running.get();
  if (expression.match) {
    prepared.plan = plan(*expression.match);
  } else {
    CAIRN_ASSIGN(prepared.plan, plan(*expression.subquery));
    // The binder has already rejected writing clauses. A call of a writing procedure is rejected
    // here, because the statement may have no writer.
    if (prepared.plan.is_writing)
      return Error{ErrorCode::unsupported,
                   "a subquery in an expression cannot call a procedure that writes; call it in "
                   "CALL { ... } instead",
                   expression.where};
  }
  CAIRN_TRY(optimize(prepared.plan, inputs_));
  prepared.running = std::make_unique<RunningPlan>(context_, prepared.plan);
  return prepared.running.get();
}

// `visit` returns false to stop early, as EXISTS does after the first row.
Status Subqueries::for_each_row(const Expression& expression, Row outer,
                                const std::function<Result<bool>(Row)>& visit) {
  CAIRN_ASSIGN(RunningPlan * running, prepare(expression));
  // Properties that were read ahead belong to rows of the outer query.
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
