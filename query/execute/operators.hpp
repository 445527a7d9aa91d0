#pragma once
// One factory for each operator of a plan; each operator is a class of its own file, seen by nobody
// else. And the pipelines that operators run inside themselves.

#include "query/execute/physical_operator.hpp"
#include "query/execute/rows/row_set.hpp"
#include "query/plan/logical_plan.hpp"

namespace cairn::query {

/// What every operator is made of.
struct Parts {
  ExecutionContext& context;
  OperatorPtr input;
  std::uint32_t width = 0;
};

[[nodiscard]] OperatorPtr make_operator(const ScanNodes& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const ScanRelationships& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Expand& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const ExpandVariable& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const FindShortest& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const BindPath& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const KeepMembers& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const SearchVectors& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const WatchHits& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Select& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Project& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Aggregate& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Distinct& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Sort& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Skip& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Limit& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Cut& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Unwind& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Optional& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const CountRows& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const CountByValue& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const CreatePattern& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const SetProperties& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const MergePattern& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const DeleteEntities& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Foreach& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const CallProcedure& content, Parts parts);

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
