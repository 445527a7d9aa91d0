#pragma once
// Transaction: a writer's turn. It sees its own writes, and nobody else does until it commits.
//
//     CAIRN_ASSIGN(Transaction transaction, database.begin());
//     CAIRN_ASSIGN(const NodeId ada, transaction.create_node({{"Person"}, {{"name", "Ada"}}}));
//     CAIRN_ASSIGN(const NodeId bob, transaction.create_node({{"Person"}, {{"name", "Bob"}}}));
//     CAIRN_TRY(transaction.create_relationship({ada, "KNOWS", bob}));
//     CAIRN_TRY(transaction.commit());
//
// There is one writer at a time, first come first served, so transactions never conflict. Many small
// changes in one transaction are much cheaper than as many transactions: each commit waits for the disk
// once (Durability::sync). One may hold Options::transaction_bytes of changes.

#include <cairn/graph.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// What a transaction is for, and whether it waits.
enum class TransactionMode : std::uint8_t {
  read,           ///< a snapshot that statements can join; it waits for nobody
  write,          ///< waits for its turn, at most Options::writer_timeout
  write_if_free,  ///< writes, and is refused (busy) at once where another writer has the turn
};

/// A node to make. Labels may come in any order; twice the same is once.
///
///     const NewNode ada{{"Person"}, {{"name", "Ada"}}, "urn:ada"};
///
struct NewNode {
  /// At most 1,024, each 1 to 1,024 bytes long; none is allowed.
  std::vector<std::string> labels = {};
  /// By name; at most 4,096.
  Properties properties = {};
  std::string external_id = {};  ///< unique within the namespace; empty for none
  /// In microseconds since 1970 UTC; from then on it is hidden, and erased some time later.
  std::optional<std::int64_t> expires_at = std::nullopt;
};

/// A relationship to make, from source to target. Both may be nodes of the same transaction.
/// Both ends are there when it is made. Of the same type there may be several between the same
/// nodes.
struct NewRelationship {
  NodeId source;
  /// What kind of relationship it is: 1 to 1,024 bytes, case counts.
  std::string type;
  NodeId target;
  Properties properties = {};
  std::optional<std::int64_t> expires_at = std::nullopt;  ///< as NewNode::expires_at
};

/// What put_node() did.
struct PutNode {
  NodeId node;
  bool created = false;  ///< else it was there, and was changed
};

/// Changes that become true together. Statements join it through Statement::run(Transaction&).
///
/// A call that fails with anything but invalid_argument, type_error, not_found or already_exists
/// leaves the transaction fit for rollback only. A transaction that ends without commit() is
/// rolled back. Threads: one at a time.
///
/// Errors of every call: conflict after its end; unsupported for a writing call of a reading
/// transaction; busy after it lost its turn by idleness (Options::writer_idle_limit);
/// resource_limit where it holds more than Options::transaction_bytes; io_error and corruption of
/// reading what is to be changed. New records go into the default namespace: another one is for
/// statements (StatementOptions::name_space).
/// Durability: nothing is written before commit(). Ids that it gave are lost with it and not given
/// again.
class CAIRN_EXPORT Transaction {
 public:
  Transaction(Transaction&&) noexcept;
  Transaction& operator=(Transaction&&) noexcept;
  ~Transaction();

  /// Make a node. Vectors (Vector values) go to their embedding space; a null property is left out.
  /// Errors: already_exists for a used external id, invalid_argument for a value over a limit.
  /// Also invalid_argument for a vector that does not fit an index that covers the node, type_error
  /// for a value that no property can have; a list of numbers such an index covers is stored as a
  /// Vector.
  /// Cost: index entries for each value, nested ones too; 20,000 to 30,000 nodes of eight
  /// properties a second, when many share a commit.
  [[nodiscard]] Result<NodeId> create_node(const NewNode& node);
  /// Make the node of an external id, or make the one that is there equal to `node`: its labels and its
  /// properties become these alone, and its expiry this one. Its relationships stay.
  /// Errors: as of create_node(); invalid_argument without an external id.
  [[nodiscard]] Result<PutNode> put_node(const NewNode& node);
  /// Make a relationship.
  /// Errors: not_found where either end does not exist; invalid_argument for an empty type.
  /// Also for a value over a limit, as of create_node().
  /// Cost: two reads, for the ends.
  [[nodiscard]] Result<RelationshipId> create_relationship(const NewRelationship& relationship);

  /// Set one property; a null value removes it. Errors: not_found.
  /// Also invalid_argument and type_error, as of create_node().
  /// Cost: reads and writes the record, not its other vectors and texts over 512 bytes.
  [[nodiscard]] Status set_property(NodeId node, std::string_view name, const Value& value);
  [[nodiscard]] Status set_property(RelationshipId relationship, std::string_view name,
                                    const Value& value);
  /// Set every property of a map; a null value removes one. Others stay. Errors: as of set_property().
  /// Cost: that of one set_property(), however many there are.
  [[nodiscard]] Status set_properties(NodeId node, const Properties& properties);
  [[nodiscard]] Status set_properties(RelationshipId relationship, const Properties& properties);
  /// Let a record expire at a moment, in microseconds since 1970 UTC; nullopt: never. Errors: not_found.
  [[nodiscard]] Status set_expiry(NodeId node, std::optional<std::int64_t> expires_at);
  [[nodiscard]] Status set_expiry(RelationshipId relationship,
                                  std::optional<std::int64_t> expires_at);
  /// Add or remove a label; what is so already stays so, without an error. Errors: not_found.
  /// Also invalid_argument for an empty or too long label, and where the node has a vector that
  /// does not fit an index of that label. A label changes which indexes the node is in.
  [[nodiscard]] Status add_label(NodeId node, std::string_view label);
  [[nodiscard]] Status remove_label(NodeId node, std::string_view label);

  /// Erase a node. Errors: not_found; conflict where it still has relationships.
  /// Its properties, vectors and index entries go with it, and its external id is free again.
  [[nodiscard]] Status erase_node(NodeId node);
  /// Erase a node and its relationships. Errors: not_found.
  /// Cost: one read and write a relationship.
  [[nodiscard]] Status erase_node_and_relationships(NodeId node);
  /// Erase a relationship; its ends stay. Errors: not_found.
  [[nodiscard]] Status erase_relationship(RelationshipId relationship);

  /// As Snapshot::find_node, with the changes of this transaction.
  /// In a reading transaction as of its snapshot.
  /// Errors: conflict after its end.
  [[nodiscard]] Result<std::optional<Node>> find_node(NodeId node) const;
  [[nodiscard]] Result<std::optional<Node>> find_node(std::string_view external_id) const;

  /// Make all changes true at once and end the transaction.
  /// Errors: resource_limit where the disk has no room, which changes nothing: roll back and try again once there
  /// is some. io_error and corruption leave the outcome unknown and stop further commits of this database until
  /// it is opened again. After an error the transaction is still open and keeps its turn: roll it back.
  /// When it returns, readers who begin see the changes, indexes and vectors included; for what is
  /// on disk then see Durability. A transaction without changes commits for nothing and spends no
  /// commit number.
  [[nodiscard]] Status commit();
  /// Drop all changes and end the transaction.
  /// Nothing on a transaction that has ended. The next writer gets the turn.
  void rollback() noexcept;
  /// False after commit() and rollback().
  [[nodiscard]] bool is_open() const noexcept;

  class Impl;

 private:
  friend struct Access;
  explicit Transaction(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn
