// A filter as a value to the ids that pass it, with the planner's own parts: expression, filter
// plan, estimates, evaluation, and the check of what is left on records. Used where there is no
// statement: facets, vector search, recall, tagging. Exact.
#include "query/facets/filter_ids.hpp"

#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/filter/filter_evaluator.hpp"
#include "query/bind/filter_expression.hpp"
#include "query/plan/cardinality.hpp"

#include <algorithm>
#include <span>
#include <string>
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

/// Record by record, for conditions that look at several fields.
Result<codec::Bitmap> checked(ExecutionContext& context, const codec::Bitmap& ids,
                              const std::vector<const Expression*>& conditions,
                              codec::EntityKind kind, Row row) {
  std::vector<std::uint64_t> kept;
  for (const std::uint64_t id : ids.to_vector()) {
    CAIRN_TRY(context.budget.step(1));
    row[record_slot] = entity_value(kind, id);
    CAIRN_ASSIGN(const bool holds, context.evaluator.all_hold(conditions, row));
    if (holds) kept.push_back(id);
  }
  return codec::Bitmap::from_sorted(kept);
}

/// A test of one field of the record, whose value is all of the record that it looks at.
bool is_field_test(const Expression& condition) {
  return condition.kind == ExpressionKind::filter_test && !condition.names.empty() &&
         condition.test != FilterOperator::any_element &&
         condition.children[0]->kind == ExpressionKind::variable &&
         condition.children[0]->slot == record_slot;
}

/// The same by one read of the store for many records: the test sees a map with the field.
Result<codec::Bitmap> checked_field(ExecutionContext& context, const codec::Bitmap& ids,
                                    const Expression& test, codec::EntityKind kind, Row row) {
  constexpr std::size_t batch = 1'024;
  const std::vector<std::uint64_t> all = ids.to_vector();
  const std::string& name = test.names.front();
  std::vector<std::uint64_t> kept;
  for (std::size_t begin = 0; begin < all.size(); begin += batch) {
    const std::span some = std::span(all).subspan(begin, std::min(batch, all.size() - begin));
    CAIRN_TRY(context.budget.step(some.size()));
    CAIRN_ASSIGN(const auto values, context.graph.properties(kind, some, name));
    for (std::size_t i = 0; i < some.size(); ++i) {
      row[record_slot] = values[i].is_null() ? Value(Map()) : map_of({{name, values[i]}});
      CAIRN_ASSIGN(const bool holds, context.evaluator.holds(test, row));
      if (holds) kept.push_back(some[i]);
    }
  }
  return codec::Bitmap::from_sorted(kept);
}

}  // namespace

// Slot 0 is the record; elements of lists have the slots behind it.
Result<codec::Bitmap> filter_ids(ExecutionContext& context, const Filter& filter,
                                 codec::EntityKind kind) {
  Slot width = record_slot + 1;
  CAIRN_ASSIGN(const ExpressionPtr condition,
               filter_expression(filter, record_slot, {TextRange{}, [&] { return width++; }}));
  std::vector<Value> row(width);
  std::vector<const Expression*> conditions = parts_of(*condition);
  FilterPlan plan = plan_filter(record_slot, kind, conditions);
  Statistics statistics(context.graph.view(), context.graph.visibility(),
                        [&](const Expression& expression) -> std::optional<Value> {
                          auto value = context.evaluator.evaluate(expression, row);
                          return value ? std::optional(std::move(value).value()) : std::nullopt;
                        });
  CAIRN_TRY(statistics.estimate(plan));
  FilterEvaluator evaluator(context.evaluator, plan);
  CAIRN_ASSIGN(const FilterEvaluator::Found* found, evaluator.find(row));
  conditions.insert(conditions.end(), found->recheck.begin(), found->recheck.end());
  codec::Bitmap ids = found->ids;
  const auto others =
      std::ranges::partition(conditions, [](const Expression* one) { return is_field_test(*one); });
  for (const Expression* test : std::span(conditions.begin(), others.begin())) {
    CAIRN_ASSIGN(ids, checked_field(context, ids, *test, kind, row));
  }
  conditions.erase(conditions.begin(), others.begin());
  if (conditions.empty()) return ids;
  return checked(context, ids, conditions, kind, row);
}

}  // namespace cairn::query
