#pragma once
// Work: what a session runs, either a single auto-commit statement or a transaction, with the open results.

#include "engine/telemetry/statement_register.hpp"
#include "query/bolt/attached.hpp"
#include "query/bolt/cursor.hpp"
#include "query/bolt/failure.hpp"
#include "query/bolt/interruption.hpp"

#include <cairn/database.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/statement.hpp>
#include <cairn/transaction.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cairn::query::bolt {

/// The limits of one statement, as a remote client of this library requests them.
struct StatementLimits {
  std::chrono::milliseconds timeout;
  std::size_t memory_bytes;
  std::size_t rows;
};

/// The options of a transaction or of a single statement.
struct WorkOptions {
  /// Writing is refused (mode "r" of Bolt).
  bool is_reading = false;
  std::string name_space;
  std::optional<std::vector<std::string>>
      listed_name_spaces;              ///< StatementOptions::listed_name_spaces
  std::vector<std::string> also_read;  ///< StatementOptions::also_read
  std::string author;                  ///< StatementOptions::author
  /// The limit for a single statement or a whole transaction; nullopt: each statement has its default limit.
  std::optional<std::chrono::milliseconds> time_limit;
  bool wants_notifications = true;
  /// For an attached process: a writing transaction takes the writer lock when it begins, and each statement has its own
  /// options.
  bool is_attached = false;
  std::optional<CommitNote> note =
      std::nullopt;      ///< of an attached process, or of a request with an id
  bool if_free = false;  ///< for an attached process: fail with busy if the writer lock is taken
  bool is_transaction =
      false;  ///< for an attached process that reads: a transaction instead of a snapshot
  std::string caller = {};  ///< StatementOptions::caller
};

/// Threads: one at a time. A writing transaction holds the writer lock in the thread that began it.
class Work {
 public:
  /// All arguments must outlive the object. `attached` is nullptr unless attached processes are served.
  Work(Database& database, const std::size_t& most_results, const Interruption& interruption,
       AttachedCalls* attached = nullptr)
      : database_(&database),
        most_results_(most_results),
        interruption_(interruption),
        attached_(attached) {}
  ~Work() { end(); }

  /// Uses `database` from now on; it must outlive this use. Precondition: no result or transaction is
  /// open.
  void use(Database& database) noexcept { database_ = &database; }
  [[nodiscard]] Database& database() const noexcept { return *database_; }

  /// Begins a transaction. A transaction of a driver is a snapshot until a statement writes: it takes no lock,
  /// and its rows are produced when they are pulled. After a write conflict, and for attached processes, a
  /// writing transaction takes the writer lock at once. Errors: those of Database::snapshot() and
  /// Database::begin(); is_committed().
  [[nodiscard]] Status begin(WorkOptions options);
  /// The failure for an error of begin(): code::committed if the request of the transaction was committed before.
  [[nodiscard]] Failure failure_to_begin(const Error& error) const;
  /// True if a transaction is open. A transaction that failed to commit or lost a write conflict is closed.
  [[nodiscard]] bool has_transaction() const noexcept {
    return transaction_.has_value() || snapshot_.has_value();
  }
  /// Sets the options of the next single statement.
  void prepare(WorkOptions options) { options_ = std::move(options); }
  /// Sets limits for the next statement, in place of the defaults.
  void limit(const StatementLimits& limits) { limits_ = limits; }

  /// Runs a statement and opens its result. Returns the number of the result. `text` is the text of
  /// the statement.
  [[nodiscard]] std::variant<std::int64_t, Failure> run(const Statement& statement,
                                                        std::string_view text,
                                                        const Parameters& parameters);
  /// Runs a statement of an attached process with its own options, except for `cancel`, which is set here. A note is
  /// stored with the commit of a single statement.
  [[nodiscard]] Result<std::int64_t> run(const Statement& statement, std::string_view text,
                                         const Parameters& parameters, AttachedRequest request);
  /// Runs a call of the library, whose value becomes a result of one row.
  [[nodiscard]] Result<std::int64_t> call(AttachedCalls& calls, std::string_view name,
                                          const Map& arguments, AttachedRequest request);
  /// An open result; -1 means the result of the last statement. Returns nullptr if it is not open.
  [[nodiscard]] Cursor* find(std::int64_t result);
  void close(std::int64_t result);

  /// Closes all results and commits. Errors: those of Transaction::commit(); the transaction is closed after an error
  /// too, except that of an attached process.
  [[nodiscard]] Status commit();
  /// Closes everything and rolls back changes that were not committed.
  void end() noexcept;
  /// True if an open transaction has only read.
  [[nodiscard]] bool may_let_go() const noexcept {
    return snapshot_.has_value() || (transaction_.has_value() && options_.is_transaction);
  }
  /// Ends an open transaction that has only read; was_let_go() is true until the next transaction
  /// begins.
  void let_go() noexcept;
  [[nodiscard]] bool was_let_go() const noexcept { return was_let_go_; }

  /// Lists an open transaction that has only read as idle, unless one of its statements runs. Called when a statement may
  /// have ended.
  void list_idle() noexcept;
  /// Called before rows of an open result are sent. Errors: cancelled if the transaction was terminated while it was listed as
  /// idle; the transaction is then closed.
  [[nodiscard]] Status check_idle();

  /// The newest commit that the client has seen: set after a single statement ran or a transaction committed.
  [[nodiscard]] std::optional<std::uint64_t> commit_number() const noexcept { return commit_; }
  /// The last commit before the transaction began; 0 without a transaction.
  [[nodiscard]] std::uint64_t first_commit() const noexcept { return first_commit_; }
  [[nodiscard]] const WorkOptions& options() const noexcept { return options_; }

 private:
  /// Lists the transaction as idle at its end, unless a statement of it runs then.
  class IdleAgain {
   public:
    explicit IdleAgain(Work& work) : work_(work) {}
    IdleAgain(const IdleAgain&) = delete;
    IdleAgain& operator=(const IdleAgain&) = delete;
    ~IdleAgain() { work_.list_idle(); }

   private:
    Work& work_;
  };

  /// Takes the writer lock and replaces the snapshot with a writing transaction. Errors: conflict if the transaction has
  /// read and others have committed since.
  [[nodiscard]] Status start_writing();
  /// Errors: resource_limit if the time of the transaction is over.
  [[nodiscard]] Status check_time() const;
  [[nodiscard]] std::chrono::milliseconds time_left() const;
  [[nodiscard]] StatementOptions options_of_client() const;
  [[nodiscard]] Result<Rows> run_statement(const Statement& statement, const Parameters& parameters,
                                           const StatementOptions& options);
  /// True for a request with an id. Its outcome is looked up once the request has the writer lock.
  [[nodiscard]] bool is_request() const noexcept { return options_.note && !options_.is_attached; }
  /// The result of a request that was committed before. Errors: those of find_outcome() and stored_rows().
  [[nodiscard]] Result<std::optional<Rows>> stored_result() const;
  /// Errors: is_committed() if the request of the transaction was committed before; those of
  /// find_outcome() and of AttachedCalls::begin_commit().
  [[nodiscard]] Status begin_request();
  /// The snapshot for a request, with soft-deleted records if the request asks for them; nullptr if no snapshot is open.
  /// Errors: io_error if soft-deleted records are requested without a snapshot.
  [[nodiscard]] Result<const Snapshot*> snapshot_for(const AttachedRequest& request);
  /// Runs a single writing statement and stores its note and results with the commit.
  [[nodiscard]] Result<Rows> run_noted(const Statement& statement, std::string_view text,
                                       const Parameters& parameters,
                                       const StatementOptions& options, const CommitNote& note);
  /// Runs DROP NAMESPACE and stores the note and the results with its last commit.
  [[nodiscard]] Result<Rows> drop_noted(std::string_view text, const StatementOptions& options,
                                        const CommitNote& note);
  /// Runs a statement that commits in batches, and stores the note and its progress with each commit.
  [[nodiscard]] Result<Rows> batches_noted(std::string_view text, const Parameters& parameters,
                                           const StatementOptions& options, const CommitNote& note);
  /// What is stored with a commit of such a statement, which has columns or not.
  [[nodiscard]] Map outcome_of_batch(const BatchProgress& then, bool has_columns) const;
  /// Adds the note and the results of a statement to the commit of a transaction.
  void add_note(Transaction& transaction, const Rows& rows, const std::vector<List>& made,
                const CommitNote& note) const;
  [[nodiscard]] Status begin_noted(const CommitNote& note);
  void end_noted() noexcept;
  [[nodiscard]] std::int64_t open(Rows rows, const StatementKind& kind);
  /// Sets commit_ after a statement or commit.
  void note_newest_commit();
  /// True if an open result has rows that are still to be computed.
  [[nodiscard]] bool is_running() const noexcept;
  /// Removes the transaction from the list of idle transactions. Errors: as check_idle().
  [[nodiscard]] Status end_idle();

  Database* database_;
  const std::size_t& most_results_;
  const Interruption& interruption_;
  AttachedCalls* const attached_;
  std::optional<StatementLimits> limits_;
  WorkOptions options_;
  std::optional<CommitNote> noted_;         // of the commit that is being made
  std::string digest_;                      // of the statement of a request
  std::optional<Transaction> transaction_;  // at most one of transaction_ and snapshot_ is set
  std::optional<Snapshot> snapshot_;
  std::optional<Snapshot> with_deleted_;  // created at its first use
  std::optional<std::chrono::steady_clock::time_point>
      deadline_;  // end of the time of a transaction
  bool was_let_go_ = false;
  bool has_read_ = false;        // true if the transaction has run a statement
  bool waits_at_begin_ = false;  // the previous transaction lost a write conflict
  bool was_committed_ = false;   // by an earlier run of the request, as start_writing() found
  std::map<std::int64_t, Cursor> cursors_;
  std::int64_t last_result_ = -1;
  std::optional<std::uint64_t> commit_;
  std::uint64_t first_commit_ = 0;
  StatementOptions idle_options_;  // of idle_
  // The entry of an idle transaction that has only read.
  std::optional<engine::StatementRegister::Place> idle_;
};

/// The type of a statement as Bolt names it: "r", "w", "rw", or "s" for a change of the schema. "w" writes and returns no
/// columns. An EXPLAIN has the type of the statement that it explains: clients ask by EXPLAIN whether a statement writes.
/// `text` is the text of the statement.
/// Cost: parses the text again if the statement writes and needs the role admin, or if it does not write and the text
/// contains EXPLAIN.
[[nodiscard]] std::string_view type_of(const Statement& statement, const Rows& rows,
                                       std::string_view text, const Database& database);

}  // namespace cairn::query::bolt
