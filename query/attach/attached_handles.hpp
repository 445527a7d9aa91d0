#pragma once
// AttachedSnapshot and AttachedTransaction: handles to snapshots and transactions that are open in the serving process.

#include "engine/database/handles.hpp"
#include "query/attach/work.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query::attach {

class AttachedDatabase;
class NoteInUse;

/// The error of a statement that calls functions which this program registered.
[[nodiscard]] Error refused_functions(const Link& link);

/// Sends statements and calls to the serving process, within one Work.
class WorkForwarding : public engine::Forwarding {
 public:
  explicit WorkForwarding(std::shared_ptr<Work> work) : work_(std::move(work)) {}

  Result<std::unique_ptr<Rows::Impl>> run(const engine::ForwardedStatement& statement) override;
  Result<Value> call(std::string_view name, Map arguments,
                     const StatementOptions& options) override;

 protected:
  /// True in a transaction: its rows are all produced when the statement runs.
  [[nodiscard]] virtual bool takes_all() const noexcept { return false; }
  /// True if the snapshot shows soft-deleted records.
  [[nodiscard]] virtual bool sees_deleted() const noexcept { return false; }
  /// Whether the handle may still be used.
  [[nodiscard]] virtual Status check() const { return {}; }
  /// Runs a call with the default limits.
  [[nodiscard]] Result<Value> ask(std::string_view name, Map arguments) const;
  [[nodiscard]] Result<std::optional<Node>> find_node(Map arguments) const;

  std::shared_ptr<Work> work_;  // owners: this, and rows
};  // owners: this and its rows

/// A snapshot in the serving process. Threads: any; the calls of one snapshot are serialised.
class AttachedSnapshot final : public Snapshot::Impl, private WorkForwarding {
 public:
  explicit AttachedSnapshot(std::shared_ptr<Work> work, bool sees_deleted = false)
      : WorkForwarding(std::move(work)), sees_deleted_(sees_deleted) {}

  std::uint64_t commit_number() const noexcept override { return work_->commit_number(); }
  Result<std::optional<Node>> find_node(NodeId node) const override;
  Result<std::optional<Node>> find_node(std::string_view external_id) const override;
  Result<std::optional<Relationship>> find_relationship(RelationshipId id) const override;
  Result<std::vector<IndexDescription>> indexes() const override;
  Result<std::vector<NameCount>> labels() const override { return names("labels"); }
  Result<std::vector<NameCount>> relationship_types() const override { return names("types"); }
  Result<std::vector<NameCount>> properties() const override { return names("properties"); }
  std::shared_ptr<const Snapshot::Impl> with_deleted() const override {
    return std::make_shared<const AttachedSnapshot>(work_, true);
  }
  /// True if the host ended or released the snapshot, but not if somebody terminated it.
  bool is_lost() const noexcept override {
    const Error* const end = work_->ended_by();
    return work_->is_lost() || (end != nullptr && end->code == ErrorCode::conflict);
  }

  // Forwarding is not const because a call sends messages; the snapshot itself does not change.
  engine::Forwarding* forwarding() const noexcept override {
    return const_cast<AttachedSnapshot*>(this);
  }

 private:
  [[nodiscard]] Result<std::vector<NameCount>> names(std::string_view call) const;
  bool sees_deleted() const noexcept override { return sees_deleted_; }

  const bool sees_deleted_;
};

/// A transaction in the serving process. Destroying it rolls it back.
class AttachedTransaction final : public Transaction::Impl, private WorkForwarding {
 public:
  /// `note` belongs to a writing transaction and is one of the names of `database`. Both are nullptr for a server on the
  /// network.
  AttachedTransaction(std::shared_ptr<Work> work, TransactionMode mode,
                      std::shared_ptr<AttachedDatabase> database, std::unique_ptr<NoteInUse> note);
  ~AttachedTransaction() override;

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
  bool is_open() const noexcept override { return work_->is_open(); }
  /// True if the transaction may be repeated. A transaction that may have been committed must not be.
  bool is_lost() const noexcept override { return work_->is_lost() && !work_->is_in_doubt(); }

  engine::Forwarding* forwarding() const noexcept override {
    return const_cast<AttachedTransaction*>(this);
  }

 private:
  bool takes_all() const noexcept override { return true; }
  Status check() const override;
  /// Sends a call that changes something. Errors: also unsupported in a reading transaction.
  [[nodiscard]] Result<Value> change(std::string_view name, Map arguments);

  const TransactionMode mode_;
  const std::shared_ptr<AttachedDatabase> database_;  // owners: this and the database handle
  std::unique_ptr<NoteInUse> note_;
};

}  // namespace cairn::query::attach
