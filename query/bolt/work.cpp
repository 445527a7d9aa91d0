// A transaction of a driver begins as a snapshot, and takes the writer lock at its first writing statement. If it has
// read, and another transaction has committed since the snapshot, this is a conflict: the driver retries, and the retry
// takes the lock when it begins.
#include "query/bolt/work.hpp"

#include "engine/database/access.hpp"
#include "engine/database/core.hpp"
#include "engine/system/bounded_duration.hpp"
#include "engine/write/writer.hpp"
#include "query/batched_run.hpp"
#include "query/bind/parser.hpp"
#include "query/bolt/stored_outcome.hpp"
#include "query/execute/call/name_spaces.hpp"
#include "query/execute/call/operators.hpp"
#include "query/rows_impl.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace cairn::query::bolt {
namespace {

using WorkClock = std::chrono::steady_clock;

Failure needs_writing_mode() {
  return {code::access_mode,
          "the statement writes, and the transaction was begun for reading (mode r); begin it for "
          "writing"};
}

// The error of a write conflict: the data that was read is outdated. Drivers retry the transaction.
Error is_overtaken() {
  return {ErrorCode::conflict,
          "another transaction has committed since this one read, so that the data it read is "
          "outdated; nothing of it was written: run it again",
          {}};
}

// Only a local transaction is committed in this process.
void commit_for(Transaction& transaction, std::string_view text, const StatementOptions& options,
                std::optional<WorkClock::time_point> begun) {
  if (engine::Writer* const writer = Access::writer(transaction))
    writer->commit_for(text, options, begun);
}

Failure has_too_many_results(std::size_t most) {
  return {code::too_much, "the connection has " + std::to_string(most) +
                              " results open, which is its limit (BoltLimits::results); pull or "
                              "discard one to its end"};
}

}  // namespace

// Attached processes take the writer lock here, drivers only after a write conflict.
Status Work::begin(WorkOptions options) {
  end();
  options_ = std::move(options);
  if (options_.time_limit) deadline_ = WorkClock::now() + engine::bounded(*options_.time_limit);
  if (options_.note && options_.is_attached) CAIRN_TRY(begin_noted(*options_.note));
  if ((waits_at_begin_ || options_.is_attached) && !options_.is_reading) return start_writing();
  if (options_.is_transaction) {
    CAIRN_ASSIGN(transaction_, database_->begin(TransactionMode::read));
    list_idle();
    return {};
  }
  CAIRN_ASSIGN(snapshot_, database_->snapshot());
  first_commit_ = snapshot_->commit_number();
  list_idle();
  return {};
}

bool Work::is_running() const noexcept {
  return std::ranges::any_of(cursors_, [](const auto& one) { return one.second.is_running(); });
}

// An idle transaction is listed as an entry without a text. If there is no memory for the entry, the
// transaction is not listed. TERMINATE stops the token of the entry; a RESET does not, because the transaction
// may continue after it.
void Work::list_idle() noexcept {
  if (idle_ || !may_let_go() || is_running()) return;
  try {
    const auto core = Access::core(*database_);
    if (core == nullptr) return;
    idle_options_ = options_of_client();
    idle_options_.cancel = {};
    idle_.emplace(&core->running_statements(), std::string_view(), idle_options_);
  } catch (const std::bad_alloc&) {
    idle_.reset();
  }
}

// Also sees a TERMINATE that was reported as done, but whose token is stopped only later.
Status Work::end_idle() {
  if (!idle_) return {};
  const bool is_terminated = idle_->leave();
  idle_.reset();
  if (!is_terminated) return {};
  end();
  return Error{ErrorCode::cancelled, "the transaction was terminated; begin it again", {}};
}

// Keeps the transaction listed unless it was terminated, so that the next request sees a later
// TERMINATE.
Status Work::check_idle() {
  return idle_ && idle_options_.cancel.stop_requested() ? end_idle() : Status();
}

Failure Work::failure_to_begin(const Error& error) const {
  Failure failure = failure_of(error, Operation::transaction);
  if (was_committed_) failure.code = code::committed;
  return failure;
}

Status Work::begin_noted(const CommitNote& note) {
  if (attached_ != nullptr) CAIRN_TRY(attached_->begin_commit(note));
  noted_ = note;
  return {};
}

void Work::end_noted() noexcept {
  const auto note = std::exchange(noted_, std::nullopt);
  if (note && attached_ != nullptr) attached_->end_commit(*note);
}

// The writer lock is held, so that a run of the same request on another connection has ended.
Result<std::optional<Rows>> Work::stored_result() const {
  if (!is_request()) return std::optional<Rows>();
  CAIRN_ASSIGN(const auto stored, find_outcome(*database_, *options_.note));
  if (!stored) return std::optional<Rows>();
  CAIRN_ASSIGN(Rows rows, stored_rows(*stored, digest_));
  return std::optional(std::move(rows));
}

Status Work::begin_request() {
  if (!is_request()) return {};
  auto stored = find_outcome(*database_, *options_.note);
  if (stored && !*stored) return begin_noted(*options_.note);
  transaction_.reset();
  was_committed_ = stored.has_value();
  return stored ? is_committed() : stored.error();
}

// After a conflict the retry takes the lock before it reads, so it cannot conflict again.
Status Work::start_writing() {
  const auto mode = options_.if_free ? TransactionMode::write_if_free : TransactionMode::write;
  CAIRN_ASSIGN(transaction_, Access::begin_writing(*database_, interruption_.token(), mode));
  CAIRN_ASSIGN(const Snapshot newest, database_->snapshot());
  first_commit_ = newest.commit_number();
  // The lock is held now, so no further commit can come between.
  const bool is_behind = has_read_ && newest.commit_number() != snapshot_->commit_number();
  waits_at_begin_ = is_behind;
  snapshot_.reset();
  if (!is_behind) return begin_request();
  transaction_.reset();
  return is_overtaken();
}

// The limit of a whole transaction; single statements have their own timeout.
Status Work::check_time() const {
  if (!deadline_ || WorkClock::now() < *deadline_) return {};
  return Error{ErrorCode::resource_limit,
               "the transaction exceeded its timeout (StatementOptions::timeout) of " +
                   std::to_string(options_.time_limit->count()) +
                   " ms; nothing of it was written: begin it with a longer timeout",
               {}};
}

std::chrono::milliseconds Work::time_left() const {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline_ - WorkClock::now());
  return std::max(left, std::chrono::milliseconds(1));
}

// A statement of a driver or remote client.
std::variant<std::int64_t, Failure> Work::run(const Statement& statement, std::string_view text,
                                              const Parameters& parameters) {
  if (options_.is_reading && statement.is_writing()) return needs_writing_mode();
  if (cursors_.size() >= most_results_) return has_too_many_results(most_results_);
  Status ready = end_idle();
  const IdleAgain again(*this);
  if (ready) ready = check_time();
  if (ready && snapshot_ && statement.is_writing()) ready = start_writing();
  if (!ready) return failure_to_begin(ready.error());
  if (is_request()) digest_ = digest_of(text, parameters);
  const bool is_noted = is_request() && !transaction_ && !snapshot_ && statement.is_writing();
  auto rows = is_noted ? run_noted(statement, text, parameters, options_of_client(), *options_.note)
                       : run_statement(statement, parameters, options_of_client());
  if (!rows) return failure_of(rows.error(), Operation::statement);
  has_read_ = true;
  const bool is_alone = !transaction_ && !snapshot_;
  if (is_alone) note_newest_commit();
  const StatementKind kind{type_of(statement, *rows, text, *database_),
                           options_.wants_notifications};
  return open(*std::move(rows), kind);
}

std::int64_t Work::open(Rows rows, const StatementKind& kind) {
  cursors_.emplace(++last_result_, Cursor(std::move(rows), kind));
  return last_result_;
}

// A statement of an attached process.
Result<std::int64_t> Work::run(const Statement& statement, std::string_view text,
                               const Parameters& parameters, AttachedRequest request) {
  StatementOptions& options = request.options;
  options.cancel = interruption_.token();
  CAIRN_TRY(end_idle());
  const IdleAgain again(*this);
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_for(request));
  const bool is_noted = request.note && !transaction_ && !snapshot && statement.is_writing();
  CAIRN_ASSIGN(Rows rows, is_noted ? run_noted(statement, text, parameters, options, *request.note)
                          : snapshot != nullptr ? statement.run(*snapshot, parameters, options)
                                                : run_statement(statement, parameters, options));
  const StatementKind kind{type_of(statement, rows, text, *database_), true};
  return open(std::move(rows), kind);
}

namespace {

// A statement was refused because it must not run in a transaction.

bool is_drop(const Error& refusal) { return refusal.message == needs_own_transactions().message; }
bool is_batched(const Error& refusal) { return refusal.message == needs_auto_commit().message; }
bool is_scrub(const Error& refusal) { return refusal.message == scrubs_alone().message; }

/// The result of a command without rows.
Rows rows_of(const Changes& changes) { return Access::handle(std::make_unique<MadeRows>(changes)); }

}  // namespace

// Runs a statement like Statement::run() on the database, and stores the note with its commit. A scrub gets no note:
// repeating it completes the work.
Result<Rows> Work::run_noted(const Statement& statement, std::string_view text,
                             const Parameters& parameters, const StatementOptions& options,
                             const CommitNote& note) {
  CAIRN_TRY(begin_noted(note));
  const auto done = [this](auto result) {
    end_noted();
    return result;
  };
  auto transaction = Access::begin_writing(*database_, options.cancel);
  if (!transaction) return done(Result<Rows>(transaction.error()));
  auto stored = stored_result();
  if (!stored) return done(Result<Rows>(stored.error()));
  if (*stored) return done(Result<Rows>(**std::move(stored)));
  // As in Statement::run().
  const auto begun =
      statement.needed_role() == Role::admin ? std::optional(WorkClock::now()) : std::nullopt;
  auto rows = statement.run(*transaction, parameters, options);
  if (!rows && (is_drop(rows.error()) || is_scrub(rows.error()) || is_batched(rows.error()))) {
    transaction->rollback();
    if (is_batched(rows.error())) return done(batches_noted(text, parameters, options, note));
    return done(is_drop(rows.error()) ? drop_noted(text, options, note)
                                      : statement.run(*database_, parameters, options));
  }
  if (!rows) return done(std::move(rows));
  // In a local transaction all rows are made in advance.
  const std::vector<List>* const made = Access::made(*rows);
  if (made == nullptr)
    return done(Result<Rows>(
        Error{ErrorCode::unsupported,
              "the outcome of a commit can be stored only in a database that this process has open",
              {}}));
  add_note(*transaction, *rows, *made, note);
  commit_for(*transaction, text, options, begun);
  if (const Status committed = transaction->commit(); !committed)
    return done(Result<Rows>(committed.error()));
  return done(std::move(rows));
}

void Work::add_note(Transaction& transaction, const Rows& rows, const std::vector<List>& made,
                    const CommitNote& note) const {
  Map outcome = outcome_of(rows, made);
  if (is_request()) outcome.emplace(digest_entry, digest_);
  auto [key, value] = entry_of(note, outcome);
  Access::note_with_commit(transaction, std::move(key), std::move(value));
}

// The last of the commits erases the name, and therefore has the note. If the host dies before it, repeating the statement
// drops the rest. The same request may run on another connection meanwhile, as the lock is free between the commits: then
// either may make the last one.
Result<Rows> Work::drop_noted(std::string_view text, const StatementOptions& options,
                              const CommitNote& note) {
  CAIRN_ASSIGN(const BoundStatement dropping, parse_statement(text));
  const auto add_to_last = [&](Transaction& last, const Changes& changes) {
    add_note(last, rows_of(changes), {}, note);
  };
  auto changes = drop_name_space(dropping, *database_, options, add_to_last);
  if (changes) return rows_of(*changes);
  if (changes.error().code == ErrorCode::not_found) {
    CAIRN_ASSIGN(auto stored, stored_result());
    if (stored) return *std::move(stored);
  }
  return std::move(changes).error();
}

// The last commit may be followed by an error of the rest of the statement. After it nothing else is stored than the
// counts: rows, warnings and plans come from an older snapshot, and a scrub may have erased their data meanwhile. So the
// rows of a statement with columns are lost.
Map Work::outcome_of_batch(const BatchProgress& then, bool has_columns) const {
  if (!then.is_complete) return partial_outcome(then);
  Map outcome = outcome_of(rows_of(then.changes), {});
  if (has_columns) outcome.erase("rows");
  return outcome;
}

// The same request may run on another connection, because the lock is free between the commits. The run that finds a
// commit of the other one stops.
Result<Rows> Work::batches_noted(std::string_view text, const Parameters& parameters,
                                 const StatementOptions& options, const CommitNote& note) {
  CAIRN_ASSIGN(const BoundStatement bound,
               parse_statement(text, {}, &parameters, registered_calls(*database_)));
  const bool has_columns = !std::get<Query>(bound.content).parts.front().columns.empty();
  const auto entry = [&](Map outcome, bool is_unfinished) {
    if (is_request()) outcome.emplace(digest_entry, digest_);
    return entry_of(note, outcome, is_unfinished);
  };
  BatchCommits commits;
  commits.at_begin = [&]() -> Status {
    if (!is_request()) return {};
    CAIRN_ASSIGN(const auto stored, find_outcome(*database_, note));
    return check_progress(stored, commits.progress);
  };
  commits.before_commit = [&](Transaction& transaction, const BatchProgress& then) {
    auto [key, value] = entry(outcome_of_batch(then, has_columns), true);
    Access::note_with_commit(transaction, std::move(key), std::move(value));
  };
  // Before the first commit, a repeated request finds nothing and runs the whole statement, which is harmless.
  commits.after_failure = [&](const BatchProgress& then) -> Status {
    if (then.transactions == 0) return {};
    const auto [key, value] = entry(outcome_of_batch(then, has_columns), true);
    CAIRN_TRY(Access::core(*database_)->write_note(key, value));
    return {};
  };
  CAIRN_ASSIGN(auto made, run_in_batches(bound, text, *database_, parameters, options, commits));
  Rows rows = Access::handle(std::move(made));
  if (commits.progress.transactions > 0) {
    BatchProgress end = commits.progress;
    end.is_complete = true;
    const auto [key, value] = entry(outcome_of_batch(end, has_columns), false);
    // Without it, the error of a repeated request would say that rows without changes were not
    // reached.
    static_cast<void>(Access::core(*database_)->write_note(key, value));
  }
  return rows;
}

Result<std::int64_t> Work::call(AttachedCalls& calls, std::string_view name, const Map& arguments,
                                AttachedRequest request) {
  request.options.cancel = interruption_.token();
  CAIRN_TRY(end_idle());
  const IdleAgain again(*this);
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_for(request));
  const CallPlace place{*database_, transaction_ ? &*transaction_ : nullptr, snapshot,
                        request.options};
  CAIRN_ASSIGN(Value value, calls.call(name, arguments, place));
  return open(Access::handle(std::make_unique<MadeRows>("value", std::move(value))), {"r", true});
}

// The snapshot with soft-deleted records is created once and reused.
Result<const Snapshot*> Work::snapshot_for(const AttachedRequest& request) {
  if (!request.sees_deleted) return snapshot_ ? &*snapshot_ : nullptr;
  if (!snapshot_)
    return Error{ErrorCode::io_error,
                 "soft-deleted records can be read on a snapshot only, and no snapshot is open",
                 {}};
  if (!with_deleted_) with_deleted_ = snapshot_->with_deleted();
  return &*with_deleted_;
}

// The timeout is the smaller one of the transaction's and the client's; without both, the default applies. Statements of
// network clients must not use files.
StatementOptions Work::options_of_client() const {
  StatementOptions options;
  options.timeout = options_.time_limit.value_or(limits_ ? limits_->timeout : options.timeout);
  if (deadline_) options.timeout = time_left();
  if (limits_) {
    options.timeout = std::min(options.timeout, limits_->timeout);
    options.memory_bytes = limits_->memory_bytes;
    options.max_rows = limits_->rows;
  }
  options.cancel = interruption_.token();
  options.name_space = options_.name_space;
  options.listed_name_spaces = options_.listed_name_spaces;
  options.also_read = options_.also_read;
  options.author = options_.author;
  options.use_files = false;
  options.caller = options_.caller;
  return options;
}

Result<Rows> Work::run_statement(const Statement& statement, const Parameters& parameters,
                                 const StatementOptions& options) {
  if (transaction_) return statement.run(*transaction_, parameters, options);
  if (snapshot_) return statement.run(*snapshot_, parameters, options);
  return statement.run(*database_, parameters, options);
}

Cursor* Work::find(std::int64_t result) {
  const auto found = cursors_.find(result == -1 ? last_result_ : result);
  return found == cursors_.end() ? nullptr : &found->second;
}

void Work::close(std::int64_t result) {
  cursors_.erase(result == -1 ? last_result_ : result);
  list_idle();
}

// A failed commit of an attached process leaves its transaction open, so that its client decides what to do.
Status Work::commit() {
  cursors_.clear();
  CAIRN_TRY(end_idle());
  CAIRN_TRY(check_time());
  if (transaction_) {
    if (noted_) {
      auto [key, value] = entry_of(*noted_, {});
      Access::note_with_commit(*transaction_, std::move(key), std::move(value));
    }
    const StatementOptions options = options_of_client();
    commit_for(*transaction_, "COMMIT", options, WorkClock::now());
    Status done = transaction_->commit();
    if (done) note_newest_commit();
    if (done || !options_.is_attached) transaction_.reset();
    return done;
  }
  if (snapshot_) commit_ = snapshot_->commit_number();
  snapshot_.reset();
  return {};
}

void Work::let_go() noexcept {
  end();
  was_let_go_ = true;
}

// Destroying the handle of a transaction rolls it back.
void Work::end() noexcept {
  idle_.reset();
  cursors_.clear();
  transaction_.reset();
  with_deleted_.reset();
  snapshot_.reset();
  deadline_.reset();
  was_let_go_ = false;
  has_read_ = false;
  was_committed_ = false;
  last_result_ = -1;
  commit_.reset();
  end_noted();
}

// The newest commit may belong to another client, which is fine for a bookmark. If the snapshot fails, the
// bookmark is missing, although the commit was made.
void Work::note_newest_commit() {
  const auto snapshot = database_->snapshot();
  commit_ = snapshot ? std::optional(snapshot->commit_number()) : std::nullopt;
}

}  // namespace cairn::query::bolt
