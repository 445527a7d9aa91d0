#pragma once
// Work: what an attached process has open in its host by one connection: a single statement, or a transaction
// or snapshot with all its statements.

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

/// Threads: any; one at a time is served.
class Work {
 public:
  /// Rows of a result that were pulled.
  struct Portion {
    std::vector<List> rows;
    bool has_more = false;
    bolt::RowsResults results;     ///< complete where there is no more
    std::optional<Error> failure;  ///< behind the rows
    std::size_t bytes = 0;         ///< of the rows, about
  };
  struct Started {
    std::vector<std::string> columns;
    std::int64_t number = 0;
    Portion first;
  };

  /// Runs a single statement, until begin().
  explicit Work(Link::Lease lease) : lease_(std::move(lease)) {}
  /// Make it a transaction or a snapshot. Errors: as of Database::begin(); those of a lost connection.
  [[nodiscard]] Status begin(WorkKind kind, const CommitNote* note);
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  ~Work();  ///< rolls back

  /// Run a statement and take its first rows, -1: all. Errors: as of the statement, before its first row; of a lost host
  /// as Link::lost().
  [[nodiscard]] Result<Started> run(const engine::ForwardedStatement& statement, std::int64_t rows,
                                    const CommitNote* note);
  [[nodiscard]] Portion pull(std::int64_t number, std::int64_t rows,
                             const StatementOptions& options);
  /// Give up what is left of a result.
  void discard(std::int64_t number) noexcept;
  [[nodiscard]] Result<Value> call(std::string_view name, Map arguments,
                                   const StatementOptions& options, bool sees_deleted = false);
  [[nodiscard]] Status commit();
  void roll_back() noexcept;

  [[nodiscard]] bool is_open() const noexcept { return is_open_.load(); }
  /// Whether the connection was lost with the transaction in it.
  [[nodiscard]] bool is_lost() const noexcept { return is_lost_.load(); }
  /// Whether the host has let go of it, as it only read and was not used for long.
  [[nodiscard]] bool was_let_go() const noexcept { return was_let_go_.load(); }
  /// Whether its COMMIT was sent and lost, and nobody can find out what became of it.
  [[nodiscard]] bool is_in_doubt() const noexcept { return is_in_doubt_.load(); }
  /// The commit of a snapshot, or the one at which a transaction began.
  [[nodiscard]] std::uint64_t commit_number() const noexcept { return commit_; }
  [[nodiscard]] Link& link() const noexcept { return lease_.link(); }

 private:
  [[nodiscard]] Result<Map> ask_begin(const Map& extra, Patience patience);
  /// Begin the transaction of the statement's namespace, where that was left to its first statement.
  /// Errors: unsupported for a statement of another namespace. Precondition: within an exchange.
  [[nodiscard]] Status begin_for(const StatementOptions& options, Patience patience);
  /// One exchange of messages, which `options.cancel` ends early.
  template <class T>
  [[nodiscard]] Result<T> exchange(const StatementOptions& options,
                                   const std::function<Result<T>(Patience)>& talk);
  [[nodiscard]] Status check_usable() const;
  /// Whether a statement or call may be sent. Errors: cancelled; as of check_usable().
  [[nodiscard]] Status check_startable(const StatementOptions& options) const;
  [[nodiscard]] Error told(Error error);
  void note_interruption(Portion& portion) const;
  [[nodiscard]] Result<Started> run_now(std::string_view text, const Value& parameters,
                                        const Map& extra, std::int64_t rows, Patience patience);
  [[nodiscard]] Result<Portion> receive_portion(Patience patience);

  std::mutex mutex_;  // guards the connection
  Link::Lease lease_;
  std::optional<WorkKind> waiting_;  // for the first statement to begin
  std::string name_space_;           // of a transaction that waited
  bool is_transaction_ = false;
  bool only_reads_ = false;
  bool was_interrupted_ = false;  // the last exchange, by the caller
  std::atomic<bool> is_open_ = true;
  std::atomic<bool> is_lost_ = false;
  std::atomic<bool> is_in_doubt_ = false;
  std::atomic<bool> was_let_go_ = false;
  std::uint64_t commit_ = 0;
};

}  // namespace cairn::query::attach
