#pragma once
// RunningStatement: one run of one statement, from its plan to its rows. Owns all that the run
// needs but the graph it reads.

#include "query/bind/bound_query.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/pipeline/running_plan.hpp"
#include "query/execute/row_loader.hpp"
#include "query/optimize/optimizer.hpp"
#include "query/plan/cardinality.hpp"
#include "query/plan/logical_plan.hpp"
#include "query/plan/plan_cache.hpp"

#include <cairn/options.hpp>
#include <cairn/statement.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {
class Core;
class StatementObserver;
}  // namespace cairn::engine

namespace cairn::query {

/// What a run reads and, if it is a writing one, changes; and the observer of its end. They outlive the run.
struct Graph {
  const engine::View* view = nullptr;
  engine::Writer* writer = nullptr;
  engine::StatementObserver* observer = nullptr;  ///< null: nobody
  const engine::FileRoot* files = nullptr;        ///< where its files are
  Database* database = nullptr;  ///< where it runs neither in a transaction nor on a snapshot
  engine::Core* core = nullptr;  ///< of the database that the view is of
  const ScrubReceipt* scrubbed = nullptr;  ///< of a statement that is CALL db.scrub() alone
};

class RunningStatement {
 public:
  /// `statement`, `text` and `kept` must outlive the run. Makes the plan, or takes one of `kept`, which may
  /// be null; nothing runs yet.
  [[nodiscard]] static Result<std::unique_ptr<RunningStatement>> start(
      const BoundStatement& statement, std::string_view text, const Graph& graph,
      Parameters parameters, const StatementOptions& options, PlanCache* kept = nullptr);
  ~RunningStatement();
  RunningStatement(const RunningStatement&) = delete;
  RunningStatement& operator=(const RunningStatement&) = delete;

  [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return columns_; }
  [[nodiscard]] const Changes& changes() const noexcept { return context_.changes; }
  /// Warnings, those about unknown names first. For a statement that only reads, the names are looked up by this call.
  [[nodiscard]] const std::vector<std::string>& warnings();
  /// The plan as text: of EXPLAIN and, with what happened so far, of PROFILE; else empty.
  [[nodiscard]] std::string plan() const;

  /// The next row, entities loaded; valid until the next call.
  [[nodiscard]] Result<std::optional<std::span<Value>>> next();

  /// It cannot be brought to its end, for a reason of the code that takes its rows.
  void note_failure(ErrorCode code) { failure_ = code; }

  [[nodiscard]] Budget& budget() noexcept { return context_.budget; }
  /// Of the entities in the last row.
  [[nodiscard]] std::size_t loaded_bytes() const noexcept { return loader_.loaded_bytes(); }

 private:
  RunningStatement(const BoundStatement& statement, std::string_view text, const Graph& graph,
                   Parameters parameters, const StatementOptions& options, PlanCache* kept);
  /// The value of what needs no row; nothing where evaluating it fails.
  [[nodiscard]] std::optional<Value> constant(const Expression& expression);
  [[nodiscard]] Status check_parameters();
  [[nodiscard]] Status prepare();
  [[nodiscard]] Status prepare(const Query& query);
  [[nodiscard]] Status prepare(const SchemaCommand& command);
  [[nodiscard]] Status make_plan(const Query& query);
  void check_names(const Query& query);
  [[nodiscard]] Status name_columns(const CallClause& call);
  [[nodiscard]] Status show_plan();
  [[nodiscard]] Result<bool> fill();
  [[nodiscard]] Result<bool> has_row();
  [[nodiscard]] Status check_constraints();
  [[nodiscard]] Result<std::optional<std::span<Value>>> next_row();
  /// Tell the observer, once.
  void report_end() noexcept;
  /// The same; returns the error.
  [[nodiscard]] Error failed(Error error) noexcept;
  /// Whether the next row is made and needs nothing loaded.
  [[nodiscard]] bool is_next_ready();
  [[nodiscard]] Result<std::span<Value>> take_row();

  const BoundStatement& statement_;
  std::string_view text_;
  Parameters parameters_;  // with bare entities
  StatementOptions options_;
  ExecutionContext context_;
  Statistics statistics_;
  OptimizerInputs optimizer_inputs_;
  Subqueries subqueries_;
  RowLoader loader_;
  PlanCache* kept_;  // null where no plan is cached for other runs
  LogicalPlan plan_;
  bool is_to_be_kept_ = false;
  std::unique_ptr<RunningPlan> running_;  // null where the rows are there already
  std::vector<std::string> columns_;
  bool are_names_checked_ = false;
  RowBatch rows_;
  std::size_t row_ = 0;
  engine::StatementObserver* observer_;  // null once it was notified
  /// What the run ended with. Until it is ready it can only end for want of memory, by an exception.
  std::optional<ErrorCode> failure_ = ErrorCode::resource_limit;
};

}  // namespace cairn::query
