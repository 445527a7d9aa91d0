#pragma once
// NodeView: a node as it lies in the store, of which nothing is made before it is asked for.
//
//     CAIRN_ASSIGN(const auto node, cairn::view_node(snapshot, id));       // nullopt: not there
//     if (node) std::cout << node->property("name")->to_text() << "\n";
//     CAIRN_ASSIGN(const auto other, cairn::view_node(snapshot, "memory/17"));  // by external id
//
// For programs that look at a property or two of many nodes: Snapshot::find_node makes every label and
// every property of the node, which costs more than to find it.

#include <cairn/graph.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace cairn {

/// A node as of one snapshot, verified as a whole when it was fetched; a value is checked when it is
/// made. It keeps its own bytes, and keeps the snapshot alive.
///
/// Cost: a copy is one reference count. Threads: any number of threads may read one view.
class CAIRN_EXPORT NodeView {
 public:
  [[nodiscard]] NodeId id() const noexcept;
  /// How many properties the node has.
  [[nodiscard]] std::size_t size() const noexcept;
  /// Bytes of the record: labels, external id and properties, but for vectors and long texts, which lie
  /// apart. Of an attached process: of the message in which it came.
  [[nodiscard]] std::size_t bytes() const noexcept;
  /// The property, or null where the node has none of this name. A vector or a text of more than 512
  /// bytes is read from the store. Errors: corruption; io_error.
  [[nodiscard]] Result<Value> property(std::string_view name) const;
  /// Whether the node has the label. Cost: a binary search.
  [[nodiscard]] bool has_label(std::string_view label) const noexcept;
  /// In order; valid while a view of this node lives.
  [[nodiscard]] std::vector<std::string_view> labels() const;
  /// Empty where none was given; valid while a view of this node lives.
  [[nodiscard]] std::string_view external_id() const noexcept;

 private:
  class Impl;
  explicit NodeView(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  friend CAIRN_EXPORT Result<std::optional<NodeView>> view_node(const Snapshot& snapshot,
                                                                NodeId node);
  friend CAIRN_EXPORT Result<std::optional<NodeView>> view_node(const Snapshot& snapshot,
                                                                std::string_view external_id);

  std::shared_ptr<const Impl> impl_;  // owners: the copies of this view
};

/// The node with this id; nothing if the snapshot sees no such node. Cost: one read of the store. Errors: corruption, where the record is damaged, naming the node.
[[nodiscard]] CAIRN_EXPORT Result<std::optional<NodeView>> view_node(const Snapshot& snapshot,
                                                                     NodeId node);
/// The node with this external id, of the default namespace, as Snapshot::find_node has it. Cost: two
/// reads of the store, or one where the node was viewed by it before. Errors: corruption.
[[nodiscard]] CAIRN_EXPORT Result<std::optional<NodeView>> view_node(const Snapshot& snapshot,
                                                                     std::string_view external_id);

}  // namespace cairn
