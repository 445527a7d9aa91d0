#pragma once
#include "query/execute/row_batch.hpp"

#include <cairn/result.hpp>

#include <cstddef>

namespace cairn::query {

// Evaluates numbers of rows, such as those of LIMIT and SKIP.

class Evaluator;
struct Expression;

/// Returns a number of rows, as in LIMIT. Floats with a whole value are accepted. `what` names the
/// clause in errors.
/// Errors: type_error; invalid_argument if the number is negative.
[[nodiscard]] Result<std::size_t> evaluate_count(Evaluator& evaluator, const Expression& expression,
                                                 Row row, const char* what);
/// Does the same for an expression without variables, with a row of its own: the rows of a query
/// may have too few slots for the expression's local variables.
[[nodiscard]] Result<std::size_t> evaluate_count(Evaluator& evaluator, const Expression& expression,
                                                 const char* what);

}  // namespace cairn::query
