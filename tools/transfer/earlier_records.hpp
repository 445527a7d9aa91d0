#pragma once
// What an import finds that an import before it has loaded already, so that one that was interrupted
// can be repeated: nodes by their external ids, relationships between them by all they are.

#include <cairn/graph.hpp>
#include <cairn/result.hpp>
#include <cairn/statement.hpp>
#include <cairn/transaction.hpp>

#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace cairn::tools {

/// A set of ids that lie close together: a bit for each, in pages of 4,096.
class IdBits {
 public:
  [[nodiscard]] bool contains(std::uint64_t id) const {
    const auto page = pages_.find(id / page_ids);
    return page != pages_.end() && page->second.test(id % page_ids);
  }
  void insert(std::uint64_t id) { pages_[id / page_ids].set(id % page_ids); }

 private:
  static constexpr std::size_t page_ids = 4'096;
  std::unordered_map<std::uint64_t, std::bitset<page_ids>> pages_;
};

/// Whether a record made of `wanted` would have the properties `stored`: null is no property, and a list
/// of numbers is stored as a vector where a vector index covers it.
[[nodiscard]] bool are_stored_as(const Properties& wanted, const Properties& stored);

class EarlierRecords {
 public:
  /// A node that this import made: no later line is joined to it.
  void note_made(NodeId node) { made_.insert(node.value); }
  void note_made(RelationshipId relationship) { taken_.insert(relationship.value); }
  /// The node with the external id of `node`, which was there before this import.
  /// Errors: not_found where there is none, already_exists where an earlier line made it or was told of it.
  [[nodiscard]] Result<Node> find(Transaction& transaction, const NewNode& node);

  /// Whether such a relationship was there before and no line has been told so of it: of two equal lines
  /// each needs one of its own. Cost: nothing where an end is new; else one read of the relationships
  /// of its type from its source to its target.
  [[nodiscard]] Result<bool> take(Transaction& transaction, const NewRelationship& wanted);

 private:
  [[nodiscard]] Result<const Statement*> search_for(const std::string& type);
  [[nodiscard]] Result<bool> has_properties(Transaction& transaction, std::int64_t relationship,
                                            const Properties& wanted);

  std::unordered_set<std::uint64_t> made_;
  std::unordered_set<std::uint64_t> nodes_;    // that were there before
  IdBits taken_;                               // relationships that a line has taken or made
  std::optional<Statement> properties_;        // of a relationship
  std::map<std::string, Statement> searches_;  // by type
};

}  // namespace cairn::tools
