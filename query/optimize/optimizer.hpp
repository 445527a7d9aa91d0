#pragma once
// The optimizer: rules that turn a plan into a cheaper one with the same rows, in a fixed order.
// Each has a name by which StatementOptions::disabled_rules leaves it out.

#include "query/plan/cardinality.hpp"

#include <cairn/result.hpp>

#include <string_view>
#include <vector>

namespace cairn::query {

struct LogicalPlan;

struct OptimizerInputs {
  Statistics& statistics;
  std::string_view disabled_rules;  ///< names, separated by anything but letters and '_'
};

/// Apply the rules to the plan and to the pipelines inside it, then estimate every operator's rows.
[[nodiscard]] Status optimize(LogicalPlan& plan, const OptimizerInputs& inputs);

/// The names of the rules, in order.
[[nodiscard]] std::vector<std::string_view> rule_names();

}  // namespace cairn::query
