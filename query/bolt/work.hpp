#pragma once
// Work: what a session has open. Either one statement with its own commit, or a transaction with its results.

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
#include <variant>
#include <vector>

namespace cairn::query::bolt {

/// What one statement may take at most, as a client of this library says it.
struct StatementLimits {
  std::chrono::milliseconds timeout;
  std::size_t memory_bytes;
  std::size_t rows;
};

struct WorkOptions {
  bool is_reading = false;
  std::string name_space;
  std::optional<std::vector<std::string>>
      listed_name_spaces;              ///< StatementOptions::listed_name_spaces
  std::vector<std::string> also_read;  ///< StatementOptions::also_read
  std::string author;                  ///< StatementOptions::author
  /// Of a single statement, or of a whole transaction; absent: the default for each statement.
  std::optional<std::chrono::milliseconds> time_limit;
  bool wants_notifications = true;
  /// Of an attached process: a writing transaction has its turn from its beginning, and its statements have options of
  /// their own.
  bool is_attached = false;
  std::optional<CommitNote> note = std::nullopt;  ///< of an attached process
  bool if_free =
      false;  ///< of an attached process: busy at once, where the writer's turn is not free
  bool is_transaction = false;  ///< of an attached process that reads: no snapshot
  std::string caller = {};      ///< StatementOptions::caller
};

/// Threads: one at a time. A writing transaction has its turn by the thread that began it.
class Work {
 public:
  /// All arguments must outlive it. `attached` is null unless attached processes are served.
  Work(Database& database, const std::size_t& most_results, const Interruption& interruption,
       AttachedCalls* attached = nullptr)
      : database_(database),
        most_results_(most_results),
        interruption_(interruption),
        attached_(attached) {}
  ~Work() { end(); }

  /// A transaction of several statements. Until one of them writes it is a snapshot: it waits for nobody, nobody waits
  /// for it, and its rows are made when they are pulled. Errors: as of Database::snapshot().
  [[nodiscard]] Status begin(WorkOptions options);
  /// Whether one is open: a transaction that failed to commit or was overtaken is closed.
  [[nodiscard]] bool has_transaction() const noexcept {
    return transaction_.has_value() || snapshot_.has_value();
  }
  /// The options of the single statement that runs next.
  void prepare(WorkOptions options) { options_ = std::move(options); }
  /// Of the next statement, in place of the defaults.
  void limit(const StatementLimits& limits) { limits_ = limits; }

  /// Run a statement and open its result; gives the result's number.
  [[nodiscard]] std::variant<std::int64_t, Failure> run(const Statement& statement,
                                                        const Parameters& parameters);
  /// The same of an attached process, by its own options; `cancel` among them is looked after here. A note goes with the
  /// commit of a single statement.
  [[nodiscard]] Result<std::int64_t> run(const Statement& statement, const Parameters& parameters,
                                         AttachedRequest request);
  /// A call of the library, whose value is the one row of its result.
  [[nodiscard]] Result<std::int64_t> call(AttachedCalls& calls, std::string_view name,
                                          const Map& arguments, AttachedRequest request);
  /// An open result, -1: that of the last statement; null where there is none.
  [[nodiscard]] Cursor* find(std::int64_t result);
  void close(std::int64_t result);

  /// Drop all results and make the changes true. Errors: as of Transaction::commit(); nothing is open then either.
  [[nodiscard]] Status commit();
  /// Drop all that is open, and all changes that were not committed.
  void end() noexcept;
  /// Whether a transaction is open that has only read.
  [[nodiscard]] bool may_let_go() const noexcept {
    return snapshot_.has_value() || (transaction_.has_value() && options_.is_transaction);
  }
  /// End it, and remember that until the next one begins.
  void let_go() noexcept;
  [[nodiscard]] bool was_let_go() const noexcept { return was_let_go_; }

  /// The newest commit that was seen: by a statement of its own once it ran, by a transaction once it committed.
  [[nodiscard]] std::optional<std::uint64_t> commit_number() const noexcept { return commit_; }
  /// The commit that a transaction began with; 0 without a transaction.
  [[nodiscard]] std::uint64_t first_commit() const noexcept { return first_commit_; }
  [[nodiscard]] const WorkOptions& options() const noexcept { return options_; }

 private:
  /// Wait for the writer's turn. Errors: conflict, where the transaction has read and others have committed since.
  [[nodiscard]] Status start_writing();
  /// Errors: resource_limit, where the transaction has had its time.
  [[nodiscard]] Status check_time() const;
  [[nodiscard]] std::chrono::milliseconds time_left() const;
  [[nodiscard]] StatementOptions options_of_client() const;
  [[nodiscard]] Result<Rows> run_statement(const Statement& statement, const Parameters& parameters,
                                           const StatementOptions& options);
  /// The snapshot for this request: from now on one with softly deleted records, if the request asks for them.
  /// Errors: io_error, where no snapshot is open.
  [[nodiscard]] Result<const Snapshot*> snapshot_for(const AttachedRequest& request);
  [[nodiscard]] Result<Rows> run_noted(const Statement& statement, const Parameters& parameters,
                                       const StatementOptions& options, const CommitNote& note);
  [[nodiscard]] Status begin_noted(const CommitNote& note);
  [[nodiscard]] std::int64_t open(Rows rows, const StatementKind& kind);
  void note_newest_commit();

  Database& database_;
  const std::size_t& most_results_;
  const Interruption& interruption_;
  AttachedCalls* const attached_;
  std::optional<StatementLimits> limits_;
  WorkOptions options_;
  std::optional<CommitNote> noted_;         // the commit that an attached process is about to make
  std::optional<Transaction> transaction_;  // of these two at most one
  std::optional<Snapshot> snapshot_;
  std::optional<Snapshot> with_deleted_;                           // made where it is asked for
  std::optional<std::chrono::steady_clock::time_point> deadline_;  // of a transaction
  bool was_let_go_ = false;
  bool has_read_ = false;        // since its beginning
  bool waits_at_begin_ = false;  // the transaction before was overtaken
  std::map<std::int64_t, Cursor> cursors_;
  std::int64_t last_result_ = -1;
  std::optional<std::uint64_t> commit_;
  std::uint64_t first_commit_ = 0;
};

}  // namespace cairn::query::bolt
