// Converts public handles to the engine's objects that they own, and back. A view is returned as a shared pointer that
// owns the implementation of its handle (by the aliasing constructor). So a result set may outlive the Snapshot that it came
// from.
//
// Also implements Database for a running statement (JoinedDatabase): functions of the program that the statement calls can
// use the public API, within the transaction of the statement.
#include "engine/database/access.hpp"

#include "engine/database/core.hpp"
#include "engine/database/handles.hpp"
#include "engine/database/local_handles.hpp"
#include "engine/database/transaction_writer.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/write/writer.hpp"

#include <memory>
#include <utility>

namespace cairn {

namespace {

/// The database inside a running statement, for calls of the public API that the statement makes. Its handles use the view
/// and the writer of the statement. A snapshot is the current view. A writing transaction is a part of the statement's
/// transaction: it does not take the writer lock, and its changes are committed with the outer transaction. Calls that
/// concern the whole database, such as backup(), return `unsupported`, except statistics(). Threads: that of the statement.
class JoinedDatabase final : public Database::Impl {
 public:
  /// `outer` is nullptr if the statement only reads. All arguments must outlive the object and its handles.
  JoinedDatabase(engine::Core& core, const engine::GraphView& view,
                 engine::TransactionWriter* outer)
      : core_(std::shared_ptr<void>(), &core), view_(&view), outer_(outer) {}

  Result<Snapshot> snapshot() override;
  Result<Transaction> begin(TransactionMode mode, const std::stop_token& cancel) override;
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
  std::shared_ptr<engine::Core> core_;  // not an owner
  const engine::GraphView* view_;
  engine::TransactionWriter* outer_;
};

Error not_within_a_statement(const char* what) {
  return {ErrorCode::unsupported,
          std::string(what) + " is not available within a statement; call it outside of one",
          {}};
}

Result<Snapshot> JoinedDatabase::snapshot() {
  return Access::handle(std::make_shared<const LocalSnapshot>(core_, *view_));
}

Result<Transaction> JoinedDatabase::begin(TransactionMode mode, const std::stop_token&) {
  if (mode == TransactionMode::read)
    return Access::handle(
        std::make_unique<LocalTransaction>(std::make_shared<const LocalSnapshot>(core_, *view_)));
  if (outer_ != nullptr) return Access::handle(std::make_unique<LocalTransaction>(*outer_));
  return Error{ErrorCode::unsupported,
               "the statement only reads, so it cannot begin a writing transaction",
               {}};
}

Status JoinedDatabase::checkpoint() { return not_within_a_statement("a checkpoint"); }
Result<std::vector<Finding>> JoinedDatabase::check(std::size_t) {
  return not_within_a_statement("a check");
}
Result<DatabaseStatistics> JoinedDatabase::statistics() { return core_->statistics(); }
Result<std::size_t> JoinedDatabase::erase_expired(std::size_t) {
  return not_within_a_statement("erasing expired records");
}
Result<ScrubReceipt> JoinedDatabase::scrub(const ScrubOptions&, const std::stop_token&) {
  return not_within_a_statement("a scrub");
}

Result<BackupReport> JoinedDatabase::backup(const std::filesystem::path&, const std::stop_token&) {
  return not_within_a_statement("a backup");
}
Result<DatabaseRole> JoinedDatabase::role() { return not_within_a_statement("the role"); }

}  // namespace

Result<Transaction> Access::begin_writing(Database& database, const std::stop_token& cancel,
                                          TransactionMode mode) {
  return database.impl_->begin(mode, cancel);
}

engine::Forwarding* Access::forwarding(const Database& database) noexcept {
  return database.impl_->forwarding();
}
engine::Forwarding* Access::forwarding(const Snapshot& snapshot) noexcept {
  return snapshot.impl_->forwarding();
}
engine::Forwarding* Access::forwarding(const Transaction& transaction) noexcept {
  return transaction.impl_ == nullptr ? nullptr : transaction.impl_->forwarding();
}

bool Access::is_lost(const Snapshot& snapshot) noexcept { return snapshot.impl_->is_lost(); }
bool Access::is_lost(const Transaction& transaction) noexcept {
  return transaction.impl_ != nullptr && transaction.impl_->is_lost();
}

Result<Database> Access::open_local(const std::filesystem::path& path, const Options& options) {
  CAIRN_ASSIGN(auto core, engine::Core::open(path, options));
  return Database(std::make_shared<LocalDatabase>(std::move(core)));
}

void Access::serve_by(Database& database, std::unique_ptr<engine::Hosting> hosting) {
  static_cast<LocalDatabase&>(*database.impl_).serve_by(std::move(hosting));
}

std::shared_ptr<engine::Core> Access::core(const Database& database) {
  return database.impl_->core();
}

engine::Core* Access::core(const Snapshot& snapshot) noexcept { return snapshot.impl_->core(); }
engine::Core* Access::core(const Transaction& transaction) noexcept {
  return transaction.impl_->core();
}

// The casts are safe: GraphView and TransactionWriter are the only views and writers of the engine.
Database Access::join(engine::Core& core, const engine::View& view, engine::Writer* writer) {
  return Database(
      std::make_shared<JoinedDatabase>(core, static_cast<const engine::GraphView&>(view),
                                       static_cast<engine::TransactionWriter*>(writer)));
}

// Only the core of a joined handle has no owner.
bool Access::is_joined(const Database& database) noexcept {
  const auto core = database.impl_->core();
  return core != nullptr && core.use_count() == 0;
}

std::shared_ptr<const engine::View> Access::view(const Snapshot& snapshot) {
  return {snapshot.impl_, snapshot.impl_->view()};
}

std::shared_ptr<const engine::GraphView> Access::graph_view(const Snapshot& snapshot) {
  return {snapshot.impl_, snapshot.impl_->view()};
}

const engine::GraphView& Access::graph_view(const Transaction& transaction) {
  return *transaction.impl_->view();
}

bool Access::can_search_text(const Snapshot& snapshot, std::uint32_t index) noexcept {
  return snapshot.impl_->view()->state().texts.contains(index);
}

engine::Writer* Access::writer(Transaction& transaction) { return transaction.impl_->writer(); }
engine::TransactionWriter* Access::transaction_writer(Transaction& transaction) {
  return transaction.impl_->writer();
}

Status Access::check_constraints(Transaction& transaction) {
  if (auto* const way = forwarding(transaction)) {
    CAIRN_TRY(way->call("check_constraints", {}));
    return {};
  }
  auto* const changing = writer(transaction);
  return changing == nullptr ? Status() : changing->check_constraints([] { return Status(); });
}

void Access::note_with_commit(Transaction& transaction, std::string key, std::string value) {
  if (auto* const writer = transaction.impl_->writer())
    writer->note_with_commit(std::move(key), std::move(value));
}

// The returned object marks the transaction as used by the statement, and holds the writer lock, until it is destroyed.
Result<std::shared_ptr<const void>> Access::enter_statement(Transaction& transaction) {
  struct Inside {
    Inside(LocalTransaction& entered, std::shared_ptr<const void> held)
        : impl(entered), turn(std::move(held)) {
      impl.enter_statement();
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside() {
      turn.reset();  // first, as leave_statement() may destroy the writer
      impl.leave_statement();
    }
    LocalTransaction& impl;
    std::shared_ptr<const void> turn;
  };
  auto* const impl = static_cast<LocalTransaction*>(transaction.impl_.get());
  if (impl == nullptr)
    return Error{ErrorCode::conflict, "the transaction has ended; begin a new one", {}};
  CAIRN_TRY(impl->check_open());
  // Without the writer lock, a transaction that writes has lost its changes, and must not read them either.
  std::shared_ptr<const void> turn;
  if (impl->writer() != nullptr) {
    CAIRN_ASSIGN(turn, impl->writer()->hold_turn());
  }
  return std::shared_ptr<const void>(std::make_shared<const Inside>(*impl, std::move(turn)));
}

const engine::View& Access::view(const Transaction& transaction) {
  return *transaction.impl_->view();
}

engine::StatementObserver* Access::observer(const Snapshot& snapshot) {
  return &snapshot.impl_->core()->statements();
}

engine::StatementObserver* Access::observer(const Transaction& transaction) {
  return &transaction.impl_->core()->statements();
}

const engine::FileRoot& Access::files(const Snapshot& snapshot) {
  return snapshot.impl_->core()->files();
}

const engine::FileRoot& Access::files(const Transaction& transaction) {
  return transaction.impl_->core()->files();
}

Result<BackupReport> Access::backup(Database& database, const engine::FilePlace& place,
                                    const std::stop_token& cancel) {
  return database.impl_->core()->backup(place, cancel);
}

engine::ExtensionPlace& Access::extension(const Database& database) {
  return database.impl_->extension;
}

std::weak_ptr<Database::Impl> Access::implementation(const Database& database) {
  return database.impl_;
}

// The deleter drops the implementation first, so that the destructor of the handle does not close the database.
std::shared_ptr<Database> Access::share(std::shared_ptr<Database::Impl> impl) {
  const auto let_go = [](Database* shared) {
    shared->impl_.reset();
    delete shared;
  };
  return {new Database(std::move(impl)), let_go};
}

Database Access::handle(std::shared_ptr<Database::Impl> impl) { return Database(std::move(impl)); }

// Defined here, as Access makes this handle, but the query folder implements Rows.
Rows::Rows(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Rows Access::handle(std::unique_ptr<Rows::Impl> impl) { return Rows(std::move(impl)); }

std::unique_ptr<Rows::Impl> Access::take(Rows rows) { return std::move(rows.impl_); }

const std::vector<List>* Access::made(const Rows& rows) noexcept { return rows.impl_->made(); }

Snapshot Access::handle(std::shared_ptr<const Snapshot::Impl> impl) {
  return Snapshot(std::move(impl));
}

Transaction Access::handle(std::unique_ptr<Transaction::Impl> impl) {
  return Transaction(std::move(impl));
}

}  // namespace cairn
