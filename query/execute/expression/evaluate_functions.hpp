#pragma once
// The functions in the evaluator's table, by family. Each evaluates the kinds of expressions for
// which evaluator.cpp registers it.

#include "query/execute/expression/evaluator.hpp"

#include <utility>

namespace cairn::query {

/// A variable of an expression, in a slot of the row. The destructor sets the slot to null, because the memory of its
/// value is not charged and a batch has many rows.
class LocalVariable {
 public:
  explicit LocalVariable(Value& slot) : slot_(slot) {}
  ~LocalVariable() { slot_ = Value(); }
  LocalVariable(const LocalVariable&) = delete;
  LocalVariable& operator=(const LocalVariable&) = delete;

  void set(Value value) { slot_ = std::move(value); }

 private:
  Value& slot_;
};

using Evaluation = Result<Value> (*)(Evaluator& evaluator, const Expression& expression, Row row);

// evaluate_operators.cpp: logic
Result<Value> evaluate_not(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_and(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_or(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_xor(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_case(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_is_null(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_is_not_null(Evaluator& evaluator, const Expression& expression, Row row);

// evaluate_operators.cpp: comparison
Result<Value> evaluate_equality(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_order(Evaluator& evaluator, const Expression& expression, Row row);
/// Compares two values as evaluate_equality and evaluate_order do. Returns true, false or null.
[[nodiscard]] Value compare_values(ExpressionKind kind, const Value& left, const Value& right);
Result<Value> evaluate_in(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_text_test(Evaluator& evaluator, const Expression& expression, Row row);
/// Tests two texts as evaluate_text_test and evaluate_matches do.
/// Errors: those of an invalid pattern and of the limits.
[[nodiscard]] Result<bool> passes_text_test(ExpressionKind kind, const std::string& text,
                                            const std::string& part, engine::Limits* limits);
Result<Value> evaluate_matches(Evaluator& evaluator, const Expression& expression, Row row);

// evaluate_operators.cpp: arithmetic
Result<Value> evaluate_arithmetic(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_sign(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_concatenation(Evaluator& evaluator, const Expression& expression, Row row);

// evaluate_access.cpp
Result<Value> evaluate_property(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_subscript(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_slice(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_list(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_map(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_map_projection(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_has_label(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_has_any_label(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_has_labels(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_is_node(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_call(Evaluator& evaluator, const Expression& expression, Row row);

// evaluate_list.cpp
Result<Value> evaluate_comprehension(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_quantifier(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_reduce(Evaluator& evaluator, const Expression& expression, Row row);

// evaluate_filter_test.cpp
Result<Value> evaluate_filter_test(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_at_least(Evaluator& evaluator, const Expression& expression, Row row);

// evaluate_subquery.cpp
Result<Value> evaluate_exists(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_pattern_list(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_row_count(Evaluator& evaluator, const Expression& expression, Row row);
Result<Value> evaluate_collect(Evaluator& evaluator, const Expression& expression, Row row);

}  // namespace cairn::query
