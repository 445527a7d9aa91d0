#pragma once
// Link: the connections of one attached database to its host. Each open statement, snapshot and transaction has one of its
// own; those that nobody uses are kept for the next.

#include "query/attach/connection.hpp"

#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace cairn::query::attach {

/// Threads: any.
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

  /// `directory` is absolute.
  Link(std::filesystem::path directory, const Options& options);

  /// Connect for the first time. Errors: as of Connection::open(); busy for a host of this process.
  [[nodiscard]] Status attach();
  /// A connection that is fit for a request. Errors: as of Connection::open(); unsupported in a child that was forked;
  /// conflict, where the directory has another database by now.
  [[nodiscard]] Result<Lease> lease();

  [[nodiscard]] Status check_process() const;
  [[nodiscard]] std::int64_t host() const;
  [[nodiscard]] const std::string& database_id() const noexcept { return database_id_; }
  [[nodiscard]] const std::filesystem::path& directory() const noexcept { return directory_; }
  /// Whether the host reads and writes files of statements beneath the directory that this process chose as well.
  [[nodiscard]] bool may_use_files() const;
  /// End all connections that nobody uses; those that come back end as well.
  void close();

 private:
  [[nodiscard]] Result<std::unique_ptr<Connection>> connect();
  void take_back(std::unique_ptr<Connection> connection);
  [[nodiscard]] Status check_greeting(const Connection& connection);

  const engine::Process process_;
  const std::filesystem::path directory_;
  const std::filesystem::path file_root_;
  std::string database_id_;   // of the first host; empty before
  mutable std::mutex mutex_;  // guards the rest
  std::vector<std::unique_ptr<Connection>> idle_;
  std::int64_t host_ = 0;
  bool may_use_files_ = false;
  bool is_closed_ = false;
};

}  // namespace cairn::query::attach
