#pragma once
// Statements that were made to hurt: deep brackets of every kind, and long flat texts.

#include <cstddef>
#include <string>
#include <vector>

namespace cairn::test {

/// A statement with a part that is repeated, nested in itself or in sequence.
struct Family {
  std::string name;
  std::string before;
  std::string open;
  std::string inside;
  std::string close;
  std::string behind;

  [[nodiscard]] std::string text(std::size_t levels) const;
};

/// All constructs that can nest in themselves.
[[nodiscard]] const std::vector<Family>& nests();

/// Constructs that make a statement long but not deep.
[[nodiscard]] const std::vector<Family>& chains();

/// Columns that each `WITH *` takes over, many times.
[[nodiscard]] std::string multiplying_stars();

/// The number of levels in a text of a megabyte.
[[nodiscard]] std::size_t levels_of_a_megabyte(const Family& family);

}  // namespace cairn::test
