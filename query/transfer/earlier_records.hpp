#pragma once
// Finds the records that an earlier import of the same file stored, so that an interrupted import can be repeated. Nodes
// are found by their external ids, relationships by their ends, type, properties and system fields.

#include "query/transfer/id_bits.hpp"

#include <cairn/graph.hpp>
#include <cairn/result.hpp>
#include <cairn/system_fields.hpp>
#include <cairn/transaction.hpp>

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

namespace cairn::query {

/// True if creating a record with the properties `wanted` stores `stored`. Null properties are not stored, and a list of
/// numbers is stored as a vector if a vector index covers it.
[[nodiscard]] bool are_stored_as(const Properties& wanted, const Properties& stored);

/// True if both records have the same namespace, author, deletion, expiry and valid times. The times of creation and last
/// change are ignored: they do not describe the content.
[[nodiscard]] bool are_same_marks(const SystemFields& wanted, const SystemFields& stored);

/// All lookups find hidden records too. A line without system fields (`fields` is nullopt) means the default namespace
/// and matches any deletion, expiry and valid times.
class EarlierRecords {
 public:
  /// Registers a record that this import created, so that no later line is matched with it.
  void note_made(NodeId node) {
    made_.insert(node.value);
    batch_nodes_.push_back(node.value);
  }
  void note_made(RelationshipId relationship) { take_relationship(relationship); }
  /// The batch that was open is committed.
  void keep_batch();
  /// The batch that was open is lost: its lines are matched again.
  void take_batch_back();
  /// True if no line was matched with an existing node. Then take() finds nothing.
  [[nodiscard]] bool is_empty() const noexcept { return nodes_.empty(); }
  /// Returns the node that existed before this import and has the external id of `node`.
  /// Errors: not_found if it does not exist; already_exists if an earlier line created or matched the node.
  [[nodiscard]] Result<Node> find(const Transaction& transaction, const NewNode& node,
                                  const std::optional<SystemFields>& fields);
  /// True if the node has exactly the wanted labels and properties, and the wanted system fields if there are any.
  [[nodiscard]] static Result<bool> is_equal(const Transaction& transaction, const Node& node,
                                             const NewNode& wanted,
                                             const std::optional<SystemFields>& fields);

  /// True if such a relationship existed before and no earlier line was matched with it; it is matched with this line
  /// then. Two equal lines need two relationships.
  /// Cost: nothing if one end is new; else a read of the relationships of the type from the source to the target.
  [[nodiscard]] Result<bool> take(const Transaction& transaction, const NewRelationship& wanted,
                                  const std::optional<SystemFields>& fields);

 private:
  void take_relationship(RelationshipId relationship) {
    taken_.insert(relationship.value);
    batch_relationships_.push_back(relationship.value);
  }

  std::unordered_set<std::uint64_t> made_;   // nodes that this import created
  std::unordered_set<std::uint64_t> nodes_;  // existing nodes that a line was matched with
  IdBits taken_;  // relationships that a line was matched with or created
  // What the open batch added to the sets above.
  std::vector<std::uint64_t> batch_nodes_;
  std::vector<std::uint64_t> batch_relationships_;
};

}  // namespace cairn::query
