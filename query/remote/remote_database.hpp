#pragma once
// RemoteDatabase: a database beyond the network, of which statements and transactions are asked by Bolt.

#include "engine/database/handles.hpp"
#include "query/attach/work.hpp"
#include "query/remote/remote_link.hpp"

#include <memory>
#include <string>
#include <vector>

namespace cairn::query::remote {

/// Threads: any.
class RemoteDatabase final : public Database::Impl, public engine::Forwarding {
 public:
  explicit RemoteDatabase(std::shared_ptr<RemoteLink> link) : link_(std::move(link)) {}

  Result<Snapshot> snapshot() override;
  Result<Transaction> begin(TransactionMode mode) override;
  Result<std::unique_ptr<Rows::Impl>> run(const engine::ForwardedStatement& statement) override;
  Status close() override;
  engine::Forwarding* forwarding() noexcept override { return this; }

  // Calls, of which there are none.
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
  [[nodiscard]] Error refused(std::string_view call) const;
  [[nodiscard]] Result<std::shared_ptr<attach::Work>> begin_work(attach::WorkKind kind);

  const std::shared_ptr<RemoteLink> link_;  // owners: this and leases
  const std::vector<std::string> warnings_;
};

}  // namespace cairn::query::remote
