#pragma once
// HostLink: the link of an attached process to its host, through the socket in the directory of the database.

#include "query/attach/link.hpp"

#include <filesystem>

namespace cairn::query::attach {

/// Threads: any.
class HostLink : public Link {
 public:
  /// `directory` must be absolute.
  HostLink(std::filesystem::path directory, const Options& options);

  /// A new connection that does not belong to the pool. Errors: those of Connection::open(); busy if this process is
  /// itself the host; conflict if the directory contains another database than before.
  [[nodiscard]] Result<std::unique_ptr<Connection>> connect() override;
  /// The process id of the host of the last connection.
  [[nodiscard]] std::int64_t host() const;
  /// The process id of this process as the host sees it, which differs from getpid() in another container.
  [[nodiscard]] std::int64_t client() const;
  /// Identifies the database; empty before the first connection.
  [[nodiscard]] const std::string& database_id() const noexcept { return database_id_; }
  [[nodiscard]] const std::filesystem::path& directory() const noexcept { return directory_; }

  std::string peer() const override;
  Error lost(const Connection& connection, std::string_view what) const override;
  Error lost_commit(const Connection& connection) const override {
    return lost(connection, "the transaction");
  }
  /// The error of a call that was given up, because `hosts` hosts ended while they ran it.
  [[nodiscard]] Error given_up(int hosts) const;
  /// No doubt remains: the note of the commit shows its outcome.
  bool leaves_doubt() const noexcept override { return false; }
  Map extra_of_run(const StatementOptions& options, const bolt::CommitNote* note,
                   bool sees_deleted) const override;
  Map extra_of_begin(WorkKind kind, const bolt::CommitNote* note,
                     const StatementOptions& options) const override;
  bool begins_late() const noexcept override { return false; }
  /// True if the host reads and writes files of statements below the same directory that this process has chosen
  /// (Options::file_root).
  bool may_use_files() const override;
  std::string why_no_files() const override;
  /// True if the host belongs to another user.
  [[nodiscard]] bool is_guest() const;
  Status check_statement(const engine::ForwardedStatement& /*statement*/) const override {
    return {};
  }
  Status check_calls(std::string_view /*name*/) const override { return {}; }

 private:
  /// Checks that the host serves the same database as before, and stores its answers.
  [[nodiscard]] Status check_greeting(const Connection& connection);

  const std::filesystem::path directory_;
  const std::filesystem::path file_root_;
  const bolt::TrustedHost trusted_;
  std::string database_id_;   // set by the first connection
  mutable std::mutex mutex_;  // guards the following members
  std::int64_t host_ = 0;
  std::int64_t client_ = 0;
  bool may_use_files_ = false;
  bool is_guest_ = false;  // the host belongs to another user
};

}  // namespace cairn::query::attach
