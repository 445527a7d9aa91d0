#pragma once
// Work: the work that one connection does in the serving process: a single statement, or a transaction or snapshot with
// all its statements.

#include "engine/database/handles.hpp"
#include "query/attach/link.hpp"
#include "query/bolt/attached.hpp"

#include <cairn/options.hpp>
#include <cairn/transaction.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query::attach {

using bolt::CommitNote;

/// Threads: any, but exchanges are serialised by a mutex.
class Work {
 public:
  /// Rows of a result that were pulled together.
  struct Portion {
    std::vector<List> rows;
    bool has_more = false;         ///< more rows can be pulled
    bolt::RowsResults results;     ///< complete if there are no more rows
    std::optional<Error> failure;  ///< an error after the rows
    std::size_t bytes = 0;         ///< approximate size of the rows
  };
  /// The result of a statement that has begun.
  struct Started {
    std::vector<std::string> columns;
    std::int64_t number = 0;  ///< identifies the result within a transaction
    Portion first;
  };

  /// A single statement; begin() makes the object a transaction or snapshot.
  explicit Work(Link::Lease lease) : lease_(std::move(lease)) {}
  /// Begins a transaction or snapshot. Errors: those of Database::begin(); those of a lost connection.
  [[nodiscard]] Status begin(WorkKind kind, const CommitNote* note);
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  ~Work();  ///< rolls back

  /// Runs a statement and pulls its first rows; -1 pulls all. Errors: those of the statement before its first row; those
  /// of Link::lost() if the peer is lost.
  [[nodiscard]] Result<Started> run(const engine::ForwardedStatement& statement, std::int64_t rows,
                                    const CommitNote* note);
  /// Pulls the next rows of a result. An error is in Portion::failure.
  [[nodiscard]] Portion pull(std::int64_t number, std::int64_t rows,
                             const StatementOptions& options);
  /// Tells the peer that the rest of a result is not needed.
  void discard(std::int64_t number) noexcept;
  /// Runs a call of the library in the host. Errors: unsupported for a server on the network.
  [[nodiscard]] Result<Value> call(std::string_view name, Map arguments,
                                   const StatementOptions& options, bool sees_deleted = false);
  /// Errors: those of the commit; busy, in doubt, if the host is stopped and has the COMMIT; those of Link::lost_commit().
  [[nodiscard]] Status commit();
  /// Says that the outcome of the commit could not be found out.
  void leave_in_doubt() noexcept {
    is_in_doubt_ = true;
    is_open_ = false;  // a later call must not say that nothing was written
  }
  /// Rolls the transaction back, if one is open. Errors are ignored: a lost connection rolls back as well.
  void roll_back() noexcept;

  [[nodiscard]] bool is_open() const noexcept { return is_open_.load(); }
  /// True if the connection was lost, and the transaction with it.
  [[nodiscard]] bool is_lost() const noexcept { return is_lost_.load(); }
  /// The error with which the host ended the transaction or snapshot: conflict if it was idle for too long
  /// (Options::writer_idle_limit), cancelled if it was terminated. nullptr if the host did not end it.
  [[nodiscard]] const Error* ended_by() const noexcept {
    return was_ended_.load() ? &*ended_by_ : nullptr;
  }
  /// True if the COMMIT was sent and not answered, and nobody can find out now whether the commit was made.
  [[nodiscard]] bool is_in_doubt() const noexcept { return is_in_doubt_.load(); }
  /// The commit of a snapshot, or the last commit before a transaction began.
  [[nodiscard]] std::uint64_t commit_number() const noexcept { return commit_; }
  [[nodiscard]] Link& link() const noexcept { return lease_.link(); }

 private:
  /// Sends BEGIN.
  [[nodiscard]] Result<Map> ask_begin(const Map& extra, Patience patience);
  /// Sends the delayed BEGIN with the namespace of the first statement, for links that begin late.
  /// Errors: unsupported for a statement in another namespace. Precondition: the caller is within exchange().
  [[nodiscard]] Status begin_for(const StatementOptions& options, Patience patience);
  /// Runs one exchange of messages under the mutex. `options.cancel` interrupts it.
  template <class T>
  [[nodiscard]] Result<T> exchange(const StatementOptions& options,
                                   const std::function<Result<T>(Patience)>& talk);
  /// Errors: the connection is lost, the host ended the transaction, or this is a forked child.
  [[nodiscard]] Status check_usable() const;
  /// Errors: `cancelled` if the caller has cancelled already; those of check_usable().
  [[nodiscard]] Status check_startable(const StatementOptions& options) const;
  /// Keeps the error that ended the transaction, for all later calls.
  void note_end(const Error& error);
  /// The error of a caller whose connection was lost.
  [[nodiscard]] Error lost() const;
  /// The error that the caller gets for an error of an exchange.
  [[nodiscard]] Error error_of_exchange(Error error);
  /// Adds to the error of a statement that needs files why the link gives none, if the caller allowed files.
  [[nodiscard]] Error with_reason(Error error, const StatementOptions& options) const;
  /// Makes a portion `cancelled` if an interruption ended its result.
  void note_interruption(Portion& portion, std::int64_t number);
  /// Sends RUN and PULL and receives the columns and the first rows.
  [[nodiscard]] Result<Started> run_now(std::string_view text, const Value& parameters, Map extra,
                                        std::int64_t rows, Patience patience);
  [[nodiscard]] Result<Portion> receive_portion(Patience patience);

  std::mutex mutex_;  // guards the connection
  Link::Lease lease_;
  std::optional<WorkKind> waiting_;  // set until the delayed BEGIN is sent
  std::string name_space_;           // of a transaction that began late
  bool is_transaction_ = false;
  bool is_snapshot_ = false;
  bool only_reads_ = false;
  bool was_interrupted_ = false;  // true if the last exchange was interrupted by the caller
  std::atomic<bool> is_open_ = true;
  std::atomic<bool> is_lost_ = false;
  std::atomic<bool> is_in_doubt_ = false;
  std::optional<Error> ended_by_;  // set once, before was_ended_
  std::atomic<bool> was_ended_ = false;
  std::uint64_t commit_ = 0;
};

}  // namespace cairn::query::attach
