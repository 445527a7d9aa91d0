#pragma once
#include "query/execute/row_batch.hpp"

#include <cairn/result.hpp>

#include <cstddef>

namespace cairn::query {

// Numbers of rows: LIMIT, SKIP and what else counts.

class Evaluator;
struct Expression;

/// A number of rows, as in LIMIT; a float that is whole will do.
/// Errors: type_error, invalid_argument where it is negative.
[[nodiscard]] Result<std::size_t> evaluate_count(Evaluator& evaluator, const Expression& expression,
                                                 Row row, const char* what);
/// The same of an expression without variables, on a row of its own: rows that pass by may be
/// shorter than its local variables need.
[[nodiscard]] Result<std::size_t> evaluate_count(Evaluator& evaluator, const Expression& expression,
                                                 const char* what);

}  // namespace cairn::query
