#pragma once
// A small graph on which short statements have endless work, and such statements.

#include <cairn/database.hpp>

#include <string>
#include <vector>

namespace cairn::test {

/// Makes, in an empty database:
///   K      60 nodes, each related to each by L, {i}
///   C      5,000 nodes in a chain of NEXT, {i}
///   Hub    one node with 20,000 HAS to Spoke {i, text, group, v}, the first 9,000 of them with a vector v
///   Layer  12 layers of 8, each node related by DOWN to all of the next layer, {d, i}
///   Long   40 nodes with 200 KB of text and lists of 10,000 numbers, {i, text, list}
/// and the indexes texts, of the texts of Spoke and Long, and points, of the vectors.
void build_hostile_graph(Database& database);

/// A statement with far more work or rows than its limits allow. `kind` names the operator with the
/// work.
struct HostileStatement {
  std::string kind;
  std::string text;
  bool is_large = false;  ///< takes memory rather than time: it gets more time
};
[[nodiscard]] std::vector<HostileStatement> hostile_statements();

/// Makes 1,400 memories of 9 KiB, which the calls below work on.
void build_hostile_memories(Database& database);
/// Calls of procedures and functions with too much to do.
[[nodiscard]] std::vector<HostileStatement> hostile_calls();

}  // namespace cairn::test
