#pragma once
// The rows of a filter's candidates for which what its indexes left open is true.

#include "query/execute/filter/filter_evaluator.hpp"
#include "query/execute/pipeline/operators.hpp"

#include <array>
#include <utility>

namespace cairn::query {

/// Visits them by ascending id, a batch at a time: visit(RowBatch&). Reads the candidates' records.
template <class Visit>
Status for_each_passing(ExecutionContext& context, const FilterPlan& plan,
                        const FilterEvaluator::Found& found, Row argument, Visit&& visit) {
  std::array<std::uint64_t, RowBatch::capacity> ids;
  RowBatch rows;
  codec::IdCursor cursor(found.ids);
  while (const std::size_t some = cursor.next(ids)) {
    rows.reset(static_cast<std::uint32_t>(argument.size()), context.budget);
    for (std::size_t i = 0; i < some; ++i) {
      CAIRN_ASSIGN(const Row made, rows.append(argument));
      made[plan.slot] = entity_value(plan.kind, ids[i]);
    }
    CAIRN_TRY(keep_passing(context, found.recheck, rows));
    visit(rows);
  }
  return {};
}

}  // namespace cairn::query
