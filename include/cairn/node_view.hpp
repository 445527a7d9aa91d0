#pragma once
// NodeView: a stored node that decodes only the values that are read.
//
//     CAIRN_ASSIGN(const auto node, cairn::view_node(snapshot, id));       // nullopt: not there
//     if (node) std::cout << node->property("name")->to_text() << "\n";
//     CAIRN_ASSIGN(const auto other, cairn::view_node(snapshot, "memory/17"));  // by external id
//
// For programs that read a property or two of many nodes. Snapshot::find_node() decodes every label
// and property of the node, which costs more than finding it.

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

/// A node as of one snapshot. The record is verified when it is fetched, and each value when it is
/// decoded. The view owns its bytes and keeps the snapshot alive.
///
/// Cost: a copy is one reference count. Threads: any number of threads may read one view.
class CAIRN_EXPORT NodeView {
 public:
  [[nodiscard]] NodeId id() const noexcept;
  /// The number of properties.
  [[nodiscard]] std::size_t size() const noexcept;
  /// Bytes of the record: labels, external id and properties, without vectors and long texts, which
  /// are stored separately. In an attached process, bytes of the message that contained the record.
  [[nodiscard]] std::size_t bytes() const noexcept;
  /// Returns a property, or null if the node has none of this name. A vector or a text of more than
  /// 512 bytes is read from the store. Errors: corruption; io_error.
  [[nodiscard]] Result<Value> property(std::string_view name) const;
  /// True if the node has the label. Cost: a binary search.
  [[nodiscard]] bool has_label(std::string_view label) const noexcept;
  /// The labels in order; valid as long as a view of this node.
  [[nodiscard]] std::vector<std::string_view> labels() const;
  /// Empty if it has none; valid as long as a view of this node.
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

/// Returns the node with this id; nullopt if the snapshot does not contain it. Cost: one read of
/// the store. Errors: corruption if the record is damaged, naming the node.
[[nodiscard]] CAIRN_EXPORT Result<std::optional<NodeView>> view_node(const Snapshot& snapshot,
                                                                     NodeId node);
/// Returns the node with this external id in the default namespace, like Snapshot::find_node().
/// Cost: two reads of the store, or one if the node was viewed by this external id before. Errors:
/// corruption.
[[nodiscard]] CAIRN_EXPORT Result<std::optional<NodeView>> view_node(const Snapshot& snapshot,
                                                                     std::string_view external_id);

}  // namespace cairn
