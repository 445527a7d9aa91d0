#pragma once
// JoinedDatabase: a database as a running statement sees it, for calls of public headers that the statement makes.

#include "engine/database/core.hpp"
#include "engine/database/handles.hpp"
#include "engine/database/transaction_writer.hpp"
#include "engine/graph/graph_view.hpp"

#include <memory>

namespace cairn {

/// Snapshots are the statement's view at that moment, and writing transactions parts of its transaction: the commit of a
/// part keeps its changes for the whole. What is not of records and indexes is `unsupported`.
/// Threads: that of the statement.
class JoinedDatabase final : public Database::Impl {
 public:
  /// `outer` is null where the statement reads. All must outlive the database and its handles.
  JoinedDatabase(engine::Core& core, const engine::GraphView& view,
                 engine::TransactionWriter* outer)
      : core_(std::shared_ptr<void>(), &core), view_(&view), outer_(outer) {}

  Result<Snapshot> snapshot() override;
  Result<Transaction> begin(TransactionMode mode) override;
  Status checkpoint() override;
  Result<std::vector<Finding>> check(std::size_t limit) override;
  Result<DatabaseStatistics> statistics() override;
  Result<std::size_t> erase_expired(std::size_t limit) override;
  Result<BackupReport> backup(const std::filesystem::path& directory,
                              const std::stop_token& cancel) override;
  Result<ScrubReceipt> scrub(const ScrubOptions& options, const std::stop_token& cancel) override;
  Result<DatabaseRole> role() override;
  Metrics metrics() override { return core_->metrics(); }
  const std::vector<std::string>& warnings() const noexcept override { return core_->warnings(); }
  Status close() override { return {}; }

  std::shared_ptr<engine::Core> core() const override { return core_; }

 private:
  std::shared_ptr<engine::Core> core_;  // owns nothing
  const engine::GraphView* view_;
  engine::TransactionWriter* outer_;
};

}  // namespace cairn
