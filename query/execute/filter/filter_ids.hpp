#pragma once
// The one way from a filter to the ids that pass it: by indexes, and on records for what they leave
// open.

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

// The one way from a filter to the ids that pass it, for statements and for calls.

class FilterEvaluator;
struct Expression;
struct ExecutionContext;
struct FilterPlan;

/// The visible entities that pass a filter of a statement and `others`, conditions that are no part of its plan, with
/// the other variables as they are on `row`; of `within` alone, if given. Records are read only where no index
/// decides.
[[nodiscard]] Result<codec::Bitmap> filter_ids(ExecutionContext& context, const FilterPlan& plan,
                                               FilterEvaluator& evaluator,
                                               std::span<const Expression* const> others, Row row,
                                               const codec::Bitmap* within = nullptr);

/// The same of a filter as a value, which validate() has passed.
[[nodiscard]] Result<codec::Bitmap> filter_ids(ExecutionContext& context, const Filter& filter,
                                               codec::EntityKind kind = codec::EntityKind::node);

// What indexes leave open of a filter is checked on records here, wherever a set of ids is filtered.

/// Conditions on the entity in one slot of a row.
struct RecordCheck {
  Slot slot = 0;
  codec::EntityKind kind = codec::EntityKind::node;
  std::span<const Expression* const> conditions;
};

/// The rows of the candidates that pass, by ascending id, a batch at a time: visit(RowBatch&). The other slots are
/// those of `argument`. Reads the candidates' records.
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

/// The ids of the candidates that pass. Without conditions nothing is read.
[[nodiscard]] Result<codec::Bitmap> passing_ids(ExecutionContext& context, const RecordCheck& check,
                                                const codec::Bitmap& candidates, Row argument);

}  // namespace cairn::query
