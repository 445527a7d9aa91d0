// Arithmetic and concatenation. What grows is checked against the memory limit before it is made.
// The operators themselves are in functions/arithmetic.cpp. Both sides are evaluated, also where
// the left is null, so that an error on the right is not hidden.

#include "codec/value_extent.hpp"
#include "query/execute/expression/evaluate_functions.hpp"
#include "query/execute/expression/held_values.hpp"
#include "query/functions/growing.hpp"
#include "query/functions/sequence.hpp"
#include "query/functions/value_semantics.hpp"

#include <string>
#include <utility>

namespace cairn::query {
namespace {

using BinaryFunction = Result<Value> (*)(const Value&, const Value&);

BinaryFunction function_of(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::subtract:
      return subtract;
    case ExpressionKind::multiply:
      return multiply;
    case ExpressionKind::divide:
      return divide;
    case ExpressionKind::modulo:
      return modulo;
    case ExpressionKind::power:
      return power;
    default:
      return add;
  }
}

/// Only what + can make longer: texts and lists. Of a list the items are copied, texts with them; what
/// these share is not.
std::size_t copied_bytes(const Value& value) {
  switch (value.type()) {
    case ValueType::string:
    case ValueType::list:
      return codec::extent_of(value).bytes;
    case ValueType::vector:
      return sequence_size(value) * sizeof(Value);
    default:
      return 0;
  }
}

// Only texts and lists of some size are worth the check.
// A doubling of a text in reduce() would outgrow any memory within 40 rounds.
Status check_sum(Evaluator& evaluator, const Value& left, const Value& right) {
  const std::size_t bytes = copied_bytes(left) + copied_bytes(right);
  CAIRN_TRY(evaluator.budget().step(bytes / 1'024));
  return check_room(&evaluator.budget(), bytes);
}

bool can_be_joined(const Value& value) {
  return value.string() != nullptr || value.list() != nullptr;
}

}  // namespace

Result<Value> evaluate_arithmetic(Evaluator& evaluator, const Expression& expression, Row row) {
  HeldValues held(evaluator.budget());
  CAIRN_ASSIGN(const Value left, evaluator.evaluate(*expression.children[0], row));
  CAIRN_TRY(held.add(left));
  CAIRN_ASSIGN(const Value right, evaluator.evaluate(*expression.children[1], row));
  CAIRN_TRY(held.add(right));
  if (expression.kind == ExpressionKind::add) CAIRN_TRY(check_sum(evaluator, left, right));
  return function_of(expression.kind)(left, right);
}

// + leaves numbers and null as they are and refuses the rest; - also turns durations.
Result<Value> evaluate_sign(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(Value value, evaluator.evaluate(*expression.children[0], row));
  if (expression.kind == ExpressionKind::negate) return negate(value);
  if (value.is_null() || value.is_number()) return value;
  return Error{ErrorCode::type_error,
               "a sign needs a number, got a " + std::string(to_string(value.type())),
               expression.where};
}

// Unlike +, || takes two of one kind only: a list and an element are an error.
Result<Value> evaluate_concatenation(Evaluator& evaluator, const Expression& expression, Row row) {
  HeldValues held(evaluator.budget());
  CAIRN_ASSIGN(const Value left, evaluator.evaluate(*expression.children[0], row));
  CAIRN_TRY(held.add(left));
  CAIRN_ASSIGN(const Value right, evaluator.evaluate(*expression.children[1], row));
  CAIRN_TRY(held.add(right));
  if (left.is_null() || right.is_null()) return Value();
  if (left.type() != right.type() || !can_be_joined(left))
    return Error{ErrorCode::type_error,
                 "|| joins two texts or two lists, got " + std::string(to_string(left.type())) +
                     " and " + std::string(to_string(right.type())),
                 expression.where};
  CAIRN_TRY(check_sum(evaluator, left, right));
  return add(left, right);
}

}  // namespace cairn::query
