#pragma once
// The parts of random statements over a random_small_graph(): the sources of rows, the conditions on them, and the
// returned expressions.

#include "tests/metamorphic/small_graph.hpp"
#include "tests/model/filter.hpp"
#include "tests/model/random.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cairn::test {

/// A condition as a tree; no row makes it fail.
struct Condition {
  enum class Kind : std::uint8_t { filter, text, conjunction, disjunction, exclusive, negation };
  Kind kind = Kind::text;
  Filter filter;         ///< of a filter
  std::string variable;  ///< the variable that the filter tests
  std::string fixed;     ///< the text of Kind::text
  std::vector<Condition> parts;

  /// The condition in brackets, with constants as literals.
  [[nodiscard]] std::string text() const;
  /// The condition in brackets, with the constants of filters added to `parameters`.
  [[nodiscard]] std::string text(Map& parameters) const;
  /// The same condition with the operands of each AND, OR and XOR in another order.
  [[nodiscard]] Condition shuffled(Random& random) const;
};

[[nodiscard]] Condition conjunction_of(std::vector<Condition> parts);

/// Clauses that may be followed by WHERE, and the variables that they bind.
struct Source {
  std::string clauses;
  std::vector<std::string> nodes;
  std::vector<std::string> relationships = {};
  bool is_match = true;  ///< ends with a MATCH, not with a WITH

  [[nodiscard]] std::vector<std::string> variables() const;
  [[nodiscard]] std::string where(const std::string& condition) const;
  /// The ids of all variables, joined by commas: sorting by them orders all rows that differ.
  [[nodiscard]] std::string ids() const;
};

class Questions {
 public:
  Questions(Random& random, Flavour flavour) : random_(random), flavour_(flavour) {}

  [[nodiscard]] Random& random() { return random_; }
  [[nodiscard]] Flavour flavour() const { return flavour_; }
  [[nodiscard]] Source source();
  /// A scan of the nodes with some labels, of which indexes answer most conditions.
  [[nodiscard]] Source scan();
  [[nodiscard]] Condition condition(const Source& source, int levels = 2);
  /// A value of a row; never an element of the graph.
  [[nodiscard]] std::string expression(const Source& source);
  /// A property of one of the variables.
  [[nodiscard]] std::string property(const Source& source);
  /// An expression whose value is a small integer or null.
  [[nodiscard]] std::string integer(const Source& source);
  /// `count` expressions, named c0, c1, ...
  [[nodiscard]] std::string columns(const Source& source, std::size_t count);

 private:
  [[nodiscard]] const std::string& any_variable(const Source& source);
  [[nodiscard]] Condition leaf(const Source& source);
  [[nodiscard]] std::string test(const Source& source);
  [[nodiscard]] std::string test_of_mixed(const std::string& v, const std::string& w);
  [[nodiscard]] std::string test_of_node(const std::string& n);
  [[nodiscard]] std::string value();

  Random& random_;
  Flavour flavour_;
};

}  // namespace cairn::test
