// Expressions that run a pattern or a query of their own.
// The rows of a subquery are streamed; COUNT keeps a number, COLLECT and pattern comprehensions a
// list, within the memory limit. None of them is ever null.
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

// The values of `item` on each row of what `expression` runs.
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

// Ends with the first row; never null. A row of nulls is a row.
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

// Counts and holds nothing; 0 without rows.
Result<Value> evaluate_row_count(Evaluator& evaluator, const Expression& expression, Row row) {
  std::int64_t rows = 0;
  CAIRN_TRY(evaluator.subqueries().for_each_row(expression, row, [&](Row) -> Result<bool> {
    ++rows;
    return true;
  }));
  return Value(rows);
}

// The one column is slot 0 of the rows. Nulls stay: COLLECT is not collect().
Result<Value> evaluate_collect(Evaluator& evaluator, const Expression& expression, Row row) {
  return collect_rows(evaluator, expression, row,
                      [](Row inner) -> Result<Value> { return inner[0]; });
}

// A float in the text of a statement is refused by the binder; here are those of parameters.
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
