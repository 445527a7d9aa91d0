#pragma once
// Explain: a plan as text, one operator a line, each above the one that gives it its rows; the parts
// of a filter stand below the operator that it belongs to. `~` marks an estimate.

#include "query/execute/operator_profile.hpp"
#include "query/plan/logical_plan.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace cairn::query {

/// Estimates count the records of all namespaces, which not everybody may know.
enum class Estimates : bool { hidden, shown };

/// `statement` is the text that the plan was made from. With `meters`, what operators really did
/// is beside what was expected; it gives null for an operator that did not run.
[[nodiscard]] std::string explain(
    const LogicalPlan& plan, std::string_view statement, Estimates estimates = Estimates::shown,
    const std::function<const OperatorProfile*(const Operator&)>& meters = nullptr);

/// A number with two digits, as estimates are printed: 0.3, 1.5, 12, 340, 1200.
[[nodiscard]] std::string two_digits(double number);

}  // namespace cairn::query
