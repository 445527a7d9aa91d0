// Evaluates expressions that run a pattern or a query.
// The rows of a subquery are streamed. COUNT holds only a number. COLLECT and pattern
// comprehensions build a list within the memory limit. None of these expressions is ever null.
#include "query/execute/expression/evaluate_subquery.hpp"

#include "query/execute/expression/evaluate_functions.hpp"
#include "query/execute/expression/evaluator.hpp"
#include "query/functions/call.hpp"
#include "query/functions/growing.hpp"
#include "query/functions/numbers.hpp"
#include "query/plan/expression_traits.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

// Returns a list of the values of `item` for each row of the subquery.
template <class Item>
Result<Value> collect_rows(Evaluator& evaluator, const Expression& expression, Row row,
                           const Item& item) {
  GrowingList list(&evaluator.budget());
  const auto add = [&](Row inner) -> Result<bool> {
    CAIRN_ASSIGN(Value value, item(inner));
    CAIRN_TRY(list.add(std::move(value)));
    return true;
  };
  CAIRN_TRY(evaluator.subqueries().for_each_row(expression, row, add));
  return list.take();
}

}  // namespace

// Stops at the first row. A row of nulls counts as a row.
Result<Value> evaluate_exists(Evaluator& evaluator, const Expression& expression, Row row) {
  bool found = false;
  CAIRN_TRY(evaluator.subqueries().for_each_row(expression, row, [&](Row) -> Result<bool> {
    found = true;
    return false;
  }));
  return Value(found);
}

Result<Value> evaluate_pattern_list(Evaluator& evaluator, const Expression& expression, Row row) {
  return collect_rows(evaluator, expression, row, [&](Row inner) {
    return evaluator.evaluate(*expression.children[0], inner);
  });
}

// Counts the rows without storing them.
Result<Value> evaluate_row_count(Evaluator& evaluator, const Expression& expression, Row row) {
  std::int64_t rows = 0;
  CAIRN_TRY(evaluator.subqueries().for_each_row(expression, row, [&](Row) -> Result<bool> {
    ++rows;
    return true;
  }));
  return Value(rows);
}

// The only column is in slot 0. Unlike collect(), COLLECT retains nulls.
Result<Value> evaluate_collect(Evaluator& evaluator, const Expression& expression, Row row) {
  return collect_rows(evaluator, expression, row,
                      [](Row inner) -> Result<Value> { return inner[0]; });
}

// The binder rejects a float in the text of a statement. Here the value may come from a parameter.
Result<std::size_t> evaluate_count(Evaluator& evaluator, const Expression& expression, Row row,
                                   const char* what) {
  CAIRN_ASSIGN(const Value value, evaluator.evaluate(expression, row));
  const auto count = whole_number(value);
  if (!count)
    return Error{ErrorCode::type_error,
                 std::string(what) + " needs a whole number, got " + shown(value),
                 expression.where};
  if (*count < 0)
    return Error{ErrorCode::invalid_argument,
                 std::string(what) + " must not be negative, got " + shown(value),
                 expression.where};
  return static_cast<std::size_t>(*count);
}

Result<std::size_t> evaluate_count(Evaluator& evaluator, const Expression& expression,
                                   const char* what) {
  std::vector<Value> none(needed_width(expression));
  return evaluate_count(evaluator, expression, none, what);
}

}  // namespace cairn::query
