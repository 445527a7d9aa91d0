// Three-valued logic: null is "unknown".
//    AND  | true  false null       OR   | true  false null       XOR  | true  false null
//    true | true  false null       true | true  true  true       true | false true  null
//    false| false false false      false| true  false null       false| true  false null
//    null | null  false null       null | true  null  null       null | null  null  null
//
// Operands are evaluated from left to right and no further than needed, so that n.x IS NOT NULL AND
// f(n.x) guards its right side. A value that is not a boolean is a type error.

#include "query/execute/expression/evaluate_functions.hpp"

#include <optional>
#include <string>

namespace cairn::query {
namespace {

using Truth = std::optional<bool>;

/// Null is unknown. Nothing else is turned into a truth: 1, "true" and [] are errors, as in
/// openCypher.
Result<Truth> truth(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const Value value, evaluator.evaluate(expression, row));
  if (value.is_null()) return Truth();
  if (const bool* known = value.get_if<bool>()) return Truth(*known);
  return Error{
      ErrorCode::type_error,
      "AND, OR, XOR and NOT join conditions; this is a " + std::string(to_string(value.type())),
      expression.where};
}

// AND ends with the first false, OR with the first true; an unknown on the way makes the rest
// unknown.
Result<Value> join(Evaluator& evaluator, const Expression& expression, Row row, bool decisive) {
  bool is_unknown = false;
  for (const ExpressionPtr& child : expression.children) {
    CAIRN_ASSIGN(const Truth one, truth(evaluator, *child, row));
    if (one == decisive) return Value(decisive);
    is_unknown |= !one;
  }
  return is_unknown ? Value() : Value(!decisive);
}

}  // namespace

Result<Value> evaluate_not(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const Truth one, truth(evaluator, *expression.children[0], row));
  return one ? Value(!*one) : Value();
}

Result<Value> evaluate_and(Evaluator& evaluator, const Expression& expression, Row row) {
  return join(evaluator, expression, row, false);
}

Result<Value> evaluate_or(Evaluator& evaluator, const Expression& expression, Row row) {
  return join(evaluator, expression, row, true);
}

// No operand decides alone; all are evaluated.
Result<Value> evaluate_xor(Evaluator& evaluator, const Expression& expression, Row row) {
  bool is_odd = false;
  bool is_unknown = false;
  for (const ExpressionPtr& child : expression.children) {
    CAIRN_ASSIGN(const Truth one, truth(evaluator, *child, row));
    is_unknown |= !one.has_value();
    is_odd ^= one.value_or(false);
  }
  return is_unknown ? Value() : Value(is_odd);
}

// The first condition that is true; null is as false. Nothing behind it is evaluated.
Result<Value> evaluate_case(Evaluator& evaluator, const Expression& expression, Row row) {
  const auto& children = expression.children;
  for (std::size_t i = 0; i + 1 < children.size(); i += 2) {
    CAIRN_ASSIGN(const bool chosen, evaluator.holds(*children[i], row));
    if (chosen) return evaluator.evaluate(*children[i + 1], row);
  }
  return evaluator.evaluate(*children.back(), row);
}

Result<Value> evaluate_is_null(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const Value value, evaluator.evaluate(*expression.children[0], row));
  return Value(value.is_null());
}

Result<Value> evaluate_is_not_null(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const Value value, evaluator.evaluate(*expression.children[0], row));
  return Value(!value.is_null());
}

}  // namespace cairn::query
