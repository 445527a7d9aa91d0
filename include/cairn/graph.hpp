#pragma once
// The two kinds of graph element and the path made of them, as values of a result.
//
// They are pictures, not handles: what a Node says was true in the snapshot or transaction it was read
// from, and changing it changes nothing. Writing goes through Transaction or a statement.
//
//     CAIRN_ASSIGN(const auto ada, snapshot.find_node("urn:ada"));
//     if (ada && ada->has_label("Person")) std::cout << ada->property("name").to_text() << "\n";
//
// Vectors among the properties come with them: a node with an embedding of 1,024 components holds 4
// KiB more. A statement that returns `n.name` instead of `n` reads and copies the name alone.

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

/// The internal id of a node: dense, unique for ever within a database, never reused.
///
/// 0 names nothing. Ids are given out in blocks of 4,096 a namespace, so they grow, but not without
/// gaps. Store them freely; but an id of one database means nothing in another: what must survive an
/// export and an import is the external id.
///
/// An id of an erased node finds nothing. Ids order by value, which is roughly the order of
/// creation within a namespace and nothing to rely on: sort by a date instead.
struct NodeId {
  std::uint64_t value = 0;
  friend auto operator<=>(const NodeId&, const NodeId&) = default;
};

/// The internal id of a relationship: a number space of its own.
/// Node 7 and relationship 7 are unrelated; the two types prevent a mix-up.
struct RelationshipId {
  std::uint64_t value = 0;
  friend auto operator<=>(const RelationshipId&, const RelationshipId&) = default;
};

/// Properties by name, in code point order of the names. A property that is null is not stored: setting
/// null removes. Maps nest up to Options::max_nesting_levels; a nested value has the path "a.b".
/// At most 4,096 for one record, with 64 MiB together; a text over 512 bytes is stored beside its
/// record and does not count. Names are case-sensitive, 1 to 1,024 bytes long.
using Properties = std::map<std::string, Value, std::less<>>;

/// A node as of one snapshot: id, labels and properties. Copies share their content.
///
///     if (auto found = snapshot.find_node("urn:1"); found && *found)
///       std::cout << (*found)->property("name").to_text();
///
/// Cost: a copy is one reference count. Threads: different copies may be used from different threads.
class CAIRN_EXPORT Node {
 public:
  /// What the copies share; made when the record is read, and immutable after that.
  struct Content {
    std::vector<std::string> labels;  ///< sorted
    Properties properties;
    std::string external_id;  ///< empty where none was given
  };

  /// The node of id 0, which names nothing, with empty content.
  Node() = default;
  /// A picture of one's own, for tests and formats: it is in no database. `labels` must be sorted.
  explicit Node(NodeId id, std::shared_ptr<const Content> content = nullptr)
      : id_(id), content_(std::move(content)) {}

  /// What Snapshot::find_node, `id(n)` in the language and the changes of a Transaction take.
  [[nodiscard]] NodeId id() const noexcept { return id_; }
  /// Labels in order; valid while this node lives. A node may have none.
  [[nodiscard]] const std::vector<std::string>& labels() const noexcept { return content().labels; }
  /// Whether the node has the label; "person" is not "Person". Cost: a binary search.
  [[nodiscard]] bool has_label(std::string_view label) const noexcept;
  /// All properties; valid while this node lives.
  [[nodiscard]] const Properties& properties() const noexcept { return content().properties; }
  /// The property, or null where the node has none of this name. Valid while this node lives.
  [[nodiscard]] const Value& property(std::string_view name) const noexcept;
  /// The name that the user gave it, unique within its namespace; empty where none was given.
  [[nodiscard]] const std::string& external_id() const noexcept { return content().external_id; }

  /// False for a node inside a running statement that nobody has read yet; rows are always loaded.
  [[nodiscard]] bool is_loaded() const noexcept { return content_ != nullptr; }
  /// Two nodes are equal when their ids are.
  /// Whatever they say: the same node read from two snapshots is equal with different properties.
  friend bool operator==(const Node& a, const Node& b) noexcept { return a.id_ == b.id_; }

 private:
  [[nodiscard]] const Content& content() const noexcept;

  NodeId id_;
  std::shared_ptr<const Content> content_;  // owners: the copies of this node
};

/// A relationship as of one snapshot. Copies share their content.
///
/// It always has exactly one type and one direction, from source() to target(), which may be the same
/// node. Between two nodes there may be any number of relationships, of one type too.
///
/// Cost and threads: as for Node.
class CAIRN_EXPORT Relationship {
 public:
  /// As Node::Content.
  struct Content {
    std::string type;  ///< never empty once loaded
    NodeId source;     ///< where it starts
    NodeId target;     ///< where it ends
    Properties properties;
  };

  /// As the constructors of Node.
  Relationship() = default;
  explicit Relationship(RelationshipId id, std::shared_ptr<const Content> content = nullptr)
      : id_(id), content_(std::move(content)) {}

  /// What Snapshot::find_relationship and Transaction::erase_relationship take.
  [[nodiscard]] RelationshipId id() const noexcept { return id_; }
  /// What kind of relationship it is; case-sensitive, valid while this relationship lives.
  [[nodiscard]] const std::string& type() const noexcept { return content().type; }
  /// The node it starts at. The node itself is read by its id: Snapshot::find_node.
  [[nodiscard]] NodeId source() const noexcept { return content().source; }
  /// Equal to source() for a relationship from a node to itself.
  [[nodiscard]] NodeId target() const noexcept { return content().target; }
  /// All properties; valid while this relationship lives.
  [[nodiscard]] const Properties& properties() const noexcept { return content().properties; }
  /// The property, or null if there is no such property. Valid while this relationship lives.
  [[nodiscard]] const Value& property(std::string_view name) const noexcept;

  /// As Node::is_loaded.
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
///
/// relationships[i] joins nodes[i] and nodes[i + 1], in either direction: its own source() and target()
/// say in which. A path of one node and no relationship is one of length 0.
///
/// Its length is relationships.size(). In a path that a pattern found a relationship stands once, a
/// node may several times.
struct Path {
  std::vector<Node> nodes;
  std::vector<Relationship> relationships;

  friend bool operator==(const Path&, const Path&) = default;
};

}  // namespace cairn

template <>
// Ids as keys of unordered containers.
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
