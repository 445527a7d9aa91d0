#pragma once
// The one way from a filter to the ids that pass it, for statements and for calls.

#include "codec/entity_kind.hpp"
#include "query/execute/row_batch.hpp"

#include <cairn/filter.hpp>
#include <cairn/result.hpp>

#include <span>

namespace cairn::codec {
class Bitmap;
}

namespace cairn::query {

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

}  // namespace cairn::query
