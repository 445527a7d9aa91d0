#include "query/execute/expression/evaluate_count.hpp"

#include "query/execute/expression/evaluator.hpp"
#include "query/functions/call.hpp"
#include "query/functions/numbers.hpp"
#include "query/plan/expression_traits.hpp"

#include <string>
#include <vector>

namespace cairn::query {

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
