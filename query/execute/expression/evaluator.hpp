#pragma once
// Evaluator: evaluates a bound expression on a row. There is one small function per kind of
// expression, selected by a table. Errors have the range of the innermost expression that failed.
//
// Local variables of comprehensions, quantifiers and reduce are written to slots of the row. For
// this reason, rows are passed as writable.

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

/// Runs patterns and subqueries inside expressions and returns their rows.
class SubqueryRunner {
 public:
  virtual ~SubqueryRunner() = default;
  /// Calls `visit` for each row until it returns false. The visitor may write to the row.
  [[nodiscard]] virtual Status for_each_row(const Expression& expression, Row outer,
                                            const std::function<Result<bool>(Row)>& visit) = 0;
};

/// Evaluates expressions for one statement. Retains nothing of a row between calls.
/// Threads: one at a time.
class Evaluator {
 public:
  Evaluator(GraphReader& graph, Budget& budget, const Parameters& parameters,
            const FunctionContext& context)
      : graph_(graph), budget_(budget), parameters_(parameters), context_(context) {}

  [[nodiscard]] Result<Value> evaluate(const Expression& expression, Row row);
  /// Returns the truth of a condition, or nullopt if it is unknown.
  /// Errors: type_error if the value is not a condition.
  [[nodiscard]] Result<std::optional<bool>> truth(const Expression& condition, Row row);
  /// Returns whether a condition is true. Unknown counts as false.
  /// Errors: type_error if the value is not a condition.
  [[nodiscard]] Result<bool> holds(const Expression& condition, Row row);
  [[nodiscard]] Result<bool> all_hold(std::span<const Expression* const> conditions, Row row);

  /// Sets the properties that were read ahead for the rows of a batch. nullptr: none.
  void use(const PropertyBatch* properties) noexcept { properties_ = properties; }
  void set_subqueries(SubqueryRunner* runner) noexcept { subqueries_ = runner; }

  [[nodiscard]] GraphReader& graph() noexcept { return graph_; }
  [[nodiscard]] Budget& budget() noexcept { return budget_; }
  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }
  [[nodiscard]] SubqueryRunner& subqueries() noexcept { return *subqueries_; }
  [[nodiscard]] const PropertyBatch* read_ahead() const noexcept { return properties_; }
  /// Returns the context for a function call. Each call gets its own seed.
  [[nodiscard]] FunctionContext next_context() noexcept;

 private:
  GraphReader& graph_;
  Budget& budget_;
  const Parameters& parameters_;
  FunctionContext context_;
  SubqueryRunner* subqueries_ = nullptr;
  const PropertyBatch* properties_ = nullptr;
};

/// Reads `name` of a node, relationship, map or temporal value.
[[nodiscard]] Result<Value> read_member(Evaluator& evaluator, const Value& value,
                                        std::string_view name);

}  // namespace cairn::query
