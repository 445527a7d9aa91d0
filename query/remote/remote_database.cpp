// RemoteDatabase: a handle to a database that a server on the network has open.
//
// It reuses the rows, snapshots and transactions of attached processes (query/attach) over a RemoteLink. Only statements
// and transactions reach the server: a call of the library beyond them (backup, check, ...) is refused, because Bolt
// cannot carry it.

#include "engine/database/access.hpp"
#include "engine/database/handles.hpp"
#include "query/attach/attached_database.hpp"
#include "query/attach/attached_handles.hpp"
#include "query/attach/attached_rows.hpp"
#include "query/attach/client_names.hpp"
#include "query/attach/work.hpp"
#include "query/remote/remote_address.hpp"
#include "query/remote/remote_link.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cairn {
namespace query::remote {
namespace {

/// Threads: any.
class RemoteDatabase final : public Database::Impl, public engine::Forwarding {
 public:
  explicit RemoteDatabase(std::shared_ptr<RemoteLink> link) : link_(std::move(link)) {}

  Result<Snapshot> snapshot() override;
  Result<Transaction> begin(TransactionMode mode, const std::stop_token& cancel) override;
  Result<std::unique_ptr<Rows::Impl>> run(const engine::ForwardedStatement& statement) override;
  Status close() override;
  engine::Forwarding* forwarding() noexcept override { return this; }

  // The calls below are refused with `unsupported`.
  Result<Value> call(std::string_view name, Map arguments,
                     const StatementOptions& options) override;
  Status checkpoint() override { return refused("checkpoint"); }
  Result<std::vector<Finding>> check(std::size_t limit) override;
  Result<DatabaseStatistics> statistics() override { return refused("statistics"); }
  Result<std::size_t> erase_expired(std::size_t limit) override;
  Result<ScrubReceipt> scrub(const ScrubOptions& options, const std::stop_token& cancel) override;
  Result<BackupReport> backup(const std::filesystem::path& directory,
                              const std::stop_token& cancel) override;
  Result<DatabaseRole> role() override { return refused("role"); }
  Metrics metrics() override { return {}; }
  const std::vector<std::string>& warnings() const noexcept override { return warnings_; }

 private:
  /// The error of a call that the server cannot run.
  [[nodiscard]] Error refused(std::string_view call) const;
  /// Begins a snapshot or transaction on a connection of its own.
  [[nodiscard]] Result<std::shared_ptr<attach::Work>> begin_work(attach::WorkKind kind);

  const std::shared_ptr<RemoteLink> link_;  // owners: this object and the leases
  const std::vector<std::string> warnings_;
};

using attach::WorkKind;

WorkKind kind_of(TransactionMode mode) {
  return mode == TransactionMode::read ? WorkKind::reading : WorkKind::writing;
}

/// Extends the error of a writing statement whose answer was lost: the server may or may not have committed it.
Error with_doubt(Error error) {
  error.message += "; the statement may or may not have been executed: check before you repeat it";
  return error;
}

// The transaction begins with its first statement (Link::begins_late()), so this call sends nothing but the logon.
Result<std::shared_ptr<attach::Work>> RemoteDatabase::begin_work(WorkKind kind) {
  CAIRN_ASSIGN(auto lease, link_->lease());
  auto work = std::make_shared<attach::Work>(std::move(lease));
  CAIRN_TRY(work->begin(kind, nullptr));
  return work;
}

Result<Snapshot> RemoteDatabase::snapshot() {
  CAIRN_ASSIGN(auto work, begin_work(WorkKind::snapshot));
  return Access::handle(std::make_shared<const attach::AttachedSnapshot>(std::move(work)));
}

// By Bolt the first writing statement takes the writer lock, so begin() cannot report whether the lock is free.
Result<Transaction> RemoteDatabase::begin(TransactionMode mode, const std::stop_token&) {
  if (mode == TransactionMode::write_if_free) return refused("begin(write_if_free)");
  CAIRN_ASSIGN(auto work, begin_work(kind_of(mode)));
  return Access::handle(
      std::make_unique<attach::AttachedTransaction>(std::move(work), mode, nullptr, nullptr));
}

// A lost reading statement is simply an error: the caller may run it again.
Result<std::unique_ptr<Rows::Impl>> RemoteDatabase::run(
    const engine::ForwardedStatement& statement) {
  if (statement.calls_program) return attach::refused_functions(*link_);
  CAIRN_ASSIGN(auto lease, link_->lease());
  const auto work = std::make_shared<attach::Work>(std::move(lease));
  auto rows = attach::AttachedRows::run(work, statement, statement.is_writing);
  if (rows) return std::unique_ptr<Rows::Impl>(*std::move(rows));
  const bool is_in_doubt = statement.is_writing && work->is_lost();
  return is_in_doubt ? with_doubt(std::move(rows).error()) : std::move(rows).error();
}

Status RemoteDatabase::close() {
  link_->close();
  return {};
}

Error RemoteDatabase::refused(std::string_view call) const {
  // check_calls() always fails for a remote link.
  return link_->check_calls(call).error();
}

Result<Value> RemoteDatabase::call(std::string_view name, Map /*arguments*/,
                                   const StatementOptions& /*options*/) {
  return refused(name);
}

Result<std::vector<Finding>> RemoteDatabase::check(std::size_t /*limit*/) {
  return refused("check");
}

Result<std::size_t> RemoteDatabase::erase_expired(std::size_t /*limit*/) {
  return refused("erase_expired");
}

Result<ScrubReceipt> RemoteDatabase::scrub(const ScrubOptions& /*options*/,
                                           const std::stop_token& /*cancel*/) {
  return refused("scrub");
}

Result<BackupReport> RemoteDatabase::backup(const std::filesystem::path& /*directory*/,
                                            const std::stop_token& /*cancel*/) {
  return refused("backup");
}

}  // namespace
}  // namespace query::remote

// Connects at once, so that a wrong address or token is reported here.
Result<Database> open_remote(std::string_view address, const RemoteOptions& options) {
  CAIRN_ASSIGN(auto parsed, query::remote::RemoteAddress::parse(address));
  if (!options.authorities.empty() && parsed.security != query::remote::Security::verified)
    return Error{ErrorCode::invalid_argument,
                 parsed.text() + " verifies no certificate, so that " +
                     options.authorities.string() + " has no effect; connect with bolt+s://",
                 {}};
  const auto link = std::make_shared<query::remote::RemoteLink>(std::move(parsed), options);
  CAIRN_TRY(link->attach());
  return Access::handle(std::make_shared<query::remote::RemoteDatabase>(link));
}

}  // namespace cairn
