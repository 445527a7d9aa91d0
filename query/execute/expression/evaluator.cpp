// A tree walk with one function per kind of expression, selected by a table. Compiled or columnar
// evaluation would make arithmetic faster, but statements spend most time on records and indexes.
// The binder limits the depth of recursion.
#include "query/execute/expression/evaluator.hpp"

#include "codec/value_extent.hpp"
#include "query/execute/expression/evaluate_functions.hpp"
#include "query/functions/call.hpp"
#include "query/functions/growing.hpp"

#include <array>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

Result<Value> evaluate_literal(Evaluator& evaluator, const Expression& expression, Row) {
  return copy_of(&evaluator.budget(), expression.value);
}

/// A missing parameter is an error only when it is read, because it may be in a branch that is
/// never taken.
Result<Value> evaluate_parameter(Evaluator& evaluator, const Expression& expression, Row) {
  const auto found = evaluator.parameters().find(expression.name);
  if (found != evaluator.parameters().end()) return copy_of(&evaluator.budget(), found->second);
  return Error{ErrorCode::invalid_argument,
               "the statement needs a parameter $" + expression.name + ", which was not given",
               expression.where};
}

Result<Value> evaluate_variable(Evaluator& evaluator, const Expression& expression, Row row) {
  return copy_of(&evaluator.budget(), row[expression.slot]);
}

constexpr auto last_kind = static_cast<std::size_t>(ExpressionKind::at_least);

// One entry per kind, in the order of ExpressionKind. If a kind lacks an entry, the last entry is
// null and the assertion below fails.
constexpr std::array<Evaluation, last_kind + 1> evaluations = {
    evaluate_literal,
    evaluate_parameter,
    evaluate_variable,
    evaluate_property,
    evaluate_subscript,
    evaluate_slice,
    evaluate_list,
    evaluate_map,
    evaluate_map_projection,
    evaluate_sign,        // negate
    evaluate_sign,        // plus_sign
    evaluate_arithmetic,  // add
    evaluate_arithmetic,  // subtract
    evaluate_arithmetic,  // multiply
    evaluate_arithmetic,  // divide
    evaluate_arithmetic,  // modulo
    evaluate_arithmetic,  // power
    evaluate_concatenation,
    evaluate_equality,  // equal
    evaluate_equality,  // not_equal
    evaluate_order,     // less
    evaluate_order,     // less_equal
    evaluate_order,     // greater
    evaluate_order,     // greater_equal
    evaluate_not,
    evaluate_and,
    evaluate_or,
    evaluate_xor,
    evaluate_in,
    evaluate_text_test,  // starts_with
    evaluate_text_test,  // ends_with
    evaluate_text_test,  // contains
    evaluate_matches,
    evaluate_is_null,
    evaluate_is_not_null,
    evaluate_has_label,
    evaluate_has_any_label,
    evaluate_has_labels,
    evaluate_is_node,
    evaluate_case,
    evaluate_call,
    evaluate_comprehension,
    evaluate_quantifier,  // all_of
    evaluate_quantifier,  // any_of
    evaluate_quantifier,  // none_of
    evaluate_quantifier,  // single_of
    evaluate_reduce,
    evaluate_exists,  // pattern_exists
    evaluate_pattern_list,
    evaluate_exists,  // exists_subquery
    evaluate_row_count,
    evaluate_collect,
    evaluate_filter_test,
    evaluate_at_least,
};
static_assert(evaluations.back() != nullptr, "every kind of expression has its function");

bool is_container(const Value& value) {
  return value.type() == ValueType::list || value.type() == ValueType::map;
}

// True for kinds that construct new values. The first kinds, up to the subscript, only read
// existing values.
bool makes_value(ExpressionKind kind) { return kind > ExpressionKind::subscript; }

// A list may contain a second list twice, the second list a third one twice, and so on. Such a
// value is small in memory, but a walk over it takes exponential time. Too large values are
// rejected when they are made.
Status check_made(const Value& value, const Budget& budget) {
  const codec::Extent extent = codec::extent_of(value);
  if (extent.levels > codec::most_levels)
    return Error{ErrorCode::resource_limit,
                 "this expression makes a list or map with more than " +
                     std::to_string(codec::most_levels) + " nested levels",
                 {}};
  return budget.check_extent(extent.bytes);
}

}  // namespace

// An error gets the position of the innermost expression that fails.
Result<Value> Evaluator::evaluate(const Expression& expression, Row row) {
  auto result = evaluations[static_cast<std::size_t>(expression.kind)](*this, expression, row);
  if (result && makes_value(expression.kind) && is_container(*result))
    if (Status checked = check_made(*result, budget_); !checked) result = checked.error();
  if (!result && !result.error().where) result.error().where = expression.where;
  return result;
}

// A value that is neither boolean nor null is an error and does not count as true.
Result<std::optional<bool>> Evaluator::truth(const Expression& condition, Row row) {
  CAIRN_ASSIGN(const Value value, evaluate(condition, row));
  if (const bool* known = value.get_if<bool>()) return std::optional(*known);
  if (value.is_null()) return std::optional<bool>();
  return Error{ErrorCode::type_error,
               "a condition must be true, false or null, got " + described(value), condition.where};
}

// For WHERE: null is not true.
Result<bool> Evaluator::holds(const Expression& condition, Row row) {
  CAIRN_ASSIGN(const std::optional<bool> known, truth(condition, row));
  return known.value_or(false);
}

// Evaluates from left to right and stops at the first condition that is not true.
Result<bool> Evaluator::all_hold(std::span<const Expression* const> conditions, Row row) {
  for (const Expression* condition : conditions) {
    CAIRN_ASSIGN(const bool one, holds(*condition, row));
    if (!one) return false;
  }
  return true;
}

// Each call gets another seed, so that two calls of rand() in one row return different numbers.
FunctionContext Evaluator::next_context() noexcept {
  ++context_.seed;
  context_.view = &graph_.view();
  context_.deleted_types = &graph_.deleted_types();
  return context_;
}

}  // namespace cairn::query
