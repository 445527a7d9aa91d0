#pragma once
// RemoteLink: the link of a database handle to a server on the network, where the client logs on with a token.

#include "query/attach/link.hpp"
#include "query/remote/remote_address.hpp"

#include <cairn/remote.hpp>

#include <memory>
#include <string>

namespace cairn::query::remote {

/// Threads: any.
class RemoteLink final : public attach::Link {
 public:
  RemoteLink(RemoteAddress address, RemoteOptions options)
      : address_(std::move(address)), options_(std::move(options)) {}

  std::string peer() const override { return address_.text(); }
  Error lost(const attach::Connection& connection, std::string_view what) const override;
  Error lost_commit(const attach::Connection& connection) const override;
  /// A lost COMMIT cannot be looked up: the server stores no notes for remote clients.
  bool leaves_doubt() const noexcept override { return true; }
  Map extra_of_run(const StatementOptions& options, const bolt::CommitNote* note,
                   bool sees_deleted) const override;
  Map extra_of_begin(attach::WorkKind kind, const bolt::CommitNote* note,
                     const StatementOptions& options) const override;
  /// Bolt sends the namespace of a transaction with BEGIN, so BEGIN waits for the first statement.
  bool begins_late() const noexcept override { return true; }
  bool may_use_files() const override { return false; }
  std::string why_no_files() const override {
    return peer() + " uses no files for its clients; open the directory on the machine that has it";
  }
  Status check_statement(const engine::ForwardedStatement& statement) const override;
  Status check_calls(std::string_view name) const override;

 private:
  /// Errors: as of open_remote().
  Result<std::unique_ptr<attach::Connection>> connect() override;

  const RemoteAddress address_;
  const RemoteOptions options_;
};

}  // namespace cairn::query::remote
