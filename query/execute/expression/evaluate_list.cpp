// Evaluates expressions that iterate over a list with a variable of their own.
// If the list is null, the whole expression is null. Each element is written to the variable's slot
// in turn.

#include "query/execute/expression/evaluate_functions.hpp"
#include "query/execute/expression/property_batch.hpp"
#include "query/functions/call.hpp"
#include "query/functions/growing.hpp"
#include "query/functions/sequence.hpp"

#include <string>
#include <utility>

namespace cairn::query {
namespace {

// Returns nullptr if the value is null. A vector counts as a list, which is written to `storage`.
Result<const List*> list_of(const Expression& expression, const Value& value, List& storage) {
  if (value.is_null()) return nullptr;
  if (const List* list = sequence_of(value, storage)) return list;
  return Error{ErrorCode::type_error, "a list is needed here, got " + described(value),
               expression.where};
}

// Counts the elements for which a condition is true, false or unknown, as far as the answer needs
// the counts.
struct Tally {
  std::size_t yes = 0;
  std::size_t no = 0;
  std::size_t unknown = 0;

  /// True if the remaining elements cannot change the answer.
  [[nodiscard]] bool decides(ExpressionKind kind) const {
    switch (kind) {
      case ExpressionKind::all_of:
        return no > 0;
      case ExpressionKind::single_of:
        return yes > 1;
      default:
        return yes > 0;
    }
  }
  ///                 decided by      else, any unknown   else
  ///    all        a false: no     null                yes
  ///    any        a true: yes     null                no
  ///    none       a true: no      null                yes
  ///    single     two true: no    null                whether one is true
  /// For an empty list, all and none are true, and any and single are false (openCypher TCK,
  /// expressions/quantifier).
  [[nodiscard]] Value answer(ExpressionKind kind) const {
    if (decides(kind)) return kind == ExpressionKind::any_of;
    if (unknown > 0) return Value();
    return kind == ExpressionKind::single_of ? yes == 1 : kind != ExpressionKind::any_of;
  }
};

/// Adds the result of the condition for one element.
Status count(Tally& tally, const Value& value, const Expression& condition) {
  if (value.is_null())
    ++tally.unknown;
  else if (const bool* known = value.get_if<bool>())
    ++(*known ? tally.yes : tally.no);
  else
    return Error{ErrorCode::type_error,
                 "a condition must be true, false or null, got " + described(value),
                 condition.where};
  return {};
}

// Copies an element into the row, after checking that there is memory for the copy.
Status assign(Evaluator& evaluator, LocalVariable& variable, const Value& item) {
  CAIRN_ASSIGN(Value copy, copy_of(&evaluator.budget(), item));
  variable.set(std::move(copy));
  return {};
}

}  // namespace

// Charges the result while it grows. Elements for which the condition is null are dropped.
Result<Value> evaluate_comprehension(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const Value source, evaluator.evaluate(*expression.children[0], row));
  List storage;
  CAIRN_ASSIGN(const List* items, list_of(expression, source, storage));
  if (items == nullptr) return Value();
  const Expression* condition = expression.children[1].get();
  const Expression* projection = expression.children[2].get();
  HeldValues held(evaluator.budget());
  CAIRN_TRY(held.add(source));
  LocalVariable element(row[expression.slot]);
  GrowingList result(&evaluator.budget());
  for (const Value& item : *items) {
    CAIRN_TRY(evaluator.budget().step());
    CAIRN_TRY(assign(evaluator, element, item));
    if (condition != nullptr) {
      CAIRN_ASSIGN(const bool wanted, evaluator.holds(*condition, row));
      if (!wanted) continue;
    }
    auto value = projection != nullptr ? evaluator.evaluate(*projection, row)
                                       : copy_of(&evaluator.budget(), item);
    if (!value) return value;
    CAIRN_TRY(result.add(*std::move(value)));
  }
  return result.take();
}

// Stops as soon as the answer is known.
Result<Value> evaluate_quantifier(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const Value source, evaluator.evaluate(*expression.children[0], row));
  List storage;
  CAIRN_ASSIGN(const List* items, list_of(expression, source, storage));
  if (items == nullptr) return Value();
  HeldValues held(evaluator.budget());
  CAIRN_TRY(held.add(source));
  LocalVariable element(row[expression.slot]);
  Tally tally;
  for (const Value& item : *items) {
    CAIRN_TRY(assign(evaluator, element, item));
    CAIRN_ASSIGN(const Value value, evaluator.evaluate(*expression.children[1], row));
    CAIRN_TRY(count(tally, value, *expression.children[1]));
    CAIRN_TRY(evaluator.budget().step());
    if (tally.decides(expression.kind)) break;
  }
  return tally.answer(expression.kind);
}

// The accumulator and the element each have a slot. For an empty list the result is the initial
// value.
Result<Value> evaluate_reduce(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(Value result, evaluator.evaluate(*expression.children[0], row));
  CAIRN_ASSIGN(const Value source, evaluator.evaluate(*expression.children[1], row));
  List storage;
  CAIRN_ASSIGN(const List* items, list_of(expression, source, storage));
  if (items == nullptr) return Value();
  HeldValues held(evaluator.budget());
  CAIRN_TRY(held.add(source));
  LocalVariable element(row[expression.slot]);
  LocalVariable accumulator(row[expression.slot2]);
  for (const Value& item : *items) {
    HeldValues accumulated(evaluator.budget());
    CAIRN_TRY(accumulated.add(result));
    accumulator.set(std::move(result));
    CAIRN_TRY(assign(evaluator, element, item));
    CAIRN_ASSIGN(result, evaluator.evaluate(*expression.children[2], row));
    CAIRN_TRY(evaluator.budget().step());
  }
  return result;
}

}  // namespace cairn::query
