// Comparisons and tests of texts and lists.

#include "query/execute/expression/evaluate_functions.hpp"
#include "query/functions/value_semantics.hpp"

#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace cairn::query {
namespace {

// Both sides are always evaluated: an error on the right is one also where the left is null.
Result<std::pair<Value, Value>> operands(Evaluator& evaluator, const Expression& expression,
                                         Row row) {
  CAIRN_ASSIGN(Value left, evaluator.evaluate(*expression.children[0], row));
  CAIRN_ASSIGN(Value right, evaluator.evaluate(*expression.children[1], row));
  return std::pair(std::move(left), std::move(right));
}

// What a step of the budget is worth: some microseconds.
constexpr std::size_t items_per_step = 64;
constexpr std::size_t bytes_per_step = 1'024;

bool is_nan(const Value& value) {
  const double* number = value.get_if<double>();
  return number != nullptr && std::isnan(*number);
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

bool passes(ExpressionKind kind, std::string_view text, std::string_view part) {
  switch (kind) {
    case ExpressionKind::starts_with:
      return text.starts_with(part);
    case ExpressionKind::ends_with:
      return text.ends_with(part);
    default:
      return text.find(part) != std::string_view::npos;
  }
}

}  // namespace

Result<Value> evaluate_equality(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const auto pair, operands(evaluator, expression, row));
  const std::optional<bool> equal = equals(pair.first, pair.second);
  if (!equal) return Value();
  return Value(*equal == (expression.kind == ExpressionKind::equal));
}

// NaN is comparable with numbers, and the answer is always no.
Result<Value> evaluate_order(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const auto pair, operands(evaluator, expression, row));
  if (pair.first.is_number() && pair.second.is_number() &&
      (is_nan(pair.first) || is_nan(pair.second)))
    return Value(false);
  const std::optional<int> order = compare(pair.first, pair.second);
  return order ? Value(is_in_order(expression.kind, *order)) : Value();
}

Result<Value> evaluate_in(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const auto pair, operands(evaluator, expression, row));
  if (const List* list = pair.second.list()) {
    CAIRN_TRY(evaluator.budget().step(list->size() / items_per_step));
  }
  return is_in(pair.first, pair.second);
}

Result<Value> evaluate_text_test(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const auto pair, operands(evaluator, expression, row));
  const std::string* text = pair.first.string();
  const std::string* part = pair.second.string();
  if (text == nullptr || part == nullptr) return Value();
  CAIRN_TRY(evaluator.budget().step(text->size() / bytes_per_step));
  return Value(passes(expression.kind, *text, *part));
}

Result<Value> evaluate_matches(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const auto pair, operands(evaluator, expression, row));
  return matches_pattern(pair.first, pair.second);
}

}  // namespace cairn::query
