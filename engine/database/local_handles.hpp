#pragma once
// The implementations of the public handles for a database that this process has open.

#include "engine/database/core.hpp"
#include "engine/database/handles.hpp"
#include "engine/database/transaction_writer.hpp"
#include "engine/graph/graph_view.hpp"

#include <atomic>
#include <memory>
#include <mutex>

namespace cairn {

class LocalDatabase final : public Database::Impl {
 public:
  explicit LocalDatabase(std::shared_ptr<engine::Core> opened) : core_(std::move(opened)) {}

  Result<Snapshot> snapshot() override;
  Result<Transaction> begin(TransactionMode mode, const std::stop_token& cancel) override;
  Status checkpoint() override { return core_->checkpoint(); }
  Result<std::vector<Finding>> check(std::size_t limit) override;
  Result<DatabaseStatistics> statistics() override;
  Result<std::size_t> erase_expired(std::size_t limit) override;
  Result<BackupReport> backup(const std::filesystem::path& directory,
                              const std::stop_token& cancel) override;
  Result<ScrubReceipt> scrub(const ScrubOptions& options, const std::stop_token& cancel) override;
  Result<DatabaseRole> role() override;
  Metrics metrics() override { return core_->metrics(); }
  const std::vector<std::string>& warnings() const noexcept override { return core_->warnings(); }
  Status close() override;

  std::shared_ptr<engine::Core> core() const override { return core_; }
  /// Sets the server for attached processes, which runs until close().
  void serve_by(std::unique_ptr<engine::Hosting> hosting);

 private:
  std::shared_ptr<engine::Core> core_;  // owners: this, snapshots and transactions
  std::mutex hosting_mutex_;            // guards hosting_
  std::unique_ptr<engine::Hosting> hosting_;
};

/// A published state, which never changes and keeps the store open; or, for a procedure, the view of the
/// statement that calls it, which must outlive the snapshot.
class LocalSnapshot final : public Snapshot::Impl {
 public:
  explicit LocalSnapshot(std::shared_ptr<engine::Core> opened)
      : core_(std::move(opened)), view_(core_->store(), core_->cache(), core_->state()) {}
  LocalSnapshot(std::shared_ptr<engine::Core> opened, engine::GraphView view)
      : core_(std::move(opened)), view_(std::move(view)) {}

  std::uint64_t commit_number() const noexcept override { return view_.commit_number(); }
  Result<std::optional<Node>> find_node(NodeId node) const override;
  Result<std::optional<Node>> find_node(std::string_view external_id) const override;
  Result<std::optional<Relationship>> find_relationship(RelationshipId id) const override;
  Result<std::vector<IndexDescription>> indexes() const override;
  Result<std::vector<NameCount>> labels() const override;
  Result<std::vector<NameCount>> relationship_types() const override;
  Result<std::vector<NameCount>> properties() const override;
  std::shared_ptr<const Snapshot::Impl> with_deleted() const override {
    return std::make_shared<const LocalSnapshot>(core_, view_.with_deleted());
  }

  engine::Core* core() const noexcept override { return core_.get(); }
  const engine::GraphView* view() const noexcept override { return &view_; }

 private:
  std::shared_ptr<engine::Core> core_;  // owners: the handles
  engine::GraphView view_;              // destroyed before core_, whose members it reads
};

/// Whether a transaction is independent, or joined: a part of the transaction of a statement.
enum class Ownership : std::uint8_t { own, joined };

/// Has a writer if it is a writing transaction, and a snapshot if it is a reading one. Has neither after its end, so that an
/// ended transaction does not hold the store open.
class LocalTransaction final : public Transaction::Impl {
 public:
  explicit LocalTransaction(std::unique_ptr<engine::TransactionWriter> writer)
      : writer_(std::move(writer)) {}
  /// A joined transaction. Its changes are committed with the transaction of `outer`, which must outlive the object.
  explicit LocalTransaction(engine::TransactionWriter& outer)
      : writer_(std::shared_ptr<void>(), &outer), ownership_(Ownership::joined) {}
  explicit LocalTransaction(std::shared_ptr<const LocalSnapshot> snapshot)
      : snapshot_(std::move(snapshot)) {}

  Result<NodeId> create_node(const NewNode& node) override;
  Result<PutNode> put_node(const NewNode& node) override;
  Result<RelationshipId> create_relationship(const NewRelationship& relationship) override;
  Status set_property(codec::EntityKind kind, std::uint64_t id, std::string_view name,
                      const Value& value) override;
  Status set_properties(codec::EntityKind kind, std::uint64_t id,
                        const Properties& properties) override;
  Status set_expiry(codec::EntityKind kind, std::uint64_t id,
                    std::optional<std::int64_t> expires_at) override;
  Status add_label(NodeId node, std::string_view label) override;
  Status remove_label(NodeId node, std::string_view label) override;
  Status erase_node(NodeId node) override;
  Status erase_node_and_relationships(NodeId node) override;
  Status erase_relationship(RelationshipId relationship) override;
  Result<std::optional<Node>> find_node(NodeId node) const override;
  Result<std::optional<Node>> find_node(std::string_view external_id) const override;
  Status commit() override;
  void rollback() noexcept override;
  bool is_open() const noexcept override { return writer_ || snapshot_; }

  engine::TransactionWriter* writer() const noexcept override { return writer_.get(); }
  engine::Core* core() const noexcept override {
    return writer_ ? &writer_->core() : snapshot_->core();
  }
  const engine::GraphView* view() const noexcept override {
    return writer_ ? &writer_->view() : snapshot_->view();
  }

  /// Errors: conflict if the transaction has ended, or a statement runs in it.
  [[nodiscard]] Status check_open() const;
  /// Marks the transaction as used by a statement until leave_statement(). Other calls fail meanwhile. Call check_open()
  /// before.
  void enter_statement() noexcept { is_in_statement_ = true; }
  void leave_statement() noexcept;

 private:
  /// Errors: those of check_open(); unsupported for a reading transaction.
  [[nodiscard]] Status check_writer() const;
  void end() noexcept {
    writer_.reset();
    snapshot_.reset();
  }

  std::shared_ptr<engine::TransactionWriter> writer_;  // owner: this; not an owner if joined
  Ownership ownership_ = Ownership::own;
  std::shared_ptr<const LocalSnapshot> snapshot_;  // owners: this and views obtained from it
  // Atomic, as a function that a statement calls runs on another thread.
  std::atomic<bool> is_in_statement_ = false;
  std::atomic<bool> ends_after_statement_ = false;  // rollback() was called during a statement
};

}  // namespace cairn
