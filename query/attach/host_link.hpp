#pragma once
// HostLink: the link of an attached process to its host, by the socket in the directory of the database.

#include "query/attach/link.hpp"

#include <filesystem>

namespace cairn::query::attach {

/// The error of a caller whose transaction, snapshot or rows went with the host.
[[nodiscard]] Error lost_error(std::int64_t host);

/// Threads: any.
class HostLink final : public Link {
 public:
  /// `directory` is absolute.
  HostLink(std::filesystem::path directory, const Options& options);

  /// A connection that no lease has. Errors: as of Connection::open(); busy for a host of this process; conflict, where the
  /// directory has another database by now.
  [[nodiscard]] Result<std::unique_ptr<Connection>> connect() override;
  [[nodiscard]] std::int64_t host() const;
  [[nodiscard]] const std::string& database_id() const noexcept { return database_id_; }
  [[nodiscard]] const std::filesystem::path& directory() const noexcept { return directory_; }

  std::string peer() const override;
  Error lost(const Connection& connection) const override { return lost_error(connection.host()); }
  Error lost_commit(const Connection& connection) const override { return lost(connection); }
  bool leaves_doubt() const noexcept override { return false; }
  Map extra_of_run(const StatementOptions& options, const bolt::CommitNote* note,
                   bool sees_deleted) const override;
  Map extra_of_begin(WorkKind kind, const bolt::CommitNote* note,
                     const StatementOptions& options) const override;
  bool begins_late() const noexcept override { return false; }
  /// Whether the host reads and writes files of statements beneath the directory that this process chose as well.
  bool may_use_files() const override;
  Status check_statement(const engine::ForwardedStatement& /*statement*/) const override {
    return {};
  }
  Status check_calls(std::string_view /*name*/) const override { return {}; }

 private:
  [[nodiscard]] Status check_greeting(const Connection& connection);

  const std::filesystem::path directory_;
  const std::filesystem::path file_root_;
  const bolt::TrustedHost trusted_;
  std::string database_id_;   // of the first host; empty before
  mutable std::mutex mutex_;  // guards the rest
  std::int64_t host_ = 0;
  bool may_use_files_ = false;
};

}  // namespace cairn::query::attach
