#pragma once
// Filter: a condition on one node or relationship as a tree, which can be written as query text and
// evaluated naively.

#include "tests/model/random.hpp"
#include "tests/model/samples.hpp"
#include "tests/model/truth.hpp"

#include <cairn/value.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::test {

/// What a filter looks at; relationships have no labels.
struct Element {
  const Properties& properties;
  const std::set<std::string>& labels;
};

/// A property path of the element, or a constant where the path is empty.
struct Operand {
  std::vector<std::string> path;
  Sample constant;

  [[nodiscard]] Value value(const Element& element) const;
};

struct Filter {
  enum class Kind : std::uint8_t {
    conjunction,
    disjunction,
    exclusive,
    negation,
    comparison,  ///< operands joined by operations: a < b <= c
    absence,
    presence,
    label,  ///< has all of the labels
    truth,  ///< the operand is a boolean
  };
  Kind kind = Kind::truth;
  std::vector<Filter> parts;
  std::vector<Operand> operands;
  std::vector<std::string> operations;
  std::vector<std::string> labels;

  [[nodiscard]] Truth evaluate(const Element& element) const;
  /// The filter on `variable`, constants written out.
  [[nodiscard]] std::string text(std::string_view variable) const;
  /// The filter on `variable`, with each constant as one more parameter.
  [[nodiscard]] std::string text(std::string_view variable, Map& parameters) const;
};

/// Returns a random filter over the properties of random_properties(), at most `levels` operators
/// deep. The filter never fails with a type error.
[[nodiscard]] Filter random_filter(Random& random, int levels, bool with_labels);

}  // namespace cairn::test
