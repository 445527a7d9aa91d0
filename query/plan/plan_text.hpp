#pragma once
// Prints plans: one line for an operator, the lines of a filter, and EXPLAIN, which combines both.

#include "query/execute/operator_profile.hpp"
#include "query/plan/logical_plan.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// Names of the variables in the slots of a pattern.
using SlotNames = std::map<Slot, std::string>;
[[nodiscard]] SlotNames names_of(const PatternSource& pattern);

/// Prints an operator: "Expand (p)-[:KNOWS]->(q)".
[[nodiscard]] std::string describe(const Operator& one, std::string_view statement,
                                   const SlotNames& names = {});

/// Prints a line for each retriever of a hybrid search. Other operators have none.
[[nodiscard]] std::vector<std::string> retriever_lines(const Operator& one,
                                                       std::string_view statement);

/// One line of a printed filter.
struct FilterLine {
  std::size_t depth = 0;
  std::string text;
  /// The printed part; nullptr if the line stands for several parts.
  const FilterNode* node = nullptr;
};
/// Prints the tree of a filter, with a line for each set operation and each leaf.
[[nodiscard]] std::vector<FilterLine> describe(const FilterPlan& plan, const std::string& name,
                                               std::string_view statement);

/// The filter of an operator and the name of the filtered variable. `plan` is nullptr if the operator has no filter.
struct OperatorFilter {
  const FilterPlan* plan = nullptr;
  std::string name;
};
[[nodiscard]] OperatorFilter filter_of(const Operator& one);

/// Prints a condition as written. Conditions made from a pattern are printed as a WHERE would contain them.
[[nodiscard]] std::string text_of(const Expression& condition, std::string_view statement,
                                  const SlotNames& names);
/// Prints an expression as written.
[[nodiscard]] std::string text_of(const Expression& expression, std::string_view statement);

// EXPLAIN prints a plan with one operator per line, each above its input. The parts of a filter are below their
// operator. `~` marks an estimate.

/// Whether to print estimates. Estimates count the records of all namespaces, so some readers must not see them.
enum class Estimates : bool { hidden, shown };

/// `statement` is the text from which the plan was made. With `meters`, measured figures are printed next to the
/// estimates. `meters` returns nullptr for an operator that did not run.
[[nodiscard]] std::string explain(
    const LogicalPlan& plan, std::string_view statement, Estimates estimates = Estimates::shown,
    const std::function<const OperatorProfile*(const Operator&)>& meters = nullptr);

/// Rounds to two digits, as estimates are printed: 0.3, 1.5, 12, 340, 1200.
[[nodiscard]] std::string two_digits(double number);

}  // namespace cairn::query
