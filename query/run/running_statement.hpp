#pragma once
// RunningStatement: one run of one statement, from the plan to the rows. Owns everything that the
// run needs except the graph.

#include "engine/telemetry/statement_register.hpp"
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
class WorkerPool;
}  // namespace cairn::engine

namespace cairn::query {

/// The view that a run reads, the writer of a writing run, and the observer of its end. All members
/// outlive the run.
struct Graph {
  const engine::View* view = nullptr;
  engine::Writer* writer = nullptr;
  engine::StatementObserver* observer = nullptr;  ///< notified of the end; may be null
  const engine::FileRoot* files = nullptr;        ///< root of the files that the statement may use
  /// Set if the statement runs neither in a transaction nor on a snapshot.
  Database* database = nullptr;
  engine::Core* core = nullptr;            ///< core of the database that the view belongs to
  const ScrubReceipt* scrubbed = nullptr;  ///< receipt, if the statement is CALL db.scrub() alone
  /// Threads that may take part; nullptr if the view is for one thread at a time.
  engine::WorkerPool* workers = nullptr;
  /// Set for a statement that commits in batches, which has no writer.
  BatchCommits* batches = nullptr;
};

/// Threads: one at a time.
class RunningStatement {
 public:
  /// Makes the plan, or takes one from `cache`, which may be null. No operator runs yet.
  /// `statement`, `text` and `cache` must outlive the run.
  [[nodiscard]] static Result<std::unique_ptr<RunningStatement>> start(
      const BoundStatement& statement, std::string_view text, const Graph& graph,
      Parameters parameters, const StatementOptions& options, PlanCache* cache = nullptr);
  ~RunningStatement();
  RunningStatement(const RunningStatement&) = delete;
  RunningStatement& operator=(const RunningStatement&) = delete;

  [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return columns_; }
  [[nodiscard]] const Changes& changes() const noexcept { return context_.changes; }
  /// Returns the warnings, beginning with those about unknown names. If the statement only reads,
  /// this call looks up the names.
  [[nodiscard]] const std::vector<std::string>& warnings();
  /// Returns the plan as text: for EXPLAIN, and for PROFILE with the figures measured so far.
  /// Otherwise "".
  [[nodiscard]] std::string plan() const;

  /// Returns the next row with its entities loaded, or nullopt at the end. The row is valid until
  /// the next call.
  [[nodiscard]] Result<std::optional<std::span<Value>>> next();

  /// Records that the code that reads the rows failed, so the statement cannot reach its end.
  void note_failure(ErrorCode code) { failure_ = code; }

  [[nodiscard]] Budget& budget() noexcept { return context_.budget; }
  /// Memory of the entities in the last row.
  [[nodiscard]] std::size_t loaded_bytes() const noexcept { return loader_.loaded_bytes(); }

 private:
  RunningStatement(const BoundStatement& statement, std::string_view text, const Graph& graph,
                   Parameters parameters, const StatementOptions& options, PlanCache* cache);
  /// Returns the value of an expression that needs no row. Returns nullopt if the evaluation fails,
  /// or if the expression calls a function of the program.
  [[nodiscard]] std::optional<Value> constant(const Expression& expression);
  [[nodiscard]] Status check_parameters();
  [[nodiscard]] Status prepare();
  [[nodiscard]] Status prepare(const Query& query);
  [[nodiscard]] Status prepare(const SchemaCommand& command);
  [[nodiscard]] Status make_plan(const Query& query);
  [[nodiscard]] Status find_plan(const Query& query);
  void check_names(const Query& query);
  [[nodiscard]] Status name_columns(const CallClause& call);
  [[nodiscard]] Status show_plan();
  [[nodiscard]] Result<bool> fill();
  [[nodiscard]] Result<bool> has_row();
  [[nodiscard]] Status check_constraints();
  [[nodiscard]] Status finish();
  [[nodiscard]] Result<std::optional<std::span<Value>>> next_row();
  /// Leaves the register, and notifies the observer once.
  void report_end() noexcept;
  /// Records the error, notifies the observer, and returns the error.
  [[nodiscard]] Error failed(Error error) noexcept;
  /// True if the next row is computed and needs no loading.
  [[nodiscard]] bool is_next_ready();
  [[nodiscard]] Result<std::span<Value>> take_row();

  const BoundStatement& statement_;
  std::string_view text_;
  Parameters parameters_;  // entities are bare
  StatementOptions options_;
  engine::StatementRegister::Place place_;  // changes the stop token of options_
  ExecutionContext context_;
  Statistics statistics_;
  OptimizerInputs optimizer_inputs_;
  Subqueries subqueries_;
  RowLoader loader_;
  PlanCache* cache_;  // nullptr if the plan is not cached
  LogicalPlan plan_;
  bool is_cacheable_ = false;
  std::unique_ptr<RunningPlan> running_;  // nullptr if no operators run
  std::vector<std::string> columns_;
  bool are_names_checked_ = false;
  RowBatch rows_;
  std::size_t row_ = 0;
  engine::StatementObserver* observer_;  // nullptr after the notification
  /// The error that ended the run. The initial value applies during preparation: then only an
  /// exception for lack of memory can end the run without another error.
  std::optional<ErrorCode> failure_ = ErrorCode::resource_limit;
};

}  // namespace cairn::query
