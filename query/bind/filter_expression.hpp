#pragma once
// A filter as a bound expression: the same tree that `filter.*` functions in a statement become, so
// that one planner answers both.

#include "query/bind/expression.hpp"

#include <cairn/filter.hpp>
#include <cairn/result.hpp>

#include <functional>

namespace cairn::query {

/// What the expression is made within.
struct FilterFrame {
  TextRange where;                 ///< of the call in the statement, for errors
  std::function<Slot()> allocate;  ///< slots for elements of lists
  /// The expression of the next operand, in the order of FilterForm::operands; a literal without it.
  std::function<ExpressionPtr()> operand = {};
};

/// The condition that the entity or map in `owner` passes `filter`.
/// Errors: invalid_argument for a field that is no path and for a label of an element.
[[nodiscard]] Result<ExpressionPtr> filter_expression(const Filter& filter, Slot owner,
                                                      const FilterFrame& frame);

}  // namespace cairn::query
