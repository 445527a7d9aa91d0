// Evaluates tests of filters on a record: reads the values at a path and applies the operator. The
// tests here check records that no index decides exactly, and define what the indexes must answer.
// A path may reach several values through lists of maps, and the test passes if one value passes.
// The result is true or false. The result is null only if the owner is null.

#include "query/execute/expression/evaluate_functions.hpp"
#include "query/execute/expression/property_batch.hpp"
#include "query/filter/filter_operators.hpp"
#include "query/functions/call.hpp"
#include "query/functions/filter_test.hpp"
#include "query/functions/growing.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

// Reads the first property of a path, from the batch if it was read ahead. Records never store
// null, so null means absent.
Result<Value> first_member(Evaluator& evaluator, const Expression& owner, const Value& value,
                           const std::string& name) {
  const PropertyBatch* ahead = evaluator.read_ahead();
  if (ahead != nullptr && owner.kind == ExpressionKind::variable) {
    CAIRN_ASSIGN(auto read, ahead->read(owner.slot, name, evaluator.budget()));
    if (read) return *std::move(read);
  }
  const auto entity = entity_of(value);
  return evaluator.graph().property(entity->kind, entity->id, name);
}

/// Returns all values that the path reaches. One property is read, and the rest of the path is
/// within its value.
Result<std::vector<Value>> reached_values(Evaluator& evaluator, const Expression& expression,
                                          const Value& owner) {
  std::vector<Value> reached;
  const std::span<const std::string> keys(expression.names);
  if (!entity_of(owner)) {
    append_reached(owner, keys, reached);
    return reached;
  }
  CAIRN_ASSIGN(const Value first,
               first_member(evaluator, *expression.children[0], owner, keys.front()));
  if (!first.is_null()) append_reached(first, keys.subspan(1), reached);
  return reached;
}

// any_element: tests each map, alone or within a list, as a whole. A slot of the row holds the
// element while its condition is evaluated.
Result<bool> some_element(Evaluator& evaluator, const Expression& expression,
                          const std::vector<Value>& reached, Row row) {
  LocalVariable variable(row[expression.slot]);
  const auto holds = [&](const Value& element) -> Result<bool> {
    if (element.map() == nullptr) return false;
    variable.set(element);
    return evaluator.holds(*expression.children[1], row);
  };
  for (const Value& one : reached) {
    const List single{one};
    for (const Value& element : one.list() != nullptr ? *one.list() : single) {
      CAIRN_TRY(evaluator.budget().step());
      CAIRN_ASSIGN(const bool passed, holds(element));
      if (passed) return true;
    }
  }
  return false;
}

}  // namespace

// Checks the operand for each record, because it may differ from row to row.
Result<Value> evaluate_filter_test(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const Value owner, evaluator.evaluate(*expression.children[0], row));
  if (owner.is_null()) return Value();
  if (!entity_of(owner) && owner.map() == nullptr)
    return Error{ErrorCode::type_error,
                 "a filter needs a node, a relationship or a map, got " + described(owner),
                 expression.where};
  CAIRN_ASSIGN(const std::vector<Value> reached, reached_values(evaluator, expression, owner));
  if (expression.test == FilterOperator::any_element) {
    CAIRN_ASSIGN(const bool passed, some_element(evaluator, expression, reached, row));
    return Value(passed);
  }
  Value operand;
  if (expression.children.size() > 1) {
    CAIRN_ASSIGN(operand, evaluator.evaluate(*expression.children[1], row));
  }
  CAIRN_TRY(check_operand(expression.test, operand));
  const std::int64_t now = evaluator.next_context().now;
  const FilterTest test{expression.test,      operand, expression.flag,
                        expression.normalize, now,     &evaluator.budget()};
  CAIRN_ASSIGN(const bool passed, passes(test, reached));
  return Value(passed);
}

// Stops as soon as the result is known. A number of 0 or less always holds.
Result<Value> evaluate_at_least(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const Value minimum, evaluator.evaluate(*expression.children[0], row));
  const auto* wanted = minimum.get_if<std::int64_t>();
  if (wanted == nullptr)
    return Error{ErrorCode::type_error, "at_least() needs an integer, got " + described(minimum),
                 expression.where};
  std::int64_t found = 0;
  for (std::size_t i = 1; i < expression.children.size() && found < *wanted; ++i) {
    CAIRN_ASSIGN(const bool one, evaluator.holds(*expression.children[i], row));
    found += one ? 1 : 0;
  }
  return Value(found >= *wanted);
}

}  // namespace cairn::query
