#pragma once
// Transaction: a set of changes. The transaction sees its own changes; others see them after it
// commits.
//
//     CAIRN_ASSIGN(Transaction transaction, database.begin());
//     CAIRN_ASSIGN(const NodeId ada, transaction.create_node({{"Person"}, {{"name", "Ada"}}}));
//     CAIRN_ASSIGN(const NodeId bob, transaction.create_node({{"Person"}, {{"name", "Bob"}}}));
//     CAIRN_TRY(transaction.create_relationship({ada, "KNOWS", bob}));
//     CAIRN_TRY(transaction.commit());
//
// There is one writer at a time, in order of arrival, so transactions never conflict. Many changes
// in one transaction are much cheaper than many transactions, because each commit waits for the
// disk once (Durability::sync). A transaction may hold Options::transaction_bytes of changes.

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

/// Whether a transaction writes, and whether it waits for the writer lock.
enum class TransactionMode : std::uint8_t {
  read,           ///< a snapshot for several statements; never waits
  write,          ///< waits for the writer lock, at most Options::writer_timeout
  write_if_free,  ///< writes; fails with busy at once if another writer has the lock
};

/// A node to create. Labels may be in any order and repeated.
///
///     const NewNode ada{{"Person"}, {{"name", "Ada"}}, "urn:ada"};
///
struct NewNode {
  /// At most 1,024 labels of 1 to 1,024 bytes each; may be empty.
  std::vector<std::string> labels = {};
  /// At most 4,096, by name.
  Properties properties = {};
  std::string external_id = {};  ///< unique within the namespace; empty for none
  /// In microseconds since 1970 UTC. The node is hidden from then on, and erased some time later.
  std::optional<std::int64_t> expires_at = std::nullopt;
};

/// A relationship to create, from source to target. Both nodes must exist, and may be of the same
/// transaction. There may be several relationships of one type between the same nodes.
struct NewRelationship {
  NodeId source;
  /// The type of the relationship: 1 to 1,024 bytes, case-sensitive.
  std::string type;
  NodeId target;
  Properties properties = {};
  std::optional<std::int64_t> expires_at = std::nullopt;  ///< see NewNode::expires_at
};

/// The result of put_node().
struct PutNode {
  NodeId node;
  bool created = false;  ///< false: it existed and was changed
};

/// Changes that become visible together. Statements run in it by Statement::run(Transaction&).
///
/// If a call fails with any error except invalid_argument, type_error, not_found and
/// already_exists, the transaction can only be rolled back. A transaction that ends without
/// commit() is rolled back. Threads: one at a time.
///
/// Errors of every call: conflict after its end; unsupported for a writing call in a reading
/// transaction; busy after it lost the writer lock by idleness (Options::writer_idle_limit);
/// resource_limit over Options::transaction_bytes; io_error and corruption of the records to be
/// changed. New records go to the default namespace; for another one use statements
/// (StatementOptions::name_space). Durability: nothing is written before commit(). Ids of a
/// rolled-back transaction are not assigned again.
class CAIRN_EXPORT Transaction {
 public:
  Transaction(Transaction&&) noexcept;
  Transaction& operator=(Transaction&&) noexcept;
  ~Transaction();

  /// Creates a node. Vector values go to their embedding space; a list of numbers that a vector
  /// index covers is stored as a Vector. Null properties are omitted. Errors: already_exists for an
  /// external id in use; invalid_argument for a value over a limit, and for a vector that does not
  /// match an index that covers the node; type_error for a value that cannot be a property. Cost:
  /// index entries for each value, nested ones included; 20,000 to 30,000 nodes of eight properties
  /// per second, if many share a commit.
  [[nodiscard]] Result<NodeId> create_node(const NewNode& node);
  /// Creates the node with this external id, or makes the existing one equal to `node`: its labels,
  /// properties and expiry are replaced. Its relationships stay. Errors: those of create_node();
  /// invalid_argument without an external id.
  [[nodiscard]] Result<PutNode> put_node(const NewNode& node);
  /// Creates a relationship. Errors: not_found if one of the nodes does not exist; invalid_argument
  /// for an empty type; those of create_node() for properties. Cost: two reads, for the nodes.
  [[nodiscard]] Result<RelationshipId> create_relationship(const NewRelationship& relationship);

  /// Sets one property; a null value removes it. Errors: not_found; invalid_argument and
  /// type_error, as for create_node(). Cost: reads and writes the record, without its other vectors
  /// and texts over 512 bytes.
  [[nodiscard]] Status set_property(NodeId node, std::string_view name, const Value& value);
  [[nodiscard]] Status set_property(RelationshipId relationship, std::string_view name,
                                    const Value& value);
  /// Sets all properties of a map; a null value removes one. Other properties stay. Errors: those
  /// of set_property(). Cost: as much as one set_property(), however many there are.
  [[nodiscard]] Status set_properties(NodeId node, const Properties& properties);
  [[nodiscard]] Status set_properties(RelationshipId relationship, const Properties& properties);
  /// Sets when a record expires, in microseconds since 1970 UTC; nullopt: never. Errors: not_found.
  [[nodiscard]] Status set_expiry(NodeId node, std::optional<std::int64_t> expires_at);
  [[nodiscard]] Status set_expiry(RelationshipId relationship,
                                  std::optional<std::int64_t> expires_at);
  /// Adds or removes a label, and with it the node's membership in indexes. Does nothing if the
  /// node has (or lacks) the label already. Errors: not_found; invalid_argument for an empty or too
  /// long label, and if the node has a vector that does not match an index of that label.
  [[nodiscard]] Status add_label(NodeId node, std::string_view label);
  [[nodiscard]] Status remove_label(NodeId node, std::string_view label);

  /// Erases a node with its properties, vectors and index entries. Its external id may be used
  /// again. Errors: not_found; conflict if it still has relationships.
  [[nodiscard]] Status erase_node(NodeId node);
  /// Erases a node and its relationships. Errors: not_found. Cost: one read and write for each
  /// relationship.
  [[nodiscard]] Status erase_node_and_relationships(NodeId node);
  /// Erases a relationship; its nodes stay. Errors: not_found.
  [[nodiscard]] Status erase_relationship(RelationshipId relationship);

  /// Like Snapshot::find_node(), with the changes of this transaction; in a reading transaction, as
  /// of its snapshot. Errors: conflict after its end.
  [[nodiscard]] Result<std::optional<Node>> find_node(NodeId node) const;
  [[nodiscard]] Result<std::optional<Node>> find_node(std::string_view external_id) const;

  /// Makes all changes visible at once and ends the transaction. When commit() returns, new readers
  /// see the changes, in indexes and vector indexes too. Durability says when they are on disk. A
  /// transaction without changes writes nothing and uses no commit number.
  ///
  /// Errors: resource_limit if the disk is full: nothing is changed; roll back and try again when
  /// there is space. After io_error and corruption it is unknown whether changes are stored, and
  /// this database accepts no commits until it is opened again. After an error the transaction is
  /// still open and holds the writer lock: roll it back. In an attached process, a message may end
  /// by saying that the change may still be made, or may have been made, because the host is
  /// stopped or has ended. Then the transaction has ended too: look at the data before you repeat
  /// it.
  [[nodiscard]] Status commit();
  /// Discards all changes, ends the transaction and releases the writer lock. Does nothing if the
  /// transaction has ended.
  void rollback() noexcept;
  /// Returns false after commit() and rollback().
  [[nodiscard]] bool is_open() const noexcept;

  class Impl;

 private:
  friend struct Access;
  explicit Transaction(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn
