#pragma once
// Link: the pool of connections of one database handle to the process that serves the database. Each open statement,
// snapshot and transaction uses one connection; idle ones are reused.

#include "engine/database/handles.hpp"
#include "query/attach/connection.hpp"
#include "query/bolt/attached.hpp"

#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query::attach {

/// The kinds of a Work. In a transaction, also in a reading one, a statement produces all rows when it runs. On a
/// snapshot, rows are produced when they are pulled.
enum class WorkKind : std::uint8_t { snapshot, reading, writing, writing_if_free };

/// Reaches the serving process and knows how requests to it look. HostLink and RemoteLink implement it. Threads: any.
class Link : public std::enable_shared_from_this<Link> {
 public:
  /// A borrowed connection, which returns to its link at the end unless it was lost.
  class Lease {
   public:
    Lease(std::shared_ptr<Link> link, std::unique_ptr<Connection> connection)
        : link_(std::move(link)), connection_(std::move(connection)) {}
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (connection_) link_->take_back(std::move(connection_));
    }
    Connection* operator->() const noexcept { return connection_.get(); }
    Connection& operator*() const noexcept { return *connection_; }
    [[nodiscard]] Link& link() const noexcept { return *link_; }

   private:
    std::shared_ptr<Link> link_;  // owners: the database and all leases
    std::unique_ptr<Connection> connection_;
  };

  Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  virtual ~Link() = default;

  /// Opens the first connection. Errors: those of connecting.
  [[nodiscard]] Status attach();
  /// An idle or new connection that is ready for a request. Errors: those of connecting; unsupported in a forked child.
  [[nodiscard]] Result<Lease> lease();
  /// Errors: unsupported in a forked child.
  [[nodiscard]] Status check_process() const;
  /// Closes all idle connections. A borrowed one is closed when it returns.
  void close();

  /// "process 12, which is the host of /data/db", for messages.
  [[nodiscard]] virtual std::string peer() const = 0;
  /// The error of a caller who lost something with the connection; `what` names it, such as "the snapshot".
  [[nodiscard]] virtual Error lost(const Connection& connection, std::string_view what) const = 0;
  /// The error of a caller whose COMMIT was sent and not answered.
  [[nodiscard]] virtual Error lost_commit(const Connection& connection) const = 0;
  /// True if nobody can find out whether such a commit was made.
  [[nodiscard]] virtual bool leaves_doubt() const noexcept = 0;
  /// How long a COMMIT waits for a peer that is stopped or silent.
  [[nodiscard]] virtual Patience commit_patience() const { return StatementOptions().timeout; }
  /// The metadata of RUN and BEGIN. `note` may be nullptr.
  [[nodiscard]] virtual Map extra_of_run(const StatementOptions& options,
                                         const bolt::CommitNote* note, bool sees_deleted) const = 0;
  [[nodiscard]] virtual Map extra_of_begin(WorkKind kind, const bolt::CommitNote* note,
                                           const StatementOptions& options) const = 0;
  /// True if BEGIN is sent with the first statement, which determines the namespace of the transaction.
  [[nodiscard]] virtual bool begins_late() const noexcept = 0;
  /// True if statements may read and write files of the serving process.
  [[nodiscard]] virtual bool may_use_files() const = 0;
  /// Why a statement whose options allow files got none, and what to do.
  [[nodiscard]] virtual std::string why_no_files() const = 0;
  /// Errors: unsupported for options that cannot be sent to this peer.
  [[nodiscard]] virtual Status check_statement(
      const engine::ForwardedStatement& statement) const = 0;
  /// Errors: unsupported if this peer does not run calls of the library.
  [[nodiscard]] virtual Status check_calls(std::string_view name) const = 0;

 private:
  [[nodiscard]] virtual Result<std::unique_ptr<Connection>> connect() = 0;
  /// Stores a connection that became idle; closes it if the pool is full or closed.
  void take_back(std::unique_ptr<Connection> connection);

  using Clock = std::chrono::steady_clock;
  struct Idle {
    std::unique_ptr<Connection> connection;
    Clock::time_point since;
  };
  /// True if the connection can be used without asking the system whether the peer has closed it.
  [[nodiscard]] bool is_fresh(const Idle& idle) const noexcept;

  const engine::Process process_;
  std::mutex idle_mutex_;  // guards the rest
  std::vector<Idle> idle_;
  bool is_closed_ = false;
};

}  // namespace cairn::query::attach
