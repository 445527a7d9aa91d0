#pragma once
// Subqueries: the plans of patterns and queries inside expressions, made when one is evaluated for
// the first time and kept for the other rows.

#include "query/execute/expression/evaluator.hpp"
#include "query/execute/pipeline/running_plan.hpp"
#include "query/plan/logical_plan.hpp"

#include <memory>
#include <unordered_map>

namespace cairn::query {

struct OptimizerInputs;

class Subqueries final : public SubqueryRunner {
 public:
  Subqueries(ExecutionContext& context, const OptimizerInputs& inputs)
      : context_(context), inputs_(inputs) {}

  Status for_each_row(const Expression& expression, Row outer,
                      const std::function<Result<bool>(Row)>& visit) override;

 private:
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
