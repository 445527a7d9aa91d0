// The public handle Snapshot.

#include "engine/database/handles.hpp"

namespace cairn {

Snapshot::Snapshot(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Snapshot::Snapshot(Snapshot&&) noexcept = default;
Snapshot& Snapshot::operator=(Snapshot&&) noexcept = default;
Snapshot::~Snapshot() = default;

Snapshot Snapshot::with_deleted() const { return Snapshot(impl_->with_deleted()); }
std::uint64_t Snapshot::commit_number() const noexcept { return impl_->commit_number(); }
Result<std::optional<Node>> Snapshot::find_node(NodeId node) const {
  return impl_->find_node(node);
}
Result<std::optional<Node>> Snapshot::find_node(std::string_view external_id) const {
  return impl_->find_node(external_id);
}
Result<std::optional<Relationship>> Snapshot::find_relationship(RelationshipId id) const {
  return impl_->find_relationship(id);
}
Result<std::vector<IndexDescription>> Snapshot::indexes() const { return impl_->indexes(); }
Result<std::vector<NameCount>> Snapshot::labels() const { return impl_->labels(); }
Result<std::vector<NameCount>> Snapshot::relationship_types() const {
  return impl_->relationship_types();
}
Result<std::vector<NameCount>> Snapshot::properties() const { return impl_->properties(); }

}  // namespace cairn
