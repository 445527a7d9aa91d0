// The implementation of Snapshot for a database that this process has open. Counts are of the default namespace, without
// records that are deleted or expired at the time of the call. Reads by id are not filtered.

#include "engine/database/local_handles.hpp"
#include "engine/system/clock.hpp"
#include "engine/view/lookup_result.hpp"

#include <chrono>
#include <utility>

namespace cairn {
namespace {

using engine::View;

/// Returns the visible records of the default namespace; nullopt if all records are visible.
Result<std::optional<codec::Bitmap>> restriction(const View& view, codec::EntityKind kind) {
  const engine::Visibility visibility{0, engine::system_time()};
  // Usually everything is visible, which counters show. Then no set is made.
  CAIRN_ASSIGN(const bool all, view.all_visible(kind, visibility));
  if (all) return std::optional<codec::Bitmap>();
  CAIRN_ASSIGN(auto visible, view.visible(kind, visibility));
  return std::optional(std::move(visible));
}

/// Counts for each name the visible records among those that `find(id)` returns. Leaves out names without any.
template <class Names, class Find>
Result<std::vector<NameCount>> count_names(const View& view, codec::EntityKind kind,
                                           const Names& names, Find&& find) {
  CAIRN_ASSIGN(const auto visible, restriction(view, kind));
  std::vector<NameCount> counts;
  for (const auto& [id, name] : names) {
    CAIRN_ASSIGN(const codec::Bitmap ids, find(id));
    const std::uint64_t count =
        visible ? codec::intersection_cardinality(ids, *visible) : ids.cardinality();
    if (count > 0) counts.push_back({name, count});
  }
  return counts;
}

}  // namespace

Result<std::optional<Node>> LocalSnapshot::find_node(NodeId node) const {
  return view_.load_node(node.value);
}

Result<std::optional<Node>> LocalSnapshot::find_node(std::string_view external_id) const {
  CAIRN_ASSIGN(const auto id, view_.find_external(0, external_id));
  return id ? view_.load_node(*id) : Result<std::optional<Node>>(std::nullopt);
}

Result<std::optional<Relationship>> LocalSnapshot::find_relationship(RelationshipId id) const {
  return view_.load_relationship(id.value);
}

Result<std::vector<IndexDescription>> LocalSnapshot::indexes() const {
  return view_.describe_indexes();
}

Result<std::vector<NameCount>> LocalSnapshot::labels() const {
  return count_names(view_, codec::EntityKind::node,
                     view_.catalog().names(codec::CatalogKind::label),
                     [&](std::uint32_t id) { return view_.labelled(id); });
}

Result<std::vector<NameCount>> LocalSnapshot::relationship_types() const {
  return count_names(view_, codec::EntityKind::relationship,
                     view_.catalog().names(codec::CatalogKind::relationship_type),
                     [&](std::uint32_t id) { return view_.typed(id); });
}

Result<std::vector<NameCount>> LocalSnapshot::properties() const {
  std::vector<std::pair<std::uint32_t, std::string>> paths;
  for (const auto& [id, path] : view_.catalog().paths()) {
    if (path.kind == codec::EntityKind::node) paths.emplace_back(id, path.text);
  }
  return count_names(view_, codec::EntityKind::node, paths,
                     [&](std::uint32_t id) -> Result<codec::Bitmap> {
                       engine::IndexPredicate present;
                       present.path = id;
                       CAIRN_ASSIGN(auto found, view_.lookup(present));
                       return std::move(found.ids);
                     });
}

}  // namespace cairn
