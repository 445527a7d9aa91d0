#pragma once
// The operators and rows of a running plan, and the subqueries in its expressions.

#include "query/execute/expression/evaluator.hpp"
#include "query/execute/pipeline/physical_operator.hpp"
#include "query/execute/pipeline/row_set.hpp"
#include "query/plan/logical_plan.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace cairn::query {

// The running pipelines of a plan: those of the statement itself, and those that operators and
// expressions run.

struct LogicalPlan;
struct Pipeline;

/// Makes an operator that reads from `input`.
[[nodiscard]] OperatorPtr lower(ExecutionContext& context, const Operator& one, OperatorPtr input);

/// A pipeline that can be run repeatedly, each time from another row.
class RunningPipeline {
 public:
  RunningPipeline(ExecutionContext& context, const Pipeline& pipeline);

  void start(std::span<const Value> row);
  [[nodiscard]] Result<bool> next(RowBatch& out) { return root_->next(out); }

 private:
  ArgumentOperator* argument_;  // the first operator, owned by root_
  OperatorPtr root_;
};

/// The rows of several pipelines, one after the other. With `distinct`, each row is returned once.
class RunningPlan {
 public:
  RunningPlan(ExecutionContext& context, const LogicalPlan& plan);
  /// Rows are compared by their first `columns` slots.
  RunningPlan(ExecutionContext& context, std::span<const Pipeline> branches, bool distinct,
              std::size_t columns);

  void start(std::span<const Value> row);
  [[nodiscard]] Result<bool> next(RowBatch& out);

 private:
  [[nodiscard]] Status keep_new(RowBatch& out);

  std::vector<RunningPipeline> branches_;
  std::size_t branch_ = 0;
  RowSet seen_;
  bool is_distinct_;
  std::size_t columns_;
};

// Subqueries: the plans of patterns and queries inside expressions. Each plan is made at the first
// evaluation of its expression, and reused for other rows.

struct OptimizerInputs;

class Subqueries final : public SubqueryRunner {
 public:
  Subqueries(ExecutionContext& context, const OptimizerInputs& inputs)
      : context_(context), inputs_(inputs) {}

  Status for_each_row(const Expression& expression, Row outer,
                      const std::function<Result<bool>(Row)>& visit) override;

 private:
  /// Made on the first evaluation.
  struct Prepared {
    LogicalPlan plan;
    std::unique_ptr<RunningPlan> running;
  };
  [[nodiscard]] Result<RunningPlan*> prepare(const Expression& expression);

  ExecutionContext& context_;
  const OptimizerInputs& inputs_;
  std::unordered_map<const Expression*, Prepared> prepared_;
};

}  // namespace cairn::query
