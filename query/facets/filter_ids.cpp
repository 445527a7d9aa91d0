#include "query/facets/filter_ids.hpp"

#include "query/execute/filter/filter_evaluator.hpp"
#include "query/filter/filter_expression.hpp"
#include "query/plan/cardinality.hpp"

#include <utility>
#include <vector>

namespace cairn::query {
namespace {

constexpr Slot record_slot = 0;

std::vector<const Expression*> parts_of(const Expression& condition) {
  if (condition.kind != ExpressionKind::logical_and) return {&condition};
  std::vector<const Expression*> parts;
  for (const ExpressionPtr& child : condition.children)
    for (const Expression* part : parts_of(*child)) parts.push_back(part);
  return parts;
}

Result<codec::IdSet> checked(ExecutionContext& context, const codec::IdSet& ids,
                             const std::vector<const Expression*>& conditions, Row row) {
  std::vector<std::uint64_t> kept;
  for (const std::uint64_t id : ids.to_vector()) {
    CAIRN_TRY(context.budget.step(1));
    row[record_slot] = entity_value(codec::EntityKind::node, id);
    CAIRN_ASSIGN(const bool holds, context.evaluator.all_hold(conditions, row));
    if (holds) kept.push_back(id);
  }
  return codec::IdSet::from_sorted(kept);
}

}  // namespace

Result<codec::IdSet> filter_ids(ExecutionContext& context, const Filter& filter) {
  Slot width = record_slot + 1;
  CAIRN_ASSIGN(const ExpressionPtr condition,
               filter_expression(filter, record_slot, {TextRange{}, [&] { return width++; }}));
  std::vector<Value> row(width);
  std::vector<const Expression*> conditions = parts_of(*condition);
  FilterPlan plan = plan_filter(record_slot, codec::EntityKind::node, conditions);
  Statistics statistics(context.graph.view(), context.graph.visibility(),
                        [&](const Expression& expression) -> std::optional<Value> {
                          auto value = context.evaluator.evaluate(expression, row);
                          return value ? std::optional(std::move(value).value()) : std::nullopt;
                        });
  CAIRN_TRY(statistics.estimate(plan));
  FilterEvaluator evaluator(context.evaluator, plan);
  CAIRN_ASSIGN(const FilterEvaluator::Found* found, evaluator.find(row));
  conditions.insert(conditions.end(), found->recheck.begin(), found->recheck.end());
  if (conditions.empty()) return found->ids;
  return checked(context, found->ids, conditions, row);
}

}  // namespace cairn::query
