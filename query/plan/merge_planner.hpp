#pragma once
// MERGE as a plan: the conditions that its pattern stands for, and the pipeline that looks for it.

#include "query/plan/logical_plan.hpp"

#include <cairn/result.hpp>

namespace cairn::query {

struct MergePlace {
  Slot first_slot = 0;  ///< of the values of its properties
  std::uint32_t width = 0;
  std::uint32_t clause = 0;
};

/// Conditions that it makes up are added to `synthesized`, which must live as long as the plan.
/// Errors: parse_error where the properties are not written out as a map.
[[nodiscard]] Result<MergePattern> plan_merge(const MergeClause& clause, const MergePlace& place,
                                              std::vector<ExpressionPtr>& synthesized);

}  // namespace cairn::query
