// Comparisons and tests of texts and lists.
// Semantics of openCypher's comparability: values of one type compare, of different types (integer
// and float aside) `<` is null and `=` false; with null everything is null.

#include "query/execute/expression/evaluate_functions.hpp"
#include "query/execute/expression/held_values.hpp"
#include "query/execute/holding.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/paced_text.hpp"
#include "query/functions/value_semantics.hpp"

#include <optional>
#include <string_view>
#include <utility>

namespace cairn::query {
namespace {

// Both sides are always evaluated: an error on the right is one also where the left is null. Whoever
// compares them walks both, which is counted here.
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

Result<bool> passes(engine::Limits* limits, ExpressionKind kind, std::string_view text,
                    std::string_view part) {
  if (kind == ExpressionKind::starts_with) return text.starts_with(part);
  if (kind == ExpressionKind::ends_with) return text.ends_with(part);
  CAIRN_ASSIGN(const std::size_t found, paced_find(limits, text, part, 0));
  return found != std::string_view::npos;
}

}  // namespace

// <> is the negation of =, null staying null. Lists and maps with nulls in them may be null, too.
Result<Value> evaluate_equality(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const auto pair, operands(evaluator, expression, row));
  return compare_values(expression.kind, pair.first, pair.second);
}

Result<Value> evaluate_order(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const auto pair, operands(evaluator, expression, row));
  return compare_values(expression.kind, pair.first, pair.second);
}

// NaN is comparable with numbers, and the answer is always no.
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

// What is not a text on either side makes it null and no error. Bytes are compared: UTF-8 needs no
// more.
Result<Value> evaluate_text_test(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const auto pair, operands(evaluator, expression, row));
  const std::string* text = pair.first.string();
  const std::string* part = pair.second.string();
  if (text == nullptr || part == nullptr) return Value();
  CAIRN_ASSIGN(const bool passed, passes(&evaluator.budget(), expression.kind, *text, *part));
  return Value(passed);
}

// For text_scan.cpp, which has texts at hand and no expression.
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

}  // namespace cairn::query
