#pragma once
// The conditions of a plan that no index answers, for EXPLAIN.

#include "query/plan/logical_plan.hpp"

#include <string>
#include <string_view>

namespace cairn::query {

/// "n.p = n.q; n.a = 1 OR n.p = n.q (in part)": the conditions on patterns that are checked on records because no
/// index knows of their kind. Empty if every condition is answered. Conditions that an index could answer and that are
/// cheaper to check are not among them.
[[nodiscard]] std::string unanswered_conditions(const LogicalPlan& plan,
                                                std::string_view statement);

}  // namespace cairn::query
