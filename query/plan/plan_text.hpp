#pragma once
// Plans as text: a line for an operator, lines for a filter, and EXPLAIN, which puts them together.

#include "query/execute/operator_profile.hpp"
#include "query/plan/logical_plan.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

// One line for an operator, and lines for a filter.

/// What is in the slots of a pattern.
using SlotNames = std::map<Slot, std::string>;
[[nodiscard]] SlotNames names_of(const PatternSource& pattern);

/// "Expand (p)-[:KNOWS]->(q)"
[[nodiscard]] std::string describe(const Operator& one, std::string_view statement,
                                   const SlotNames& names = {});

/// A line for each retriever of a hybrid search; none for other operators.
[[nodiscard]] std::vector<std::string> retriever_lines(const Operator& one,
                                                       std::string_view statement);

struct FilterLine {
  std::size_t depth = 0;
  std::string text;
  const FilterNode* node = nullptr;
};
/// The tree of a filter, its intersections and unions as lines of their own.
[[nodiscard]] std::vector<FilterLine> describe(const FilterPlan& plan, const std::string& name,
                                               std::string_view statement);

/// The filter of an operator and the name of what it filters, or null.
struct OperatorFilter {
  const FilterPlan* plan = nullptr;
  std::string name;
};
[[nodiscard]] OperatorFilter filter_of(const Operator& one);

/// A condition as it was written; those that a pattern stands for, as WHERE would have them.
[[nodiscard]] std::string text_of(const Expression& condition, std::string_view statement,
                                  const SlotNames& names);
/// An expression as it was written.
[[nodiscard]] std::string text_of(const Expression& expression, std::string_view statement);

// Explain: a plan as text, one operator a line, each above the one that gives it its rows; the parts
// of a filter stand below the operator that it belongs to. `~` marks an estimate.

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
