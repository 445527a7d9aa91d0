// CALL { query } IN TRANSACTIONS: takes the input rows in batches. The query runs once for each row; the rows of a
// batch share a transaction, which is committed before the next batch begins.
//
// The input reads the snapshot of the statement, so it sees no change of any batch, and nobody waits for it: the writer
// lock is held only while the query runs. Memory is needed for one batch. After an error the batch is rolled back, and
// the batches before it stay committed. ON ERROR says whether the statement ends then.

#include "engine/database/access.hpp"
#include "engine/view/view.hpp"
#include "engine/write/writer.hpp"
#include "query/execute/call/operators.hpp"
#include "query/execute/expression/evaluate_subquery.hpp"
#include "query/execute/pipeline/batch_commits.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/pipeline/running_plan.hpp"
#include "query/execute/row_loader.hpp"
#include "query/plan/operator_content.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

constexpr std::size_t usual_batch_size = 1'000;

/// True for errors that are not about the data of a batch: each later batch would fail too, or must not run.
bool ends_statement(const Error& error) {
  using enum ErrorCode;
  constexpr ErrorCode codes[] = {busy,     cancelled,  unsupported,
                                 io_error, corruption, format_too_new};
  return std::ranges::find(codes, error.code) != std::end(codes);
}

/// The value of REPORT STATUS. `id` is null if the transaction did not begin.
Value status_of(Value id, bool is_committed, Value message) {
  const bool is_started = !id.is_null();
  return Map{{"started", is_started},
             {"committed", is_committed},
             {"transactionId", std::move(id)},
             {"errorMessage", std::move(message)}};
}

/// While it lives, the budget of the statement shares its memory with that of the batch's transaction.
class MemoryOfBatch {
 public:
  explicit MemoryOfBatch(Budget& outer) : outer_(outer) { outer_.share_memory(room_); }
  MemoryOfBatch(const MemoryOfBatch&) = delete;
  MemoryOfBatch& operator=(const MemoryOfBatch&) = delete;
  ~MemoryOfBatch() { outer_.end_sharing(); }

  [[nodiscard]] SharedMemory& room() noexcept { return room_; }

 private:
  Budget& outer_;
  SharedMemory room_;
};

/// The query with what it needs to run in one transaction.
class QueryOfBatch {
 public:
  QueryOfBatch(ExecutionContext& outer, const CallSubquery& content, Transaction& transaction,
               std::uint64_t seed)
      : memory_(outer.budget),
        context_(outer, Access::view(transaction), *Access::writer(transaction), seed,
                 memory_.room()),
        subqueries_(context_, *context_.optimizer_inputs),
        plan_(context_, content.branches, content.distinct, content.clause->columns.size()) {
    context_.evaluator.set_subqueries(&subqueries_);
  }
  QueryOfBatch(const QueryOfBatch&) = delete;
  QueryOfBatch& operator=(const QueryOfBatch&) = delete;

  void start(Row row) { plan_.start(row); }
  [[nodiscard]] Result<bool> next(RowBatch& rows) { return plan_.next(rows); }
  /// Called after each row. Errors: those of the limits.
  [[nodiscard]] Status end_row() {
    constexpr std::uint64_t steps_a_row = 16;
    CAIRN_TRY(context_.budget.step(steps_a_row));
    return context_.charge_changes();
  }
  /// Checks the constraints at the end of the batch. A violation fails the batch, as it fails an ordinary statement.
  [[nodiscard]] Status check_constraints() {
    constexpr std::uint64_t steps_a_record = 8;
    return context_.writer->check_constraints(
        [this] { return context_.budget.step(steps_a_record); });
  }
  [[nodiscard]] ExecutionContext& context() noexcept { return context_; }

 private:
  MemoryOfBatch memory_;
  ExecutionContext context_;
  Subqueries subqueries_;
  RunningPlan plan_;
};

class CallInTransactionsOperator final : public PhysicalOperator {
 public:
  CallInTransactionsOperator(const CallSubquery& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width), content_(content) {
    if (context_.batches != nullptr) context_.batches->run_rest = [this] { return run_rest(); };
  }

 protected:
  Result<bool> produce(RowBatch& out) override {
    while (output_.empty()) {
      CAIRN_ASSIGN(const bool is_there, run_batch());
      if (!is_there) return false;
    }
    out = std::move(output_.front());
    output_.pop_front();
    return true;
  }

 private:
  /// Runs and commits the next batch. Returns false if no row is left.
  [[nodiscard]] Result<bool> run_batch();
  [[nodiscard]] Status run_rest();
  /// Evaluates the number of rows of a batch once.
  [[nodiscard]] Result<std::size_t> batch_size();
  [[nodiscard]] Result<bool> has_input();
  [[nodiscard]] Status gather(std::size_t limit);
  [[nodiscard]] Result<Transaction> begin();
  /// Runs the query for the rows of the batch, and commits the changes.
  [[nodiscard]] Status change(Transaction& transaction);
  [[nodiscard]] Status run_query(Transaction& transaction, Changes& changes);
  [[nodiscard]] Status run_row(QueryOfBatch& query, Row row);
  [[nodiscard]] Status commit(Transaction& transaction, const Changes& changes);
  /// Goes on after an error of the batch if ON ERROR says so. Otherwise returns the error.
  [[nodiscard]] Status recover(Error error);
  void warn_of(const Error& error);
  /// Makes an output row with nulls for each row of the batch.
  [[nodiscard]] Status pass_on(Value status);
  /// Sets the status in the output rows of the batch.
  [[nodiscard]] Status report(const Value& status);
  [[nodiscard]] Value id_of_transaction() const { return "batch-" + std::to_string(batches_); }
  [[nodiscard]] bool handles_errors() const { return content_.clause->on_error != OnError::fail; }
  /// Adds an output row: the input row with the columns of a row of the query.
  [[nodiscard]] Status emit(Row row, Row columns);
  void take_results(ExecutionContext& inner, Changes& changes);

  const CallSubquery& content_;
  std::optional<std::size_t> batch_size_;
  RowBatch input_rows_;
  std::size_t next_input_ = 0;
  bool is_input_over_ = false;
  bool is_stopped_ = false;             // by ON ERROR BREAK
  bool is_out_of_room_ = false;         // the store could not take a commit
  std::optional<Error> input_failure_;  // of a row after those of the batch
  std::deque<RowBatch> rows_;           // the input rows of the batch
  std::uint64_t row_count_ = 0;         // in rows_
  std::uint64_t batches_ = 0;           // begun so far
  std::deque<RowBatch> output_;         // the output rows of the batch
  DeletedEntities deleted_;             // by earlier batches
  std::map<const Operator*, OperatorProfile> profiles_;
};

Result<std::size_t> CallInTransactionsOperator::batch_size() {
  if (batch_size_) return *batch_size_;
  const ExpressionPtr& given = content_.clause->batch_rows;
  std::size_t rows = usual_batch_size;
  if (given) {
    CAIRN_ASSIGN(rows, evaluate_count(evaluator(), *given, "IN TRANSACTIONS OF"));
  }
  if (rows == 0)
    return Error{ErrorCode::invalid_argument,
                 "IN TRANSACTIONS OF needs at least 1 row in a batch, got 0", given->where};
  batch_size_ = rows;
  return rows;
}

Result<bool> CallInTransactionsOperator::has_input() {
  while (next_input_ == input_rows_.size() && !is_input_over_) {
    next_input_ = 0;
    CAIRN_ASSIGN(const bool more, input().next(input_rows_));
    is_input_over_ = !more;
  }
  return next_input_ < input_rows_.size();
}

// Reads the rows of the batch, and looks whether another row follows, before the writer lock is taken. An error of a
// later row must not fail this batch.
Status CallInTransactionsOperator::gather(std::size_t limit) {
  rows_.clear();
  for (row_count_ = 0; row_count_ < limit; ++row_count_) {
    CAIRN_ASSIGN(const bool is_there, has_input());
    if (!is_there) return {};
    if (rows_.empty() || rows_.back().full()) rows_.emplace_back(width(), budget());
    CAIRN_TRY(rows_.back().append(input_rows_[next_input_++]));
  }
  const auto more = has_input();
  if (!more) input_failure_ = more.error();
  return {};
}

// As for any statement, the wait for the writer lock does not count towards the time limit.
Result<Transaction> CallInTransactionsOperator::begin() {
  budget().pause();
  auto transaction = Access::begin_writing(*context_.database, context_.options.cancel);
  budget().resume();
  if (!transaction) return transaction;
  const StatementOptions& options = context_.options;
  engine::Writer& writer = *Access::writer(*transaction);
  CAIRN_TRY(writer.use_place({options.name_space, options.also_read, options.author}));
  writer.use_time(context_.now);
  if (context_.batches->at_begin) CAIRN_TRY(context_.batches->at_begin());
  return transaction;
}

Result<bool> CallInTransactionsOperator::run_batch() {
  if (context_.batches == nullptr || context_.database == nullptr) return needs_auto_commit();
  if (input_failure_) return *input_failure_;
  CAIRN_ASSIGN(const std::size_t limit, batch_size());
  CAIRN_TRY(gather(limit));
  if (rows_.empty()) return false;
  if (is_stopped_) {
    CAIRN_TRY(pass_on(status_of({}, false, {})));
    return true;
  }
  CAIRN_ASSIGN(Transaction transaction, begin());
  auto deleted_before = handles_errors() ? std::optional(deleted_) : std::nullopt;
  if (Status done = change(transaction); !done) {
    if (deleted_before) deleted_ = *std::move(deleted_before);
    CAIRN_TRY(recover(std::move(done).error()));
  }
  rows_.clear();
  return true;
}

Status CallInTransactionsOperator::change(Transaction& transaction) {
  Changes changes;
  CAIRN_TRY(run_query(transaction, changes));
  CAIRN_TRY(report(status_of(id_of_transaction(), true, {})));
  const Status committed = commit(transaction, changes);
  if (!committed && committed.error().code == ErrorCode::resource_limit) is_out_of_room_ = true;
  return committed;
}

// The lock is held until the note of the failure is written, so that no other run of the same request is mistaken for this
// one.
Status CallInTransactionsOperator::recover(Error error) {
  if (!handles_errors() || is_out_of_room_ || ends_statement(error)) return error;
  CAIRN_TRY(budget().check());
  BatchCommits& batches = *context_.batches;
  is_stopped_ = content_.clause->on_error == OnError::stop;
  if (!content_.clause->status && batches.progress.failed_rows == 0) warn_of(error);
  BatchProgress after_failure = batches.progress;
  after_failure.failed_rows += row_count_;
  after_failure.is_complete = is_stopped_ || (is_input_over_ && !input_failure_);
  if (batches.after_failure) CAIRN_TRY(batches.after_failure(after_failure));
  batches.progress = after_failure;
  return pass_on(status_of(id_of_transaction(), false, error.message));
}

// Without REPORT STATUS, nothing else tells that rows are missing.
void CallInTransactionsOperator::warn_of(const Error& error) {
  const std::uint64_t first = context_.batches->progress.rows + 1;
  const std::string rows = row_count_ == 1 ? "row " + std::to_string(first) + " was"
                                           : "rows " + std::to_string(first) + " to " +
                                                 std::to_string(first + row_count_ - 1) + " were";
  warn_once(context_, rows + " rolled back, and the statement went on " +
                          (is_stopped_ ? "without further transactions (ON ERROR BREAK): "
                                       : "with the next batch (ON ERROR CONTINUE): ") +
                          error.message +
                          "; REPORT STATUS AS s returns the error of each row, also of later ones");
}

Status CallInTransactionsOperator::pass_on(Value status) {
  output_.clear();
  std::vector<Value> nulls(content_.clause->columns.size());
  for (RowBatch& chunk : rows_)
    for (std::size_t row = 0; row < chunk.size(); ++row) CAIRN_TRY(emit(chunk[row], nulls));
  rows_.clear();
  return report(status);
}

Status CallInTransactionsOperator::report(const Value& status) {
  if (!content_.clause->status) return {};
  for (RowBatch& chunk : output_)
    for (std::size_t row = 0; row < chunk.size(); ++row)
      CAIRN_TRY(chunk.put(chunk[row][*content_.clause->status], status));
  return {};
}

Status CallInTransactionsOperator::run_query(Transaction& transaction, Changes& changes) {
  CAIRN_ASSIGN(const auto inside, Access::enter_statement(transaction));
  // Far apart, because each call of a random function uses the next seed.
  const std::uint64_t seed = static_cast<std::uint64_t>(context_.now) + (++batches_ << 40U);
  QueryOfBatch query(context_, content_, transaction, seed);
  query.context().graph.adopt_deleted(std::exchange(deleted_, {}));
  for (RowBatch& chunk : rows_)
    for (std::size_t row = 0; row < chunk.size(); ++row) CAIRN_TRY(run_row(query, chunk[row]));
  CAIRN_TRY(query.check_constraints());
  take_results(query.context(), changes);
  return {};
}

Status CallInTransactionsOperator::run_row(QueryOfBatch& query, Row row) {
  const std::size_t columns = content_.clause->columns.size();
  query.start(row);
  RowBatch rows;
  while (true) {
    CAIRN_ASSIGN(const bool more, query.next(rows));
    if (!more) break;
    for (std::size_t i = 0; columns > 0 && i < rows.size(); ++i)
      CAIRN_TRY(emit(row, rows[i].first(columns)));
  }
  if (columns == 0) CAIRN_TRY(emit(row, {}));
  return query.end_row();
}

// The outer part reads a snapshot from before the batch, so it could read nothing of a record that the batch made.
Status CallInTransactionsOperator::emit(Row row, Row columns) {
  if (RowLoader::needs_loading(columns))
    return Error{ErrorCode::unsupported,
                 "a subquery IN TRANSACTIONS cannot return nodes, relationships or paths, because "
                 "the rest of the statement reads the graph as it was before; return the "
                 "properties that it needs, or elementId(n)",
                 content_.clause->subquery->where};
  if (output_.empty() || output_.back().full()) output_.emplace_back(width(), budget());
  CAIRN_TRY(output_.back().hold(columns));
  CAIRN_ASSIGN(const Row output, output_.back().append(row));
  for (std::size_t i = 0; i < columns.size(); ++i)
    output[content_.clause->columns[i]] = std::move(columns[i]);
  return {};
}

void CallInTransactionsOperator::take_results(ExecutionContext& inner, Changes& changes) {
  changes = inner.changes;
  deleted_ = inner.graph.take_deleted();
  for (std::string& warning : inner.warnings) warn_once(context_, std::move(warning));
  for (const auto& [one, profile] : inner.running) {
    add(profiles_[one], *profile);
    context_.running[one] = &profiles_[one];
  }
}

// If the batch changed nothing, commit() only ends the transaction, and what before_commit() added is not stored. The
// progress in memory advances all the same.
Status CallInTransactionsOperator::commit(Transaction& transaction, const Changes& changes) {
  BatchCommits& batches = *context_.batches;
  BatchProgress after_commit = batches.progress;
  after_commit.rows += row_count_;
  if (Access::writer(transaction)->has_changes()) ++after_commit.transactions;
  add_changes(after_commit.changes, changes);
  after_commit.is_complete = is_input_over_ && !input_failure_;
  if (batches.before_commit) batches.before_commit(transaction, after_commit);
  Access::writer(transaction)->commit_for(context_.text, context_.options, std::nullopt);
  CAIRN_TRY(transaction.commit());
  batches.progress = after_commit;
  context_.changes = after_commit.changes;
  return {};
}

Status CallInTransactionsOperator::run_rest() {
  while (!is_stopped_) {
    output_.clear();
    CAIRN_ASSIGN(const bool more, run_batch());
    if (!more) return {};
  }
  return {};
}

}  // namespace

OperatorPtr make_batched_call(const CallSubquery& content, Parts parts) {
  return std::make_unique<CallInTransactionsOperator>(content, std::move(parts));
}

// The beginning of the message is that of Neo4j: clients that find it run the statement again on its own.
Error needs_auto_commit() {
  return {
      ErrorCode::unsupported,
      "CALL { ... } IN TRANSACTIONS can only be executed in an implicit transaction, because it "
      "commits its own transactions; run the statement on its own, outside of BEGIN and COMMIT",
      {}};
}

}  // namespace cairn::query
