#pragma once
// Filters as bound expressions. A filter consists of its form, which is bound once, and its operands, which differ
// between runs.

#include "query/bind/expression.hpp"

#include <cairn/filter.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

// The expression is the same as for filter.*() functions in a statement, so one planner handles both.

/// The statement around a filter.
struct FilterFrame {
  TextRange where;                 ///< place of the call, for errors
  std::function<Slot()> allocate;  ///< allocates slots for elements of lists
  /// Returns the expression of the next operand, in the order of FilterForm::operands. If unset, operands become
  /// literals.
  std::function<ExpressionPtr()> operand = {};
};

/// Returns the condition that the entity or map in `owner` passes `filter`. Errors: invalid_argument for a field that
/// is not a path, and for has_label or has_id inside any_element.
[[nodiscard]] Result<ExpressionPtr> filter_expression(const Filter& filter, Slot owner,
                                                      const FilterFrame& frame);

// FilterForm: a filter without its operands. A statement with a filter in a parameter is bound once for each form. A
// run of the same form passes the operands as additional parameters.

struct FilterForm {
  std::string key;              ///< equal for filters that differ only in their operands
  std::vector<Value> operands;  ///< in the order in which filter_expression() requests them
};

/// Splits a filter into its form and its operands.
[[nodiscard]] FilterForm form_of(const Filter& filter);

/// Returns the name of the parameter with an operand of the filter in `parameter`, such as "filter.0".
[[nodiscard]] std::string operand_name(std::string_view parameter, std::size_t place);

}  // namespace cairn::query
