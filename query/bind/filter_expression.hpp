#pragma once
// Filters as bound expressions: the form that is bound once, and the expression with the values of
// one run.

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

// A filter as a bound expression: the same tree that `filter.*` functions in a statement become, so
// that one planner answers both.

/// What the expression is made within.
struct FilterFrame {
  TextRange where;                 ///< of the call in the statement, for errors
  std::function<Slot()> allocate;  ///< slots for elements of lists
  /// The expression of the next operand, in the order of FilterForm::operands; a literal without it.
  std::function<ExpressionPtr()> operand = {};
};

/// The condition that the entity or map in `owner` passes `filter`.
/// Errors: invalid_argument for a field that is not a path and for a label of an element.
[[nodiscard]] Result<ExpressionPtr> filter_expression(const Filter& filter, Slot owner,
                                                      const FilterFrame& frame);

// FilterForm: a filter apart from its operands. A statement with a filter in a parameter is bound once for each form
// that it meets; its runs bring the operands as parameters of their own.

struct FilterForm {
  std::string key;              ///< equal where filters differ by their operands alone
  std::vector<Value> operands;  ///< in the order in which filter_expression() asks for them
};

[[nodiscard]] FilterForm form_of(const Filter& filter);

/// The parameter that holds an operand of the filter in `parameter`: "filter.0".
[[nodiscard]] std::string operand_name(std::string_view parameter, std::size_t place);

}  // namespace cairn::query
