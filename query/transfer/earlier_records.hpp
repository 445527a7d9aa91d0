#pragma once
// What an import finds that an import before it has loaded already, so that one that was interrupted
// can be repeated: nodes by their external ids, relationships between them by all they are.

#include "query/transfer/id_bits.hpp"

#include <cairn/graph.hpp>
#include <cairn/result.hpp>
#include <cairn/system_fields.hpp>
#include <cairn/transaction.hpp>

#include <cstdint>
#include <optional>
#include <unordered_set>

namespace cairn::query {

/// Whether a record made of `wanted` would have the properties `stored`: null is not a property, and a list
/// of numbers is stored as a vector where a vector index covers it.
[[nodiscard]] bool are_stored_as(const Properties& wanted, const Properties& stored);

/// Whether `stored` is in the same namespace and has the same marks and valid times. When a record was made
/// and changed says nothing of what it is.
[[nodiscard]] bool are_same_marks(const SystemFields& wanted, const SystemFields& stored);

/// Each asks for records whether hidden or not. Without `fields` they are of the default namespace, with any
/// marks.
class EarlierRecords {
 public:
  /// A node that this import made: no later line is joined to it.
  void note_made(NodeId node) { made_.insert(node.value); }
  void note_made(RelationshipId relationship) { taken_.insert(relationship.value); }
  /// Whether no line was joined to what was there before, so that take() finds nothing.
  [[nodiscard]] bool is_empty() const noexcept { return nodes_.empty(); }
  /// The node with the external id of `node`, which was there before this import.
  /// Errors: not_found if absent, already_exists where an earlier line made it or found it.
  [[nodiscard]] Result<Node> find(const Transaction& transaction, const NewNode& node,
                                  const std::optional<SystemFields>& fields);
  /// Whether the node has all that is wanted.
  [[nodiscard]] static Result<bool> is_equal(const Transaction& transaction, const Node& node,
                                             const NewNode& wanted,
                                             const std::optional<SystemFields>& fields);

  /// Whether such a relationship was there before and no line has found it: of two equal lines
  /// each needs one of its own. Cost: nothing where an end is new; else one read of the relationships
  /// of its type from its source to its target.
  [[nodiscard]] Result<bool> take(const Transaction& transaction, const NewRelationship& wanted,
                                  const std::optional<SystemFields>& fields);

 private:
  std::unordered_set<std::uint64_t> made_;
  std::unordered_set<std::uint64_t> nodes_;  // that were there before
  IdBits taken_;                             // relationships that a line has taken or made
};

}  // namespace cairn::query
