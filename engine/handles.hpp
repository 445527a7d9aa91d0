#pragma once
// What is behind the public handles.

#include "engine/core.hpp"
#include "engine/extension.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/write/transaction_writer.hpp"

#include <cairn/database.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/transaction.hpp>

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
};

}  // namespace cairn
