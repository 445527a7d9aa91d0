#pragma once
// The two kinds of graph element and the path made of them, as values of a result.

#include <cairn/export.hpp>

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

class Value;

/// The internal id of a node: dense, unique for ever within a database, never reused.
struct NodeId {
  std::uint64_t value = 0;
  friend auto operator<=>(const NodeId&, const NodeId&) = default;
};

/// The internal id of a relationship: a number space of its own.
struct RelationshipId {
  std::uint64_t value = 0;
  friend auto operator<=>(const RelationshipId&, const RelationshipId&) = default;
};

using Properties = std::map<std::string, Value, std::less<>>;

/// A node as of one snapshot: id, labels and properties. Copies share their content.
class CAIRN_EXPORT Node {
 public:
  struct Content {
    std::vector<std::string> labels;  ///< sorted
    Properties properties;
    std::string external_id;  ///< empty where none was given
  };

  Node() = default;
  explicit Node(NodeId id, std::shared_ptr<const Content> content = nullptr)
      : id_(id), content_(std::move(content)) {}

  [[nodiscard]] NodeId id() const noexcept { return id_; }
  /// Labels in order; valid while this node lives.
  [[nodiscard]] const std::vector<std::string>& labels() const noexcept { return content().labels; }
  [[nodiscard]] bool has_label(std::string_view label) const noexcept;
  [[nodiscard]] const Properties& properties() const noexcept { return content().properties; }
  /// The property, or null where the node has none of this name. Valid while this node lives.
  [[nodiscard]] const Value& property(std::string_view name) const noexcept;
  [[nodiscard]] const std::string& external_id() const noexcept { return content().external_id; }

  /// False for a node inside a running statement that nobody has read yet; rows are always loaded.
  [[nodiscard]] bool is_loaded() const noexcept { return content_ != nullptr; }
  /// Two nodes are equal when their ids are.
  friend bool operator==(const Node& a, const Node& b) noexcept { return a.id_ == b.id_; }

 private:
  [[nodiscard]] const Content& content() const noexcept;

  NodeId id_;
  std::shared_ptr<const Content> content_;  // owners: the copies of this node
};

/// A relationship as of one snapshot. Copies share their content.
class CAIRN_EXPORT Relationship {
 public:
  struct Content {
    std::string type;
    NodeId source;
    NodeId target;
    Properties properties;
  };

  Relationship() = default;
  explicit Relationship(RelationshipId id, std::shared_ptr<const Content> content = nullptr)
      : id_(id), content_(std::move(content)) {}

  [[nodiscard]] RelationshipId id() const noexcept { return id_; }
  [[nodiscard]] const std::string& type() const noexcept { return content().type; }
  [[nodiscard]] NodeId source() const noexcept { return content().source; }
  [[nodiscard]] NodeId target() const noexcept { return content().target; }
  [[nodiscard]] const Properties& properties() const noexcept { return content().properties; }
  [[nodiscard]] const Value& property(std::string_view name) const noexcept;

  [[nodiscard]] bool is_loaded() const noexcept { return content_ != nullptr; }
  /// Two relationships are equal when their ids are.
  friend bool operator==(const Relationship& a, const Relationship& b) noexcept {
    return a.id_ == b.id_;
  }

 private:
  [[nodiscard]] const Content& content() const noexcept;

  RelationshipId id_;
  std::shared_ptr<const Content> content_;  // owners: the copies of this relationship
};

/// Nodes joined by relationships: always one node more than relationships.
struct Path {
  std::vector<Node> nodes;
  std::vector<Relationship> relationships;

  friend bool operator==(const Path&, const Path&) = default;
};

}  // namespace cairn

template <>
struct std::hash<cairn::NodeId> {
  std::size_t operator()(cairn::NodeId id) const noexcept {
    return std::hash<std::uint64_t>{}(id.value);
  }
};
template <>
struct std::hash<cairn::RelationshipId> {
  std::size_t operator()(cairn::RelationshipId id) const noexcept {
    return std::hash<std::uint64_t>{}(id.value);
  }
};
