#include "query/execute/expression/evaluate_count.hpp"

#include "query/execute/expression/evaluator.hpp"
#include "query/functions/call.hpp"
#include "query/plan/expression_traits.hpp"

#include <string>
#include <vector>

namespace cairn::query {

// A float is refused even if it is whole, as Neo4j does for LIMIT.
Result<std::size_t> evaluate_count(Evaluator& evaluator, const Expression& expression, Row row,
                                   const char* what) {
  CAIRN_ASSIGN(const Value value, evaluator.evaluate(expression, row));
  const auto* count = value.get_if<std::int64_t>();
  if (count == nullptr)
    return Error{ErrorCode::type_error,
                 std::string(what) + " needs an integer, got " + shown(value), expression.where};
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
