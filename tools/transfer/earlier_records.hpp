#pragma once
// What an import finds that an import before it has loaded already, so that one that was interrupted
// can be repeated: nodes by their external ids, relationships between them by all they are.

#include <cairn/graph.hpp>
#include <cairn/result.hpp>
#include <cairn/statement.hpp>
#include <cairn/transaction.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace cairn::tools {

class EarlierRecords {
 public:
  /// A node that this import made: no later line is joined to it.
  void note_made(NodeId node) { made_.insert(node.value); }
  /// The node with the external id of `node`, which was there before this import.
  /// Errors: not_found where there is none, already_exists where an earlier line made it or was told of it.
  [[nodiscard]] Result<Node> find(Transaction& transaction, const NewNode& node);

  /// Whether such a relationship was there before and no line has been told so of it: of two equal lines
  /// each needs one of its own. Cost: nothing where an end is new; the first time for a node, one read
  /// of the relationships that start there.
  [[nodiscard]] Result<bool> take(Transaction& transaction, const NewRelationship& wanted);

 private:
  struct Start {
    std::string type;
    NodeId target;
    std::int64_t id = 0;
  };

  [[nodiscard]] Result<std::vector<Start>*> starting_at(Transaction& transaction, NodeId node);

  std::unordered_set<std::uint64_t> made_;
  std::unordered_set<std::uint64_t> nodes_;                       // that were there before
  std::unordered_map<std::uint64_t, std::vector<Start>> starts_;  // those that no line has taken
};

}  // namespace cairn::tools
