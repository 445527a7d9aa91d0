// The public handle NodeView, which reads a node from the bytes of its record. An attached process gets the whole node from
// the host instead.

#include "codec/packstream_values.hpp"
#include "engine/database/access.hpp"
#include "engine/graph/external_id_hints.hpp"
#include "engine/graph/graph_view.hpp"

#include <cairn/node_view.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace cairn {

/// Allocated on the heap and never moved, as `record` points into the bytes of `stored`.
class NodeView::Impl {
 public:
  Impl(std::shared_ptr<const engine::GraphView> view, NodeId node, std::string bytes)
      : graph(std::move(view)), id(node), stored(std::move(bytes)) {}

  /// For an attached process, which got the whole node from the host.
  explicit Impl(Node whole) : id(whole.id()), picture(std::move(whole)) {
    codec::PackStreamWriter writer(stored);
    codec::write_whole_value(writer, *picture);
  }

  // nullptr if attached; owners: this and snapshot handles.
  std::shared_ptr<const engine::GraphView> graph;
  NodeId id;
  std::string stored;           // bytes of the record; if attached, of the encoded node
  codec::NodeView record;       // view into `stored`; empty if attached
  std::optional<Node> picture;  // the whole node if attached; nullopt otherwise
};

NodeId NodeView::id() const noexcept { return impl_->id; }
std::size_t NodeView::size() const noexcept {
  return impl_->picture ? impl_->picture->properties().size() : impl_->record.keys().size();
}
std::size_t NodeView::bytes() const noexcept { return impl_->stored.size(); }

Result<Value> NodeView::property(std::string_view name) const {
  if (impl_->picture) return impl_->picture->property(name);
  const engine::GraphView& reader = *impl_->graph;
  const auto key = reader.catalog().find_property(name);
  const auto place = key ? impl_->record.find(*key) : std::nullopt;
  if (!place) return Value();
  // Decoded at each call, and not cached.
  auto stored = impl_->record.value(*place);
  if (!stored) {
    Error error = stored.error();
    error.message =
        engine::entity_text(codec::EntityKind::node, impl_->id.value) + ": " + error.message;
    return error;
  }
  if (auto* const inside = std::get_if<Value>(&*stored)) return std::move(*inside);
  return reader.records().resolve(codec::EntityKind::node, impl_->id.value, *key, *stored);
}

bool NodeView::has_label(std::string_view label) const noexcept {
  if (impl_->picture) return impl_->picture->has_label(label);
  const auto id = impl_->graph->catalog().find_label(label);
  const auto labels = impl_->record.labels();
  return id && std::binary_search(labels.begin(), labels.end(), *id);
}

std::vector<std::string_view> NodeView::labels() const {
  if (impl_->picture) return {impl_->picture->labels().begin(), impl_->picture->labels().end()};
  std::vector<std::string_view> names;
  for (const std::uint32_t label : impl_->record.labels())
    names.push_back(impl_->graph->catalog().name(codec::CatalogKind::label, label));
  std::sort(names.begin(), names.end());
  return names;
}

std::string_view NodeView::external_id() const noexcept {
  return impl_->picture ? std::string_view(impl_->picture->external_id())
                        : impl_->record.external_id();
}

Result<std::optional<NodeView>> view_node(const Snapshot& snapshot, NodeId node) {
  if (Access::forwarding(snapshot) != nullptr) {
    CAIRN_ASSIGN(auto found, snapshot.find_node(node));
    if (!found) return std::optional<NodeView>();
    return std::optional(NodeView(std::make_shared<NodeView::Impl>(*std::move(found))));
  }
  auto view = Access::graph_view(snapshot);
  CAIRN_ASSIGN(auto bytes,
               view->records().get(engine::Family::nodes, codec::record_key(node.value)));
  if (!bytes) return std::optional<NodeView>();
  // The string is moved to its final place first, as the record points into it.
  const auto impl = std::make_shared<NodeView::Impl>(std::move(view), node, *std::move(bytes));
  CAIRN_ASSIGN(impl->record, engine::node_view(node.value, impl->stored));
  return std::optional(NodeView(impl));
}

// Tries the node that had this external id the last time, and checks it by its record. If that record cannot be read, it may
// be of another node, so its error is ignored.
Result<std::optional<NodeView>> view_node(const Snapshot& snapshot, std::string_view external_id) {
  if (Access::forwarding(snapshot) != nullptr) {
    CAIRN_ASSIGN(auto found, snapshot.find_node(external_id));
    if (!found) return std::optional<NodeView>();
    return std::optional(NodeView(std::make_shared<NodeView::Impl>(*std::move(found))));
  }
  const auto view = Access::graph_view(snapshot);
  engine::ExternalIdHints& hints = *view->state().id_hints;
  if (const std::uint64_t hinted = hints.find(0, external_id);
      hinted != 0 && !external_id.empty()) {
    auto node = view_node(snapshot, NodeId{hinted});
    const auto is_it = [&](const codec::NodeView& record) {
      return record.name_space() == 0 && record.external_id() == external_id;
    };
    if (node && *node && is_it((*node)->impl_->record)) return node;
  }
  CAIRN_ASSIGN(const auto id, view->find_external(0, external_id));
  if (!id) return std::optional<NodeView>();
  hints.note(0, external_id, *id);
  return view_node(snapshot, NodeId{*id});
}

}  // namespace cairn
