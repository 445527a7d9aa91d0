// The public handle Transaction, which calls its implementation. A handle that was moved from has no implementation, and
// behaves like an ended transaction.

#include "engine/database/handles.hpp"

namespace cairn {
namespace {

using codec::EntityKind;

Error ended() {
  return Error{ErrorCode::conflict, "the transaction has ended; begin a new one", {}};
}

}  // namespace

Transaction::Transaction(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Transaction::Transaction(Transaction&&) noexcept = default;
Transaction& Transaction::operator=(Transaction&&) noexcept = default;
Transaction::~Transaction() = default;

Result<NodeId> Transaction::create_node(const NewNode& node) {
  return impl_ ? impl_->create_node(node) : ended();
}

Result<PutNode> Transaction::put_node(const NewNode& node) {
  return impl_ ? impl_->put_node(node) : ended();
}

Result<RelationshipId> Transaction::create_relationship(const NewRelationship& relationship) {
  return impl_ ? impl_->create_relationship(relationship) : ended();
}

Status Transaction::set_property(NodeId node, std::string_view name, const Value& value) {
  return impl_ ? impl_->set_property(EntityKind::node, node.value, name, value) : ended();
}

Status Transaction::set_property(RelationshipId relationship, std::string_view name,
                                 const Value& value) {
  return impl_ ? impl_->set_property(EntityKind::relationship, relationship.value, name, value)
               : ended();
}

Status Transaction::set_properties(NodeId node, const Properties& properties) {
  return impl_ ? impl_->set_properties(EntityKind::node, node.value, properties) : ended();
}

Status Transaction::set_properties(RelationshipId relationship, const Properties& properties) {
  return impl_ ? impl_->set_properties(EntityKind::relationship, relationship.value, properties)
               : ended();
}

Status Transaction::set_expiry(NodeId node, std::optional<std::int64_t> expires_at) {
  return impl_ ? impl_->set_expiry(EntityKind::node, node.value, expires_at) : ended();
}

Status Transaction::set_expiry(RelationshipId relationship,
                               std::optional<std::int64_t> expires_at) {
  return impl_ ? impl_->set_expiry(EntityKind::relationship, relationship.value, expires_at)
               : ended();
}

Status Transaction::add_label(NodeId node, std::string_view label) {
  return impl_ ? impl_->add_label(node, label) : ended();
}

Status Transaction::remove_label(NodeId node, std::string_view label) {
  return impl_ ? impl_->remove_label(node, label) : ended();
}

Status Transaction::erase_node(NodeId node) { return impl_ ? impl_->erase_node(node) : ended(); }

Status Transaction::erase_node_and_relationships(NodeId node) {
  return impl_ ? impl_->erase_node_and_relationships(node) : ended();
}

Status Transaction::erase_relationship(RelationshipId relationship) {
  return impl_ ? impl_->erase_relationship(relationship) : ended();
}

Result<std::optional<Node>> Transaction::find_node(NodeId node) const {
  return impl_ ? impl_->find_node(node) : ended();
}

Result<std::optional<Node>> Transaction::find_node(std::string_view external_id) const {
  return impl_ ? impl_->find_node(external_id) : ended();
}

Status Transaction::commit() { return impl_ ? impl_->commit() : ended(); }

void Transaction::rollback() noexcept {
  if (impl_ != nullptr) impl_->rollback();
}

bool Transaction::is_open() const noexcept { return impl_ != nullptr && impl_->is_open(); }

}  // namespace cairn
