#pragma once
// Snapshots and transactions that are open in the host.

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

/// The error of a statement that calls functions of this program.
[[nodiscard]] Error refused_functions(const Link& link);

/// Calls and statements within one work.
class WorkForwarding : public engine::Forwarding {
 public:
  explicit WorkForwarding(std::shared_ptr<Work> work) : work_(std::move(work)) {}

  Result<std::unique_ptr<Rows::Impl>> run(const engine::ForwardedStatement& statement) override;
  Result<Value> call(std::string_view name, Map arguments,
                     const StatementOptions& options) override;

 protected:
  /// A transaction's rows are all made when its statement ends.
  [[nodiscard]] virtual bool takes_all() const noexcept { return false; }
  [[nodiscard]] virtual bool sees_deleted() const noexcept { return false; }
  [[nodiscard]] virtual Status check() const { return {}; }
  /// A call that has no limits of its own.
  [[nodiscard]] Result<Value> ask(std::string_view name, Map arguments) const;
  [[nodiscard]] Result<std::optional<Node>> find_node(Map arguments) const;

  std::shared_ptr<Work> work_;  // owners: this, and rows
};

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
  bool is_lost() const noexcept override { return work_->is_lost() || work_->was_let_go(); }

  // What is behind it is not of the snapshot's constness: each call is a message.
  engine::Forwarding* forwarding() const noexcept override {
    return const_cast<AttachedSnapshot*>(this);
  }

 private:
  [[nodiscard]] Result<std::vector<NameCount>> names(std::string_view call) const;
  bool sees_deleted() const noexcept override { return sees_deleted_; }

  const bool sees_deleted_;
};

class AttachedTransaction final : public Transaction::Impl, private WorkForwarding {
 public:
  /// `note` is of a writing one, and of the names of `database`.
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
  /// A transaction that may have committed must not run again.
  bool is_lost() const noexcept override { return work_->is_lost() && !work_->is_in_doubt(); }

  engine::Forwarding* forwarding() const noexcept override {
    return const_cast<AttachedTransaction*>(this);
  }

 private:
  bool takes_all() const noexcept override { return true; }
  Status check() const override;
  /// A call that changes something. Errors: also unsupported, where it was begun for reading.
  [[nodiscard]] Result<Value> change(std::string_view name, Map arguments);

  const TransactionMode mode_;
  const std::shared_ptr<AttachedDatabase> database_;  // owners: this and the handle of the database
  std::unique_ptr<NoteInUse> note_;
};

}  // namespace cairn::query::attach
