// The public handle Database. It points to an implementation, which snapshots and transactions share. Closing the handle
// makes a checkpoint and stops the background work. Files are closed when the last snapshot and transaction is destroyed.

#include "engine/database/access.hpp"
#include "engine/database/handles.hpp"

namespace cairn {

DatabaseReference::DatabaseReference(const Database& database)
    : impl_(Access::implementation(database)) {}

Result<std::shared_ptr<Database>> DatabaseReference::lock() const {
  if (auto open = impl_.lock()) return Access::share(std::move(open));
  return Error{ErrorCode::conflict, "the database was closed; open it again", {}};
}

Database::Database(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::Database(Database&&) noexcept = default;

// Closes the database of this handle first, like the destructor.
Database& Database::operator=(Database&& other) noexcept {
  if (this == &other) return *this;
  static_cast<void>(close());
  impl_ = std::move(other.impl_);
  return *this;
}

Database::~Database() { static_cast<void>(close()); }

Result<Snapshot> Database::snapshot() const { return impl_->snapshot(); }
Result<Transaction> Database::begin(TransactionMode mode) { return impl_->begin(mode, {}); }

// Repeats the work only if the host process was lost, and not after other errors. Work that sees so many hosts end may
// itself be what ends them.
constexpr int most_hosts = 8;

Status Database::write(const std::function<Status(Transaction&)>& work) {
  for (int hosts = 1;; ++hosts) {
    CAIRN_ASSIGN(Transaction transaction, begin());
    Status done = work(transaction);
    if (done) done = transaction.commit();
    if (done || !Access::is_lost(transaction) || hosts == most_hosts) return done;
  }
}

Status Database::read(const std::function<Status(const Snapshot&)>& work) const {
  for (int hosts = 1;; ++hosts) {
    CAIRN_ASSIGN(const Snapshot view, snapshot());
    Status done = work(view);
    if (done || !Access::is_lost(view) || hosts == most_hosts) return done;
  }
}

Status Database::checkpoint() { return impl_->checkpoint(); }
Result<std::vector<Finding>> Database::check(std::size_t limit) const {
  return impl_->check(limit);
}
Result<DatabaseStatistics> Database::statistics() const { return impl_->statistics(); }
Result<std::size_t> Database::erase_expired(std::size_t limit) {
  return impl_->erase_expired(limit);
}
Result<BackupReport> Database::backup(const std::filesystem::path& directory,
                                      const std::stop_token& cancel) {
  return impl_->backup(directory, cancel);
}
Result<ScrubReceipt> Database::scrub(const ScrubOptions& options, const std::stop_token& cancel) {
  return impl_->scrub(options, cancel);
}
Result<ScrubReceipt> Database::scrub() { return scrub({}); }
Result<DatabaseRole> Database::role() const { return impl_->role(); }
Metrics Database::metrics() const { return impl_->metrics(); }
const std::vector<std::string>& Database::warnings() const noexcept { return impl_->warnings(); }

Status Database::close() {
  if (impl_ == nullptr) return {};
  const auto impl = std::exchange(impl_, nullptr);
  return impl->close();
}

}  // namespace cairn
