#pragma once
// The pipelines of a plan while they run: of the statement itself, and those that operators and
// expressions run inside themselves.

#include "query/execute/pipeline/physical_operator.hpp"
#include "query/execute/pipeline/row_set.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace cairn::query {

struct LogicalPlan;
struct Pipeline;

/// A pipeline that is run again and again, each time from another row.
class RunningPipeline {
 public:
  RunningPipeline(ExecutionContext& context, const Pipeline& pipeline);

  void start(std::span<const Value> row);
  [[nodiscard]] Result<bool> next(RowBatch& out) { return root_->next(out); }

 private:
  ArgumentOperator* argument_;  // the first operator of what root_ owns
  OperatorPtr root_;
};

/// Rows of several pipelines, one after the other; once each if `distinct`.
class RunningPlan {
 public:
  RunningPlan(ExecutionContext& context, const LogicalPlan& plan);
  /// `columns` are those that `distinct` rows differ in.
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

}  // namespace cairn::query
