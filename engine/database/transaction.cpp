// The public handle Transaction over a writer, or over a snapshot.
// Every call asks first whether there is a writer: a reading transaction has none, an ended one has
// nothing. Limits, failures and the turn are the writer's matter (write/transaction_writer.cpp).
// One thread at a time.

#include "engine/database/handles.hpp"

namespace cairn {
namespace {

Error ended() {
  return Error{ErrorCode::conflict, "the transaction has ended; begin a new one", {}};
}

}  // namespace

Status Transaction::Impl::check_open(const Impl* impl) {
  if (impl == nullptr || !impl->is_open()) return ended();
  if (!impl->is_in_statement_) return {};
  return Error{
      ErrorCode::conflict,
      "a statement of this transaction runs; a function that it calls cannot use the transaction",
      {}};
}

Status Transaction::Impl::check_writer(const Impl* impl) {
  CAIRN_TRY(check_open(impl));
  if (impl->writer) return {};
  return Error{ErrorCode::unsupported,
               "this transaction was begun for reading; begin one of TransactionMode::write",
               {}};
}

void Transaction::Impl::end_by_rollback() noexcept {
  if (is_in_statement_)
    ends_after_statement_ = true;
  else
    end();
}

void Transaction::Impl::leave_statement() noexcept {
  is_in_statement_ = false;
  if (ends_after_statement_) end();
}

Transaction::Transaction(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Transaction::Transaction(Transaction&&) noexcept = default;
Transaction& Transaction::operator=(Transaction&&) noexcept = default;
Transaction::~Transaction() = default;

Result<NodeId> Transaction::create_node(const NewNode& node) {
  CAIRN_TRY(Impl::check_writer(impl_.get()));
  CAIRN_ASSIGN(const std::uint64_t id, impl_->writer->create_node(node));
  return NodeId{id};
}

Result<PutNode> Transaction::put_node(const NewNode& node) {
  CAIRN_TRY(Impl::check_writer(impl_.get()));
  return impl_->writer->put_node(node);
}

Result<RelationshipId> Transaction::create_relationship(const NewRelationship& relationship) {
  CAIRN_TRY(Impl::check_writer(impl_.get()));
  CAIRN_ASSIGN(const std::uint64_t id, impl_->writer->create_relationship(relationship));
  return RelationshipId{id};
}

Status Transaction::set_property(NodeId node, std::string_view name, const Value& value) {
  CAIRN_TRY(Impl::check_writer(impl_.get()));
  return impl_->writer->set_property(codec::EntityKind::node, node.value, name, value);
}

Status Transaction::set_property(RelationshipId relationship, std::string_view name,
                                 const Value& value) {
  CAIRN_TRY(Impl::check_writer(impl_.get()));
  return impl_->writer->set_property(codec::EntityKind::relationship, relationship.value, name,
                                     value);
}

Status Transaction::set_properties(NodeId node, const Properties& properties) {
  CAIRN_TRY(Impl::check_writer(impl_.get()));
  return impl_->writer->update_properties(codec::EntityKind::node, node.value, properties);
}

Status Transaction::set_properties(RelationshipId relationship, const Properties& properties) {
  CAIRN_TRY(Impl::check_writer(impl_.get()));
  return impl_->writer->update_properties(codec::EntityKind::relationship, relationship.value,
                                          properties);
}

Status Transaction::set_expiry(NodeId node, std::optional<std::int64_t> expires_at) {
  CAIRN_TRY(Impl::check_writer(impl_.get()));
  return impl_->writer->set_expiry(codec::EntityKind::node, node.value, expires_at);
}

Status Transaction::set_expiry(RelationshipId relationship,
                               std::optional<std::int64_t> expires_at) {
  CAIRN_TRY(Impl::check_writer(impl_.get()));
  return impl_->writer->set_expiry(codec::EntityKind::relationship, relationship.value, expires_at);
}

Status Transaction::add_label(NodeId node, std::string_view label) {
  CAIRN_TRY(Impl::check_writer(impl_.get()));
  CAIRN_TRY(impl_->writer->add_label(node.value, label));
  return {};
}

Status Transaction::remove_label(NodeId node, std::string_view label) {
  CAIRN_TRY(Impl::check_writer(impl_.get()));
  CAIRN_TRY(impl_->writer->remove_label(node.value, label));
  return {};
}

Status Transaction::erase_node(NodeId node) {
  CAIRN_TRY(Impl::check_writer(impl_.get()));
  return impl_->writer->erase_node(node.value);
}

Status Transaction::erase_node_and_relationships(NodeId node) {
  CAIRN_TRY(Impl::check_writer(impl_.get()));
  // All of them at once: erasing changes the write_set that the expansion reads.
  std::vector<engine::Adjacent> adjacent;
  // A loop comes once, so nothing is erased twice.
  CAIRN_TRY(impl_->view().expand(node.value, engine::Direction::both, {}, adjacent));
  for (const engine::Adjacent& step : adjacent) {
    CAIRN_TRY(impl_->writer->erase_relationship(step.relationship));
  }
  return impl_->writer->erase_node(node.value);
}

Status Transaction::erase_relationship(RelationshipId relationship) {
  CAIRN_TRY(Impl::check_writer(impl_.get()));
  return impl_->writer->erase_relationship(relationship.value);
}

Result<std::optional<Node>> Transaction::find_node(NodeId node) const {
  CAIRN_TRY(Impl::check_open(impl_.get()));
  return impl_->view().load_node(node.value);
}

Result<std::optional<Node>> Transaction::find_node(std::string_view external_id) const {
  CAIRN_TRY(Impl::check_open(impl_.get()));
  CAIRN_ASSIGN(const auto id, impl_->view().find_external(0, external_id));
  return id ? impl_->view().load_node(*id) : Result<std::optional<Node>>(std::nullopt);
}

Status Transaction::commit() {
  CAIRN_TRY(Impl::check_open(impl_.get()));
  // Where it fails the transaction stays open, for its reads; only rollback() ends it then.
  if (impl_->writer != nullptr) CAIRN_TRY(impl_->writer->commit());
  impl_->end();
  return {};
}

// Of a statement that runs the end waits until that has ended.
void Transaction::rollback() noexcept {
  if (impl_ != nullptr) impl_->end_by_rollback();
}

bool Transaction::is_open() const noexcept { return impl_ != nullptr && impl_->is_open(); }

}  // namespace cairn
