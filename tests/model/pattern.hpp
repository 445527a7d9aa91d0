#pragma once
// PatternQuery: MATCH and OPTIONAL MATCH clauses with a RETURN, which can be written as query text
// and answered by nested loops over a ModelGraph.

#include "tests/model/model_graph.hpp"
#include "tests/model/random.hpp"
#include "tests/model/readers.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cairn::test {

/// (variable:label {v: number}); each part may be absent.
struct NodePart {
  std::string variable;
  std::string label;
  std::optional<int> number;
};

enum class Arrow : std::uint8_t { right, left, either };

/// -[variable:types *least..most {v: number}]->
struct HopPart {
  std::string variable;
  std::vector<std::string> types;
  Arrow arrow = Arrow::right;
  bool is_variable_length = false;
  std::size_t least = 1;
  std::optional<std::size_t> most;
  std::optional<int> number;
};

/// One node more than hops.
struct PathPart {
  std::vector<NodePart> nodes;
  std::vector<HopPart> hops;
};

/// left.v operation right.v, or a number where `right` is empty.
struct NumberTest {
  std::string left;
  std::string operation;
  std::string right;
  int number = 0;
};

struct MatchPart {
  bool is_optional = false;
  std::vector<PathPart> paths;
  std::optional<NumberTest> where;
};

struct ReturnPart {
  enum class Kind : std::uint8_t { rows, distinct_rows, count_rows, count, count_distinct };
  Kind kind = Kind::rows;
  std::vector<std::string> keys;  ///< variables, also those that a count is grouped by
  std::string counted;
};

struct PatternQuery {
  std::vector<MatchPart> matches;
  ReturnPart returned;

  [[nodiscard]] std::string text() const;
  /// The rows as read_lines() gives them; nothing where they are more than `most`.
  [[nodiscard]] std::optional<Lines> evaluate(const ModelGraph& graph, std::size_t most) const;
};

/// Returns a random query over nodes of labels A and B and relationships of types R and S, all with
/// a number in "v". Walks without an upper bound occur only with `with_open_walks`: their number
/// grows exponentially with the graph.
[[nodiscard]] PatternQuery random_pattern_query(Random& random, bool with_open_walks);

}  // namespace cairn::test
