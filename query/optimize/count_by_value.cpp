// MATCH (n ...) RETURN n.p, count(*): the sizes of the intersections of one id set with the postings of
// the property's values; no row is made and no record read, but for values that the index does not tell.

#include "query/optimize/rules.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query {

const std::string* property_of_slot(const Expression& expression, Slot slot) {
  const bool is_own = expression.kind == ExpressionKind::property &&
                      expression.children[0]->kind == ExpressionKind::variable &&
                      expression.children[0]->slot == slot;
  return is_own ? &expression.name : nullptr;
}

Status count_by_value(Pipeline& pipeline, const OptimizerInputs& inputs) {
  auto& operators = pipeline.operators;
  if (operators.size() < 2) return {};
  auto* scan = std::get_if<ScanNodes>(&operators[0].content);
  const auto* aggregate = std::get_if<Aggregate>(&operators[1].content);
  if (scan == nullptr || aggregate == nullptr || aggregate->clause->keys.size() != 1) return {};
  const Slot slot = scan->filter.slot;
  const std::string* property = property_of_slot(*aggregate->clause->keys.front(), slot);
  const bool counts =
      std::ranges::all_of(aggregate->clause->aggregates,
                          [&](const AggregateCall& call) { return counts_rows(call, slot); });
  if (property == nullptr || !counts) return {};
  CAIRN_TRY(inputs.statistics.estimate(scan->filter));
  CountByValue count{std::move(scan->filter), std::move(scan->name), *property, aggregate->clause};
  // The scanned entity needs its slot where records have to be checked.
  const std::uint32_t width = std::max(operators[1].width, pipeline.width);
  operators[1] = Operator{std::move(count), width, 0, 1};
  operators.erase(operators.begin());
  return {};
}

}  // namespace cairn::query
