// The door between public handles and the engine. Views come as shared pointers that keep what they
// read alive (aliasing constructors: the pointer is to the view, the ownership is of the handle's
// share), so a result set outlives the Snapshot it came from.
#include "engine/database/access.hpp"

#include "engine/database/handles.hpp"

#include <cairn/backup.hpp>

#include <utility>

namespace cairn {

std::shared_ptr<const engine::View> Access::view(const Snapshot& snapshot) {
  return {snapshot.impl_, &snapshot.impl_->view};
}

std::shared_ptr<const engine::View> Access::view_with_deleted(const Snapshot& snapshot) {
  // The copy of the view points into the state, which the handle's share holds.
  struct Owned {
    std::shared_ptr<const Snapshot::Impl> impl;  // owners: this and the handle
    engine::GraphView view;
  };
  const auto owned =
      std::make_shared<const Owned>(Owned{snapshot.impl_, snapshot.impl_->view.with_deleted()});
  return {owned, &owned->view};
}

engine::Writer* Access::writer(Transaction& transaction) { return transaction.impl_->writer.get(); }

Result<std::shared_ptr<const void>> Access::enter_statement(Transaction& transaction) {
  struct Inside {
    explicit Inside(Transaction::Impl& entered)
        : impl(entered), turn(impl.writer ? impl.writer->hold_turn() : nullptr) {
      impl.enter_statement();
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside() {
      turn.reset();  // before the writer, which may end now
      impl.leave_statement();
    }
    Transaction::Impl& impl;
    std::shared_ptr<const void> turn;
  };
  CAIRN_TRY(Transaction::Impl::check_open(transaction.impl_.get()));
  return std::shared_ptr<const void>(std::make_shared<const Inside>(*transaction.impl_));
}

std::optional<Transaction> Access::begin_if_free(Database& database) {
  auto impl = std::make_unique<Transaction::Impl>();
  impl->writer = engine::TransactionWriter::begin_if_free(database.impl_->core);
  return impl->writer ? std::optional(handle(std::move(impl))) : std::nullopt;
}

const engine::View& Access::view(const Transaction& transaction) {
  return transaction.impl_->view();
}

engine::StatementObserver* Access::observer(const Snapshot& snapshot) {
  return &snapshot.impl_->core->statements();
}

engine::StatementObserver* Access::observer(const Transaction& transaction) {
  return &transaction.impl_->core().statements();
}

const engine::FileRoot& Access::files(const Snapshot& snapshot) {
  return snapshot.impl_->core->files();
}

const engine::FileRoot& Access::files(const Transaction& transaction) {
  return transaction.impl_->core().files();
}

Result<BackupReport> Access::backup(Database& database, const engine::FilePlace& place) {
  return database.impl_->core->backup(place);
}

engine::ExtensionPlace& Access::extension(const Database& database) {
  return database.impl_->extension;
}

std::weak_ptr<Database::Impl> Access::implementation(const Database& database) {
  return database.impl_;
}

std::shared_ptr<Database> Access::share(std::shared_ptr<Database::Impl> impl) {
  const auto let_go = [](Database* shared) {
    shared->impl_.reset();
    delete shared;
  };
  return {new Database(std::move(impl)), let_go};
}

Snapshot Access::handle(std::shared_ptr<const Snapshot::Impl> impl) {
  return Snapshot(std::move(impl));
}

Transaction Access::handle(std::unique_ptr<Transaction::Impl> impl) {
  return Transaction(std::move(impl));
}

}  // namespace cairn
