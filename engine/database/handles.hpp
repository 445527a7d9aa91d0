#pragma once
// What is behind the public handles.

#include "engine/database/core.hpp"
#include "engine/database/extension.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/database/transaction_writer.hpp"

#include <cairn/database.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/transaction.hpp>

#include <atomic>
#include <memory>

namespace cairn {

/// The handle's share of the core.
class Database::Impl {
 public:
  explicit Impl(std::shared_ptr<engine::Core> opened) : core(std::move(opened)) {}

  std::shared_ptr<engine::Core> core;  // owners: this, snapshots and transactions
  engine::ExtensionPlace extension;
};

/// The view is declared last and destroyed first: it reads what the core owns.
class Snapshot::Impl {
 public:
  explicit Impl(std::shared_ptr<engine::Core> opened)
      : core(std::move(opened)), view(core->store(), core->cache(), core->state()) {}

  std::shared_ptr<engine::Core> core;  // owners: the handles
  engine::GraphView view;
};

/// Exactly one of the two is there while the transaction is open, and none after its end: an ended
/// transaction does not keep the store open.
class Transaction::Impl {
 public:
  std::unique_ptr<engine::TransactionWriter> writer;
  std::shared_ptr<const Snapshot::Impl> snapshot;  // owners: this and views given out

  [[nodiscard]] bool is_open() const noexcept { return writer || snapshot; }
  /// Only of an open transaction.
  [[nodiscard]] const engine::View& view() const {
    return writer ? writer->view() : static_cast<const engine::View&>(snapshot->view);
  }
  /// Likewise.
  [[nodiscard]] engine::Core& core() const { return writer ? writer->core() : *snapshot->core; }
  void end() noexcept {
    writer.reset();
    snapshot.reset();
  }

  /// Null for a handle that was moved from. Errors: conflict, where it has ended, or a statement runs within it.
  [[nodiscard]] static Status check_open(const Impl* impl);
  /// Errors: those of check_open(); unsupported, where it was begun for reading.
  [[nodiscard]] static Status check_writer(const Impl* impl);
  /// A statement runs in it until leave_statement(); nothing else may then. After check_open().
  void enter_statement() noexcept { is_in_statement_ = true; }
  void leave_statement() noexcept;
  void end_by_rollback() noexcept;

 private:
  // A function that a statement calls runs on another thread.
  std::atomic<bool> is_in_statement_ = false;
  std::atomic<bool> ends_after_statement_ = false;
};

}  // namespace cairn
