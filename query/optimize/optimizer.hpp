#pragma once
// The optimizer: rules that turn a plan into a cheaper plan with the same rows, in a fixed order.
// Each rule has a name, and StatementOptions::disabled_rules switches rules off by name.

#include "query/plan/cardinality.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace cairn::query {

struct LogicalPlan;

/// What the rules need besides the plan.
struct OptimizerInputs {
  Statistics& statistics;
  /// Names, separated by any characters except letters, digits and '_'.
  std::string_view disabled_rules;
  /// True if the statement writes: any operator, even of a subquery, may then run after a write.
  bool is_writing = false;
};

/// Applies the rules to the plan and to the pipelines inside it. Then estimates the rows of every
/// operator.
[[nodiscard]] Status optimize(LogicalPlan& plan, const OptimizerInputs& inputs);

/// Chooses the part of the plan that several threads run, after the rows of all operators were estimated. `threads` is
/// StatementOptions::threads. For tests, disabling `one_thread_for_few_rows` shares any number of rows, three at a
/// time.
void choose_threads(LogicalPlan& plan, std::uint32_t threads, std::string_view disabled_rules);
/// Returns the number of threads for an option StatementOptions::threads.
[[nodiscard]] std::uint32_t threads_of(std::uint32_t wanted);

/// Returns the names of the rules in the order of their application.
[[nodiscard]] std::vector<std::string_view> rule_names();

}  // namespace cairn::query
