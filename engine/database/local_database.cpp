// The implementation of Database for a database that this process has open. scrub.cpp has LocalDatabase::scrub().

#include "engine/database/access.hpp"
#include "engine/database/local_handles.hpp"
#include "engine/system/clock.hpp"

#include <utility>

namespace cairn {
namespace {

/// Begins a writing transaction if the writer lock is free. Errors: also busy, if it is not.
Result<std::unique_ptr<engine::TransactionWriter>> begin_if_free(
    const std::shared_ptr<engine::Core>& core) {
  if (core->options().mode == OpenMode::read_only) return engine::TransactionWriter::begin(core);
  if (auto writer = engine::TransactionWriter::begin_if_free(core)) return writer;
  return Error{ErrorCode::busy,
               "another transaction is writing; begin a transaction of TransactionMode::write to "
               "wait for it",
               {}};
}

}  // namespace

Result<Snapshot> LocalDatabase::snapshot() {
  CAIRN_TRY(core_->process().check());
  return Access::handle(std::make_shared<const LocalSnapshot>(core_));
}

Result<Transaction> LocalDatabase::begin(TransactionMode mode, const std::stop_token& cancel) {
  CAIRN_TRY(core_->process().check());
  if (mode == TransactionMode::read)
    return Access::handle(
        std::make_unique<LocalTransaction>(std::make_shared<const LocalSnapshot>(core_)));
  CAIRN_ASSIGN(auto writer, mode == TransactionMode::write
                                ? engine::TransactionWriter::begin(core_, cancel)
                                : begin_if_free(core_));
  return Access::handle(std::make_unique<LocalTransaction>(std::move(writer)));
}

Result<std::vector<Finding>> LocalDatabase::check(std::size_t limit) {
  CAIRN_TRY(core_->process().check());
  return core_->check(limit);
}

Result<DatabaseStatistics> LocalDatabase::statistics() {
  CAIRN_TRY(core_->process().check());
  return core_->statistics();
}

Result<std::size_t> LocalDatabase::erase_expired(std::size_t limit) {
  CAIRN_TRY(core_->process().check());
  CAIRN_ASSIGN(const auto writer, engine::TransactionWriter::begin(core_));
  CAIRN_ASSIGN(const engine::ErasedRecords erased,
               writer->erase_expired(engine::system_time(), limit));
  CAIRN_TRY(writer->commit());
  return erased.total();
}

Result<BackupReport> LocalDatabase::backup(const std::filesystem::path& directory,
                                           const std::stop_token& cancel) {
  CAIRN_TRY(core_->process().check());
  CAIRN_ASSIGN(const engine::FilePlace place, engine::FilePlace::of(directory));
  return core_->backup(place, cancel);
}

Result<DatabaseRole> LocalDatabase::role() {
  CAIRN_TRY(core_->process().check());
  DatabaseRole role{true, ::getpid(), {}};
  const std::lock_guard lock(hosting_mutex_);
  if (hosting_) role.attached = hosting_->attached();
  return role;
}

void LocalDatabase::serve_by(std::unique_ptr<engine::Hosting> hosting) {
  const std::lock_guard lock(hosting_mutex_);
  hosting_ = std::move(hosting);
}

// Stops serving attached processes first, as their statements read the store. If processes are attached, one of them
// becomes the next host, and waits for the lock file. So the checkpoint, which may take long, is left to the next host.
Status LocalDatabase::close() {
  std::unique_ptr<engine::Hosting> hosting;
  {
    const std::lock_guard lock(hosting_mutex_);
    hosting = std::move(hosting_);
  }
  if (!hosting) return core_->close();
  const bool has_successor = !hosting->attached().empty();
  hosting->close();
  if (!has_successor) return core_->close();
  core_->close_for_successor();
  return {};
}

}  // namespace cairn
