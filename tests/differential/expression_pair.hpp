#pragma once
// Random expressions of each type, in both languages.

#include "tests/differential/statement_pair.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::test {

enum class Type : std::uint8_t { integer, real, text, boolean };

class ExpressionPairs {
 public:
  /// `variables` are what properties are read of.
  ExpressionPairs(Random& random, std::vector<std::string> variables)
      : random_(random), variables_(std::move(variables)) {}

  [[nodiscard]] Type any_type() { return static_cast<Type>(random_.below(4)); }
  /// Returns a random pair of this type with at most `levels` nested operators.
  [[nodiscard]] Pair of(Type type, int levels);
  [[nodiscard]] Pair boolean(int levels);
  [[nodiscard]] Pair integer(int levels);
  [[nodiscard]] Pair real(int levels);
  [[nodiscard]] Pair text(int levels);

 private:
  [[nodiscard]] Pair property(Type type);
  [[nodiscard]] Pair constant(Type type);
  [[nodiscard]] Pair either(Type type, int levels);
  [[nodiscard]] Pair compared(int levels);
  [[nodiscard]] Pair in_list(int levels);
  [[nodiscard]] Pair of_texts(int levels);
  [[nodiscard]] Pair subquery(std::string_view kind, int levels);

  Random& random_;
  std::vector<std::string> variables_;
};

}  // namespace cairn::test
