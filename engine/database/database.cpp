// The public handle Database over Core.
// The handle is a pointer to the core, which snapshots and transactions share: closing the handle
// saves and stops the background work; files are closed when the last of them goes.

#include "engine/database/access.hpp"
#include "engine/database/handles.hpp"
#include "engine/database/background_expiry.hpp"

#include <cairn/backup.hpp>

namespace cairn {

Database::Database(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::Database(Database&&) noexcept = default;

// What was open here is closed first, as the destructor would.
Database& Database::operator=(Database&& other) noexcept {
  if (this == &other) return *this;
  static_cast<void>(close());
  impl_ = std::move(other.impl_);
  return *this;
}

Database::~Database() { static_cast<void>(close()); }

Result<Database> Database::open(const std::filesystem::path& path, const Options& options) {
  CAIRN_ASSIGN(auto core, engine::Core::open(path, options));
  return Database(std::make_shared<Impl>(std::move(core)));
}

Result<Snapshot> Database::snapshot() const {
  CAIRN_TRY(impl_->core->process().check());
  return Access::handle(std::make_shared<const Snapshot::Impl>(impl_->core));
}

Result<Transaction> Database::begin(TransactionMode mode) {
  auto impl = std::make_unique<Transaction::Impl>();
  CAIRN_TRY(impl_->core->process().check());
  if (mode == TransactionMode::read) {
    impl->snapshot = std::make_shared<const Snapshot::Impl>(impl_->core);
  } else {
    CAIRN_ASSIGN(impl->writer, engine::TransactionWriter::begin(impl_->core));
  }
  return Access::handle(std::move(impl));
}

Status Database::checkpoint() { return impl_->core->checkpoint(); }

Result<std::vector<Finding>> Database::check(std::size_t limit) const {
  CAIRN_TRY(impl_->core->process().check());
  return impl_->core->check(limit);
}

Result<DatabaseStatistics> Database::statistics() const {
  CAIRN_TRY(impl_->core->process().check());
  return impl_->core->statistics();
}

Result<std::size_t> Database::erase_expired(std::size_t limit) {
  CAIRN_TRY(impl_->core->process().check());
  CAIRN_ASSIGN(const auto writer, engine::TransactionWriter::begin(impl_->core));
  CAIRN_ASSIGN(const std::size_t erased,
               writer->erase_expired(engine::BackgroundExpiry::system_time(), limit));
  CAIRN_TRY(writer->commit());
  return erased;
}

Result<BackupReport> Database::backup(const std::filesystem::path& directory) {
  CAIRN_TRY(impl_->core->process().check());
  CAIRN_ASSIGN(const engine::FilePlace place, engine::FilePlace::of(directory));
  return impl_->core->backup(place);
}

const std::vector<std::string>& Database::warnings() const noexcept {
  return impl_->core->warnings();
}

Status Database::close() {
  if (impl_ == nullptr) return {};
  const auto impl = std::exchange(impl_, nullptr);
  return impl->core->close();
}

}  // namespace cairn
