// Converts a filter value to the expression that a statement would have in its place. Planning,
// estimates, evaluation and the check on records are the same as for a statement. The result is
// exact.
#include "query/execute/filter/filter_ids.hpp"

#include "query/bind/filter_expression.hpp"
#include "query/execute/filter/filter_evaluator.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/row_batch.hpp"
#include "query/plan/cardinality.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

constexpr Slot record_slot = 0;

// Splits a condition into its conjuncts.
void add_conjuncts(const Expression& condition, std::vector<const Expression*>& conjuncts) {
  if (condition.kind != ExpressionKind::logical_and) return conjuncts.push_back(&condition);
  for (const ExpressionPtr& child : condition.children) add_conjuncts(*child, conjuncts);
}

/// Memory counted for each condition before a filter is planned. The value also limits planning to some tens of
/// milliseconds.
constexpr std::size_t bytes_of_condition = 4'096;

std::size_t conditions_in(const Filter& filter) {
  std::size_t count = 1;
  for (const Filter& one : filter.filters) count += conditions_in(one);
  return count;
}

}  // namespace

// Evaluates the indexes first and then checks the remaining records.
Result<codec::Bitmap> filter_ids(ExecutionContext& context, const FilterPlan& plan,
                                 FilterEvaluator& evaluator,
                                 std::span<const Expression* const> others, Row row,
                                 const codec::Bitmap* within) {
  CAIRN_ASSIGN(const FilterEvaluator::Found* found, evaluator.find(row));
  std::vector<const Expression*> conditions = found->recheck;
  conditions.insert(conditions.end(), others.begin(), others.end());
  const RecordCheck check{plan.slot, plan.kind, conditions};
  if (within == nullptr) return passing_ids(context, check, found->ids, row);
  return passing_ids(context, check, codec::intersect(found->ids, *within), row);
}

// Slot 0 holds the record. Later slots hold elements of lists.
Result<codec::Bitmap> filter_ids(ExecutionContext& context, const Filter& filter,
                                 codec::EntityKind kind) {
  CAIRN_TRY(context.budget.check_room(conditions_in(filter) * bytes_of_condition));
  Slot width = record_slot + 1;
  CAIRN_ASSIGN(const ExpressionPtr condition,
               filter_expression(filter, record_slot, {TextRange{}, [&] { return width++; }}));
  std::vector<Value> row(width);
  std::vector<const Expression*> others;
  add_conjuncts(*condition, others);
  FilterPlan plan = plan_filter(record_slot, kind, others);
  Statistics statistics(
      context.graph.view(), context.graph.visibility(),
      [&](const Expression& expression) -> std::optional<Value> {
        auto value = context.evaluator.evaluate(expression, row);
        return value ? std::optional(std::move(value).value()) : std::nullopt;
      },
      context.options.listed_name_spaces.has_value());
  CAIRN_TRY(statistics.estimate(plan));
  FilterEvaluator evaluator(context.evaluator, plan);
  return filter_ids(context, plan, evaluator, others, row);
}

// The ids are visited in ascending order, as from_sorted() requires.
Result<codec::Bitmap> passing_ids(ExecutionContext& context, const RecordCheck& check,
                                  const codec::Bitmap& candidates, Row argument) {
  if (check.conditions.empty()) return candidates;
  std::vector<std::uint64_t> passing;
  const auto take = [&](RowBatch& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      passing.push_back(entity_of(rows.cell(i, check.slot))->id);
  };
  CAIRN_TRY(for_each_passing(context, check, candidates, argument, take));
  return codec::Bitmap::from_sorted(passing);
}

}  // namespace cairn::query
