#pragma once
// SmallGraph: a graph as a value, which is written to a database, made smaller where a check fails, and
// printed as the statement that creates it.

#include "tests/model/random.hpp"

#include <cairn/result.hpp>
#include <cairn/transaction.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cairn::test {

/// How types of property values are chosen.
enum class Flavour : std::uint8_t {
  mixed,  ///< by random_properties(): a name has values of any type
  typed,  ///< by random_statement_pair(): each name has one type
};

struct SmallGraph {
  struct Edge {
    std::size_t source = 0;  ///< index in `nodes`
    std::string type;
    std::size_t target = 0;
    Properties properties;
  };
  std::vector<NewNode> nodes;
  std::vector<Edge> edges;

  [[nodiscard]] Status write(Transaction& transaction) const;
  /// The CREATE statement that makes the graph.
  [[nodiscard]] std::string text() const;
};

/// Labels are A, B, C and U, types are R and S. In addition to the properties of the flavour: v is from 0 to 2, k is a
/// small integer, q is a multiple of a quarter, d is a date, and t is a time. Nodes also have vec and words, which are
/// searched. Any of them may be missing.
[[nodiscard]] SmallGraph random_small_graph(Random& random, Flavour flavour);

/// Removes nodes, relationships, labels and properties from a graph while `fails` stays true. Returns the graph from
/// which nothing more can be removed.
[[nodiscard]] SmallGraph smallest_failing(SmallGraph graph,
                                          const std::function<bool(const SmallGraph&)>& fails);

}  // namespace cairn::test
