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

/// What the properties of a graph are like.
enum class Flavour : std::uint8_t {
  mixed,  ///< those of random_properties(): values of any type under one name
  typed,  ///< those of random_statement_pair(): each name has one type
};

struct SmallGraph {
  struct Edge {
    std::size_t source = 0;  ///< the place of a node
    std::string type;
    std::size_t target = 0;
    Properties properties;
  };
  std::vector<NewNode> nodes;
  std::vector<Edge> edges;

  [[nodiscard]] Status write(Transaction& transaction) const;
  /// The CREATE statement that makes it.
  [[nodiscard]] std::string text() const;
};

/// Labels are A, B, C and U, types R and S. Beside the properties of the flavour: v from 0 to 2, k a small
/// integer, q a multiple of a quarter, d a date, t a time and, of nodes, vec and words to be searched. Any
/// of them may be missing.
[[nodiscard]] SmallGraph random_small_graph(Random& random, Flavour flavour);

/// What is left of a graph for which `fails` is true when no node, relationship, label or property can be
/// taken away so that it still is.
[[nodiscard]] SmallGraph smallest_failing(SmallGraph graph,
                                          const std::function<bool(const SmallGraph&)>& fails);

}  // namespace cairn::test
