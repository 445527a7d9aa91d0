#pragma once
// Node, Relationship and Path as values of results.
//
// They are copies, not handles: a Node holds what the snapshot or transaction saw, and changing it
// changes nothing in the database. Write through a Transaction or a statement.
//
//     CAIRN_ASSIGN(const auto ada, snapshot.find_node("urn:ada"));
//     if (ada && ada->has_label("Person")) std::cout << ada->property("name").to_text() << "\n";
//
// Vector properties are included: a node with an embedding of 1,024 components takes 4 KiB more. A
// statement that returns `n.name` instead of `n` only reads and copies the name.

#include <cairn/visibility.hpp>

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

/// The internal id of a node: dense, unique within a database, never reused.
///
/// 0 is not a valid id. Ids are assigned in blocks of 4,096 per namespace, so they grow with gaps.
/// They may be stored, but they are meaningless in another database: use the external id for data
/// that is exported and imported.
///
/// The id of an erased node finds nothing. The order of ids is roughly the order of creation within
/// a namespace, but do not rely on that: sort by a date instead.
struct NodeId {
  std::uint64_t value = 0;
  friend auto operator<=>(const NodeId&, const NodeId&) = default;
};

/// The internal id of a relationship. Node 7 and relationship 7 are unrelated; the two types
/// prevent a mix-up.
struct RelationshipId {
  std::uint64_t value = 0;
  friend auto operator<=>(const RelationshipId&, const RelationshipId&) = default;
};

/// Properties by name, in code point order of the names. A null property is not stored: setting
/// null removes a property. Maps nest up to Options::max_nesting_levels; a nested value has the
/// path "a.b". A record has at most 4,096 properties, with 64 MiB in total; a text over 512 bytes
/// is stored separately and does not count. Names are case-sensitive and 1 to 1,024 bytes long.
using Properties = std::map<std::string, Value, std::less<>>;

/// A node as of one snapshot: id, labels and properties. Copies share their content.
///
///     if (auto found = snapshot.find_node("urn:1"); found && *found)
///       std::cout << (*found)->property("name").to_text();
///
/// Cost: a copy is one reference count. Threads: different copies may be used from different
/// threads.
class CAIRN_EXPORT Node {
 public:
  /// The content that copies share. It is immutable once the record is read.
  struct Content {
    std::vector<std::string> labels;  ///< sorted
    Properties properties;
    std::string external_id;  ///< empty if it has none
  };

  /// A node with id 0 and empty content.
  Node() = default;
  /// Makes a node that is in no database, for tests and file formats. `labels` must be sorted.
  explicit Node(NodeId id, std::shared_ptr<const Content> content = nullptr)
      : id_(id), content_(std::move(content)) {}

  /// The id for Snapshot::find_node(), `id(n)` in the language, and the calls of a Transaction.
  [[nodiscard]] NodeId id() const noexcept { return id_; }
  /// The labels in order; valid as long as this node. A node may have no labels.
  [[nodiscard]] const std::vector<std::string>& labels() const noexcept { return content().labels; }
  /// True if the node has the label; case-sensitive. Cost: a binary search.
  [[nodiscard]] bool has_label(std::string_view label) const noexcept;
  /// All properties; valid as long as this node.
  [[nodiscard]] const Properties& properties() const noexcept { return content().properties; }
  /// The property, or null if the node has no property of this name. Valid as long as this node.
  [[nodiscard]] const Value& property(std::string_view name) const noexcept;
  /// The name that the user gave the node, unique within its namespace; empty if it has none.
  [[nodiscard]] const std::string& external_id() const noexcept { return content().external_id; }

  /// False for a node in a running statement whose record was not read. Nodes in rows are always
  /// loaded.
  [[nodiscard]] bool is_loaded() const noexcept { return content_ != nullptr; }
  /// Nodes are equal if their ids are, even if they were read from two snapshots and have different
  /// properties.
  friend bool operator==(const Node& a, const Node& b) noexcept { return a.id_ == b.id_; }

 private:
  [[nodiscard]] const Content& content() const noexcept;

  NodeId id_;
  std::shared_ptr<const Content> content_;  // owners: the copies of this node
};

/// A relationship as of one snapshot. Copies share their content.
///
/// It has exactly one type and one direction, from source() to target(), which may be the same
/// node. Two nodes may have any number of relationships, even of one type.
///
/// Cost and threads: as for Node.
class CAIRN_EXPORT Relationship {
 public:
  /// Like Node::Content.
  struct Content {
    std::string type;  ///< never empty once loaded
    NodeId source;     ///< where it starts
    NodeId target;     ///< where it ends
    Properties properties;
  };

  /// Like the constructors of Node.
  Relationship() = default;
  explicit Relationship(RelationshipId id, std::shared_ptr<const Content> content = nullptr)
      : id_(id), content_(std::move(content)) {}

  /// The id for Snapshot::find_relationship() and Transaction::erase_relationship().
  [[nodiscard]] RelationshipId id() const noexcept { return id_; }
  /// The type of the relationship; case-sensitive, valid as long as this relationship.
  [[nodiscard]] const std::string& type() const noexcept { return content().type; }
  /// The node where it starts. Read the node by its id: Snapshot::find_node().
  [[nodiscard]] NodeId source() const noexcept { return content().source; }
  /// The node where it ends. Equal to source() for a relationship from a node to itself.
  [[nodiscard]] NodeId target() const noexcept { return content().target; }
  /// All properties; valid as long as this relationship.
  [[nodiscard]] const Properties& properties() const noexcept { return content().properties; }
  /// The property, or null if it does not exist. Valid as long as this relationship.
  [[nodiscard]] const Value& property(std::string_view name) const noexcept;

  /// Like Node::is_loaded().
  [[nodiscard]] bool is_loaded() const noexcept { return content_ != nullptr; }
  /// Relationships are equal if their ids are.
  friend bool operator==(const Relationship& a, const Relationship& b) noexcept {
    return a.id_ == b.id_;
  }

 private:
  [[nodiscard]] const Content& content() const noexcept;

  RelationshipId id_;
  std::shared_ptr<const Content> content_;  // owners: the copies of this relationship
};

/// Nodes joined by relationships: one node more than relationships.
///
/// relationships[i] joins nodes[i] and nodes[i + 1] in either direction; its own source() and
/// target() show which. A path with one node and no relationship has length 0.
///
/// Its length is relationships.size(). A path found by a pattern contains a relationship once, and
/// may contain a node several times.
struct Path {
  std::vector<Node> nodes;
  std::vector<Relationship> relationships;

  friend bool operator==(const Path&, const Path&) = default;
};

}  // namespace cairn

template <>
// Ids can be keys of unordered containers.
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
