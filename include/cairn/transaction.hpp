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

#include <cairn/export.hpp>
#include <cairn/graph.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// A reading transaction is a snapshot that statements can join; it waits for nobody.
enum class TransactionMode : std::uint8_t { read, write };

/// A node to make. Labels may come in any order; twice the same is once.
struct NewNode {
  std::vector<std::string> labels = {};
  Properties properties = {};
  std::string external_id = {};  ///< unique within the namespace; empty for none
};

/// A relationship to make, from source to target. Both may be nodes of the same transaction.
struct NewRelationship {
  NodeId source;
  std::string type;
  NodeId target;
  Properties properties = {};
};

/// Changes that become true together. Statements join it through Statement::run(Transaction&).
///
/// A call that fails with anything but invalid_argument, type_error, not_found or already_exists
/// leaves the transaction fit for rollback only. A transaction that ends without commit() is
/// rolled back. Threads: one at a time.
class CAIRN_EXPORT Transaction {
 public:
  Transaction(Transaction&&) noexcept;
  Transaction& operator=(Transaction&&) noexcept;
  ~Transaction();

  /// Make a node. Vectors (Vector values) go to their embedding space; a null property is left out.
  /// Errors: already_exists for a used external id, invalid_argument for a value over a limit.
  [[nodiscard]] Result<NodeId> create_node(const NewNode& node);
  /// Make a relationship.
  /// Errors: not_found where either end does not exist; invalid_argument for an empty type.
  [[nodiscard]] Result<RelationshipId> create_relationship(const NewRelationship& relationship);

  /// Set one property; a null value removes it. Errors: not_found.
  [[nodiscard]] Status set_property(NodeId node, std::string_view name, const Value& value);
  [[nodiscard]] Status set_property(RelationshipId relationship, std::string_view name,
                                    const Value& value);
  /// Add or remove a label; what is so already stays so, without an error. Errors: not_found.
  [[nodiscard]] Status add_label(NodeId node, std::string_view label);
  [[nodiscard]] Status remove_label(NodeId node, std::string_view label);

  /// Erase a node. Errors: not_found; conflict where it still has relationships.
  [[nodiscard]] Status erase_node(NodeId node);
  /// Erase a node and its relationships. Errors: not_found.
  [[nodiscard]] Status erase_node_and_relationships(NodeId node);
  /// Erase a relationship; its ends stay. Errors: not_found.
  [[nodiscard]] Status erase_relationship(RelationshipId relationship);

  /// As Snapshot::find_node, with the changes of this transaction.
  [[nodiscard]] Result<std::optional<Node>> find_node(NodeId node) const;
  [[nodiscard]] Result<std::optional<Node>> find_node(std::string_view external_id) const;

  /// Make all changes true at once and end the transaction.
  /// Errors: io_error and corruption leave the outcome unknown until the database is opened anew.
  [[nodiscard]] Status commit();
  /// Drop all changes and end the transaction.
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
