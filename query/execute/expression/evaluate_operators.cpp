// Evaluates operators: logic, comparison and arithmetic.

#include "codec/value_extent.hpp"
#include "query/execute/expression/evaluate_functions.hpp"
#include "query/execute/expression/property_batch.hpp"
#include "query/execute/holding.hpp"
#include "query/functions/call.hpp"
#include "query/functions/growing.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/paced_text.hpp"
#include "query/functions/sequence.hpp"
#include "query/functions/value_semantics.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::query {

// Three-valued logic, where null is "unknown":
//    AND  | true  false null       OR   | true  false null       XOR  | true  false null
//    true | true  false null       true | true  true  true       true | false true  null
//    false| false false false      false| true  false null       false| true  false null
//    null | null  false null       null | true  null  null       null | null  null  null
//
// Operands are evaluated from left to right and only as far as needed, so n.x IS NOT NULL AND
// f(n.x) guards its right side. A value that is not a boolean is a type error.

namespace {

using Truth = std::optional<bool>;

/// Null is unknown. No other value converts to a truth value: as in openCypher, 1, "true" and []
/// are errors.
Result<Truth> truth(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const Value value, evaluator.evaluate(expression, row));
  if (value.is_null()) return Truth();
  if (const bool* known = value.get_if<bool>()) return Truth(*known);
  return Error{ErrorCode::type_error,
               "AND, OR, XOR and NOT need true, false or null, got " + described(value),
               expression.where};
}

// AND stops at the first false, OR at the first true. Otherwise any unknown operand makes the
// result unknown.
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

// No single operand decides XOR, so all operands are evaluated.
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

// Returns the result of the first condition that is true. Null counts as false. Nothing after that
// condition is evaluated.
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

// Comparison as in openCypher. Values of one type are comparable. For different types (except
// integer and float) `<` is null and `=` is false. A comparison with null is null.

namespace {

// Evaluates both sides even if the left one is null, so that an error on the right is reported. The
// comparison will walk both values, so their size counts as steps.
Result<std::pair<Value, Value>> operands(Evaluator& evaluator, const Expression& expression,
                                         Row row) {
  HeldValues held(evaluator.budget());
  CAIRN_ASSIGN(Value left, evaluator.evaluate(*expression.children[0], row));
  CAIRN_TRY(held.add(left));
  CAIRN_ASSIGN(Value right, evaluator.evaluate(*expression.children[1], row));
  CAIRN_TRY(evaluator.budget().step(steps_of(left) + steps_of(right)));
  return std::pair(std::move(left), std::move(right));
}

bool is_in_order(ExpressionKind kind, int order) {
  switch (kind) {
    case ExpressionKind::less:
      return order < 0;
    case ExpressionKind::less_equal:
      return order <= 0;
    case ExpressionKind::greater:
      return order > 0;
    default:
      return order >= 0;
  }
}

// CONTAINS may take long for large texts, so it checks the limits while it searches.
Result<bool> passes(engine::Limits* limits, ExpressionKind kind, std::string_view text,
                    std::string_view part) {
  if (kind == ExpressionKind::starts_with) return text.starts_with(part);
  if (kind == ExpressionKind::ends_with) return text.ends_with(part);
  CAIRN_ASSIGN(const std::size_t found, paced_find(limits, text, part, 0));
  return found != std::string_view::npos;
}

}  // namespace

// <> is the negation of =, where null stays null. Comparing lists and maps that contain nulls may
// also be null.
Result<Value> evaluate_equality(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const auto pair, operands(evaluator, expression, row));
  return compare_values(expression.kind, pair.first, pair.second);
}

Result<Value> evaluate_order(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const auto pair, operands(evaluator, expression, row));
  return compare_values(expression.kind, pair.first, pair.second);
}

// A comparison of NaN with a number is false.
Value compare_values(ExpressionKind kind, const Value& left, const Value& right) {
  if (kind == ExpressionKind::equal || kind == ExpressionKind::not_equal) {
    const std::optional<bool> equal = equals(left, right);
    return equal ? Value(*equal == (kind == ExpressionKind::equal)) : Value();
  }
  if (left.is_number() && right.is_number() && (is_nan(left) || is_nan(right))) return Value(false);
  const std::optional<int> order = compare(left, right);
  return order ? Value(is_in_order(kind, *order)) : Value();
}

Result<Value> evaluate_in(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const auto pair, operands(evaluator, expression, row));
  return is_in(pair.first, pair.second);
}

// Returns null if either side is not a text. Compares bytes, which is sufficient for UTF-8.
Result<Value> evaluate_text_test(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const auto pair, operands(evaluator, expression, row));
  const std::string* text = pair.first.string();
  const std::string* part = pair.second.string();
  if (text == nullptr || part == nullptr) return Value();
  CAIRN_ASSIGN(const bool passed, passes(&evaluator.budget(), expression.kind, *text, *part));
  return Value(passed);
}

// Used by text_scan.cpp, which tests texts of an index.
Result<bool> passes_text_test(ExpressionKind kind, const std::string& text, const std::string& part,
                              engine::Limits* limits) {
  if (kind != ExpressionKind::matches) return passes(limits, kind, text, part);
  CAIRN_ASSIGN(const Value matched, matches_pattern(text, part, limits));
  return matched.as_bool();
}

Result<Value> evaluate_matches(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const auto pair, operands(evaluator, expression, row));
  return matches_pattern(pair.first, pair.second, &evaluator.budget());
}

// Arithmetic and concatenation. The memory of a growing result is checked before it is allocated.
// The arithmetic itself is in functions/mathematical.cpp. Both sides are evaluated even if the left
// one is null, so that an error on the right is reported.

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

/// Returns the bytes that + copies from an operand. Only texts and lists can grow. The items of a
/// list are copied, but content that they share is not.
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

// Checks the memory of a sum. Doubling a text in reduce() would exceed any memory within 40 rounds.
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

// Unary + returns numbers and null unchanged and is an error for other values. Unary - also negates
// durations.
Result<Value> evaluate_sign(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(Value value, evaluator.evaluate(*expression.children[0], row));
  if (expression.kind == ExpressionKind::negate) return negate(value);
  if (value.is_null() || value.is_number()) return value;
  return Error{ErrorCode::type_error, "unary + needs a number, got " + described(value),
               expression.where};
}

// Unlike +, || accepts only two texts or two lists. A list and an element are an error.
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
