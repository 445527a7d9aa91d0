#pragma once
// Link: the connections of one database handle to the process that has the database. Each open statement, snapshot and
// transaction has one of its own; unused ones are reused.

#include "engine/database/handles.hpp"
#include "query/attach/connection.hpp"
#include "query/bolt/attached.hpp"

#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace cairn::query::attach {

/// What a work is begun as. A reading transaction has its rows made at once, as a writing one.
enum class WorkKind : std::uint8_t { snapshot, reading, writing, writing_if_free };

/// How to reach the process, and what requests say to it. Threads: any.
class Link : public std::enable_shared_from_this<Link> {
 public:
  /// A connection that goes back to its link at the end, unless it was lost.
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

  /// Connect for the first time. Errors: as of connecting.
  [[nodiscard]] Status attach();
  /// A connection that is fit for a request. Errors: as of connecting; unsupported in a child that was forked.
  [[nodiscard]] Result<Lease> lease();
  [[nodiscard]] Status check_process() const;
  /// End all connections that nobody uses; those that come back end as well.
  void close();

  /// "process 12, which is the host of /data/db", for messages.
  [[nodiscard]] virtual std::string peer() const = 0;
  /// The error of a caller whose transaction, snapshot or rows went with the other end.
  [[nodiscard]] virtual Error lost(const Connection& connection) const = 0;
  /// Likewise whose COMMIT was sent and not answered.
  [[nodiscard]] virtual Error lost_commit(const Connection& connection) const = 0;
  /// Whether nobody can find out what became of such a commit.
  [[nodiscard]] virtual bool leaves_doubt() const noexcept = 0;
  /// The entries that RUN and BEGIN carry. Null: no note.
  [[nodiscard]] virtual Map extra_of_run(const StatementOptions& options,
                                         const bolt::CommitNote* note, bool sees_deleted) const = 0;
  [[nodiscard]] virtual Map extra_of_begin(WorkKind kind, const bolt::CommitNote* note,
                                           const StatementOptions& options) const = 0;
  /// Whether BEGIN waits for the first statement, which says of which namespace the transaction is.
  [[nodiscard]] virtual bool begins_late() const noexcept = 0;
  /// Whether statements may read and write files there.
  [[nodiscard]] virtual bool may_use_files() const = 0;
  /// Errors: unsupported for what cannot be said of a statement there.
  [[nodiscard]] virtual Status check_statement(
      const engine::ForwardedStatement& statement) const = 0;
  /// Errors: unsupported, where calls of the library cannot be made there.
  [[nodiscard]] virtual Status check_calls(std::string_view name) const = 0;

 private:
  [[nodiscard]] virtual Result<std::unique_ptr<Connection>> connect() = 0;
  void take_back(std::unique_ptr<Connection> connection);

  const engine::Process process_;
  std::mutex idle_mutex_;  // guards the rest
  std::vector<std::unique_ptr<Connection>> idle_;
  bool is_closed_ = false;
};

}  // namespace cairn::query::attach
