#pragma once
// Finds the ids that pass a filter: by indexes, and by checking records if the indexes do not
// decide.

#include "codec/bitmap.hpp"
#include "codec/entity_kind.hpp"
#include "query/execute/pipeline/physical_operator.hpp"
#include "query/execute/row_batch.hpp"

#include <cairn/filter.hpp>
#include <cairn/result.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace cairn::codec {
class Bitmap;
}  // namespace cairn::codec

namespace cairn::query {

// Statements and calls find the ids that pass a filter only by these functions.

class FilterEvaluator;
struct Expression;
struct ExecutionContext;
struct FilterPlan;

/// Returns the visible entities that pass a filter of a statement and `others`, conditions outside
/// of the filter's plan. Other variables have their values of `row`. If `within` is given, only ids
/// in it count. Records are read only if no index decides.
[[nodiscard]] Result<codec::Bitmap> filter_ids(ExecutionContext& context, const FilterPlan& plan,
                                               FilterEvaluator& evaluator,
                                               std::span<const Expression* const> others, Row row,
                                               const codec::Bitmap* within = nullptr);

/// Does the same for a filter value that validate() has accepted.
[[nodiscard]] Result<codec::Bitmap> filter_ids(ExecutionContext& context, const Filter& filter,
                                               codec::EntityKind kind = codec::EntityKind::node);

// The check of conditions on records, for all callers that filter sets of ids.

/// Conditions on the entity in one slot of a row.
struct RecordCheck {
  Slot slot = 0;
  codec::EntityKind kind = codec::EntityKind::node;
  std::span<const Expression* const> conditions;
};

/// Calls visit(RowBatch&) with the candidates that pass, in ascending order of ids, batch by batch.
/// Other slots have the values of `argument`. Reads the records of the candidates.
template <class Visit>
Status for_each_passing(ExecutionContext& context, const RecordCheck& check,
                        const codec::Bitmap& candidates, Row argument, Visit&& visit) {
  std::array<std::uint64_t, RowBatch::capacity> ids;
  RowBatch rows;
  codec::IdCursor cursor(candidates);
  while (const std::size_t some = cursor.next(ids)) {
    rows.reset(static_cast<std::uint32_t>(argument.size()), context.budget);
    std::vector<BatchColumn> columns;
    for (const Value& value : argument) columns.push_back(BatchColumn::constant(value));
    columns[check.slot] = BatchColumn::entities(check.kind, {ids.begin(), ids.begin() + some});
    CAIRN_TRY(rows.pack(some, std::move(columns)));
    CAIRN_TRY(keep_passing(context, check.conditions, rows));
    visit(rows);
  }
  return {};
}

/// Returns the candidates that pass. Reads nothing if there are no conditions.
[[nodiscard]] Result<codec::Bitmap> passing_ids(ExecutionContext& context, const RecordCheck& check,
                                                const codec::Bitmap& candidates, Row argument);

}  // namespace cairn::query
