#pragma once
// Evaluator: the value of a bound expression on a row. One small function for each kind of
// expression, found by table; errors carry the range of the innermost expression that failed.
//
// Local variables (of comprehensions, quantifiers, reduce) are written to slots of the row, which
// is why rows are passed as writable.

#include "query/bind/expression.hpp"
#include "query/execute/budget.hpp"
#include "query/execute/graph_reader.hpp"
#include "query/execute/row_batch.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <functional>
#include <optional>

namespace cairn::query {

class PropertyBatch;

/// Runs what stands inside an expression and gives rows: patterns and subqueries.
class SubqueryRunner {
 public:
  virtual ~SubqueryRunner() = default;
  /// Call `visit` for each row, until it returns false. The row is the visitor's to write to.
  [[nodiscard]] virtual Status for_each_row(const Expression& expression, Row outer,
                                            const std::function<Result<bool>(Row)>& visit) = 0;
};

/// Evaluates on one thread, for one statement. Holds nothing of a row between two calls.
class Evaluator {
 public:
  Evaluator(GraphReader& graph, Budget& budget, const Parameters& parameters,
            const FunctionContext& context)
      : graph_(graph), budget_(budget), parameters_(parameters), context_(context) {}

  [[nodiscard]] Result<Value> evaluate(const Expression& expression, Row row);
  /// What a condition is; nothing where it is unknown. Errors: type_error where it is not a condition.
  [[nodiscard]] Result<std::optional<bool>> truth(const Expression& condition, Row row);
  /// Whether a condition is true; unknown is not. Errors: type_error where it is not a condition.
  [[nodiscard]] Result<bool> holds(const Expression& condition, Row row);
  [[nodiscard]] Result<bool> all_hold(std::span<const Expression* const> conditions, Row row);

  /// Properties read ahead for the rows of a batch; null for none.
  void use(const PropertyBatch* properties) noexcept { properties_ = properties; }
  void set_subqueries(SubqueryRunner* runner) noexcept { subqueries_ = runner; }

  [[nodiscard]] GraphReader& graph() noexcept { return graph_; }
  [[nodiscard]] Budget& budget() noexcept { return budget_; }
  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }
  [[nodiscard]] SubqueryRunner& subqueries() noexcept { return *subqueries_; }
  [[nodiscard]] const PropertyBatch* read_ahead() const noexcept { return properties_; }
  /// The context of a function call; each call gets its own seed.
  [[nodiscard]] FunctionContext next_context() noexcept;

 private:
  GraphReader& graph_;
  Budget& budget_;
  const Parameters& parameters_;
  FunctionContext context_;
  SubqueryRunner* subqueries_ = nullptr;
  const PropertyBatch* properties_ = nullptr;
};

/// `name` of a node, relationship, map or temporal value.
[[nodiscard]] Result<Value> read_member(Evaluator& evaluator, const Value& value,
                                        std::string_view name);

}  // namespace cairn::query
