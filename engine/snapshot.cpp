// The public handle Snapshot over a view.

#include "engine/handles.hpp"

namespace cairn {
namespace {

using engine::View;

/// Labels or types with the number of records that carry them.
template <class Count>
Result<std::vector<NameCount>> count_names(const View& view, codec::CatalogKind kind,
                                           Count&& count) {
  std::vector<NameCount> counts;
  for (const auto& [id, name] : view.catalog().names(kind)) {
    CAIRN_ASSIGN(const std::uint64_t number, count(id));
    counts.push_back({name, number});
  }
  return counts;
}

Error no_such_index(std::string_view name) {
  return Error{ErrorCode::not_found, "there is no index \"" + std::string(name) + "\"", {}};
}

}  // namespace

Snapshot::Snapshot(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Snapshot::Snapshot(Snapshot&&) noexcept = default;
Snapshot& Snapshot::operator=(Snapshot&&) noexcept = default;
Snapshot::~Snapshot() = default;

std::uint64_t Snapshot::commit_number() const noexcept { return impl_->view.commit_number(); }

Result<std::optional<Node>> Snapshot::find_node(NodeId node) const {
  return impl_->view.load_node(node.value);
}

Result<std::optional<Node>> Snapshot::find_node(std::string_view external_id) const {
  CAIRN_ASSIGN(const auto id, impl_->view.find_external(0, external_id));
  return id ? impl_->view.load_node(*id) : Result<std::optional<Node>>(std::nullopt);
}

Result<std::optional<Relationship>> Snapshot::find_relationship(RelationshipId id) const {
  return impl_->view.load_relationship(id.value);
}

Result<Neighbors> Snapshot::nearest(std::string_view index, std::span<const float> query,
                                    const NearestOptions& options) const {
  const auto id = impl_->view.catalog().find_index(index);
  if (!id) return no_such_index(index);
  engine::VectorQuery question;
  question.query = query;
  question.k = options.k;
  question.exact = options.exact;
  question.ef_search = options.ef_search;
  codec::IdSet allowed;
  if (options.allowed_ids) {
    allowed = codec::IdSet::from_unsorted(*options.allowed_ids);
    question.allowed = &allowed;
  }
  return impl_->view.nearest(*id, question);
}

Result<std::vector<IndexDescription>> Snapshot::indexes() const {
  return impl_->view.describe_indexes();
}

Result<std::vector<NameCount>> Snapshot::labels() const {
  return count_names(impl_->view, codec::CatalogKind::label,
                     [&](std::uint32_t id) { return impl_->view.count_labelled(id); });
}

Result<std::vector<NameCount>> Snapshot::relationship_types() const {
  return count_names(impl_->view, codec::CatalogKind::relationship_type,
                     [&](std::uint32_t id) { return impl_->view.count_typed(id); });
}

Result<std::vector<NameCount>> Snapshot::properties() const {
  std::vector<NameCount> counts;
  for (const auto& [id, path] : impl_->view.catalog().paths()) {
    if (path.kind != codec::EntityKind::node) continue;
    engine::IndexLookup present;
    present.path = id;
    CAIRN_ASSIGN(const auto found, impl_->view.lookup(present));
    counts.push_back({path.text, found.ids.cardinality()});
  }
  return counts;
}

}  // namespace cairn
