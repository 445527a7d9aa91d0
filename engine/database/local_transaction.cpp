// The implementation of Transaction for a database that this process has open. Each call first checks that the transaction
// is open, and if it writes, that there is a writer. The writer checks limits and the writer lock, and remembers failures
// (transaction_writer.cpp).

#include "engine/database/local_handles.hpp"

#include <optional>

namespace cairn {

using codec::EntityKind;

Status LocalTransaction::check_open() const {
  if (!is_open())
    return Error{ErrorCode::conflict, "the transaction has ended; begin a new one", {}};
  if (!is_in_statement_) return {};
  return Error{
      ErrorCode::conflict,
      "a statement of this transaction runs; a function that it calls cannot use the transaction",
      {}};
}

Status LocalTransaction::check_writer() const {
  CAIRN_TRY(check_open());
  if (writer_) return {};
  return Error{ErrorCode::unsupported,
               "this transaction was begun for reading; begin one of TransactionMode::write",
               {}};
}

// During a statement, the rollback is postponed until the statement ends.
void LocalTransaction::rollback() noexcept {
  if (is_in_statement_)
    ends_after_statement_ = true;
  else
    end();
}

void LocalTransaction::leave_statement() noexcept {
  is_in_statement_ = false;
  if (ends_after_statement_) end();
}

Result<NodeId> LocalTransaction::create_node(const NewNode& node) {
  CAIRN_TRY(check_writer());
  CAIRN_ASSIGN(const std::uint64_t id, writer_->create_node(node));
  return NodeId{id};
}

Result<PutNode> LocalTransaction::put_node(const NewNode& node) {
  CAIRN_TRY(check_writer());
  return writer_->put_node(node);
}

Result<RelationshipId> LocalTransaction::create_relationship(const NewRelationship& relationship) {
  CAIRN_TRY(check_writer());
  CAIRN_ASSIGN(const std::uint64_t id, writer_->create_relationship(relationship));
  return RelationshipId{id};
}

Status LocalTransaction::set_property(EntityKind kind, std::uint64_t id, std::string_view name,
                                      const Value& value) {
  CAIRN_TRY(check_writer());
  return writer_->set_property(kind, id, name, value);
}

Status LocalTransaction::set_properties(EntityKind kind, std::uint64_t id,
                                        const Properties& properties) {
  CAIRN_TRY(check_writer());
  return writer_->update_properties(kind, id, properties);
}

Status LocalTransaction::set_expiry(EntityKind kind, std::uint64_t id,
                                    std::optional<std::int64_t> expires_at) {
  CAIRN_TRY(check_writer());
  return writer_->set_expiry(kind, id, expires_at);
}

Status LocalTransaction::add_label(NodeId node, std::string_view label) {
  CAIRN_TRY(check_writer());
  CAIRN_TRY(writer_->add_label(node.value, label));
  return {};
}

Status LocalTransaction::remove_label(NodeId node, std::string_view label) {
  CAIRN_TRY(check_writer());
  CAIRN_TRY(writer_->remove_label(node.value, label));
  return {};
}

Status LocalTransaction::erase_node(NodeId node) {
  CAIRN_TRY(check_writer());
  return writer_->erase_node(node.value);
}

Status LocalTransaction::erase_node_and_relationships(NodeId node) {
  CAIRN_TRY(check_writer());
  // Reads all relationships before erasing any: erasing changes the write set that expand() reads. A loop is in the list
  // once, so nothing is erased twice.
  std::vector<engine::Adjacent> adjacent;
  CAIRN_TRY(view()->expand(node.value, engine::Direction::both, {}, adjacent));
  for (const engine::Adjacent& step : adjacent) {
    CAIRN_TRY(writer_->erase_relationship(step.relationship));
  }
  return writer_->erase_node(node.value);
}

Status LocalTransaction::erase_relationship(RelationshipId relationship) {
  CAIRN_TRY(check_writer());
  return writer_->erase_relationship(relationship.value);
}

Result<std::optional<Node>> LocalTransaction::find_node(NodeId node) const {
  CAIRN_TRY(check_open());
  return view()->load_node(node.value);
}

Result<std::optional<Node>> LocalTransaction::find_node(std::string_view external_id) const {
  CAIRN_TRY(check_open());
  CAIRN_ASSIGN(const auto id, view()->find_external(0, external_id));
  return id ? view()->load_node(*id) : Result<std::optional<Node>>(std::nullopt);
}

Status LocalTransaction::commit() {
  CAIRN_TRY(check_open());
  // A joined transaction is committed later, with the outer one. The writer must not point to the options of a statement
  // that ran in it, because these are gone by then.
  static const StatementOptions nobody;
  if (writer_ != nullptr && ownership_ != Ownership::own)
    writer_->commit_for("COMMIT", nobody, std::nullopt);
  // If the commit fails, the transaction stays open for reading until rollback().
  if (writer_ != nullptr && ownership_ == Ownership::own) CAIRN_TRY(writer_->commit());
  end();
  return {};
}

}  // namespace cairn
