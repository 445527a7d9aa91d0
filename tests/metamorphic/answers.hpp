#pragma once
// Answers: runs statements for a check and compares what they give.

#include "tests/model/readers.hpp"

#include <cairn/statement.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::test {

/// Two answers that should be the same are not, or there is none: the statements and what they gave.
class Disagreement : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using Table = std::vector<std::vector<Value>>;

class Answers {
 public:
  explicit Answers(Reader reader) : reader_(std::move(reader)) {}

  /// A statement's rows; Disagreement if it fails.
  [[nodiscard]] Table rows(const std::string& text, const Parameters& parameters = {},
                           const StatementOptions& options = {}) const;
  /// The rows of a statement as lines; see lines_of().
  [[nodiscard]] Lines lines(const std::string& text, const Parameters& parameters = {},
                            const StatementOptions& options = {}) const;
  /// The one value that a statement gives.
  [[nodiscard]] Value value(const std::string& text, const Parameters& parameters = {}) const;

  /// Disagreement, `about` in front, if the two are not the same lines in any order.
  void expect_same(const std::string& about, const Lines& expected, const Lines& found);
  /// The same, in this order.
  void expect_same_order(const std::string& about, const Lines& expected, const Lines& found);

  /// How many answers were compared.
  [[nodiscard]] std::size_t compared() const noexcept { return compared_; }

 private:
  Reader reader_;
  std::size_t compared_ = 0;
};

/// A value as text, the same text for values that are equal: 1 and 1.0, also within lists and maps. Of
/// such values DISTINCT, groups and min() keep any one.
[[nodiscard]] std::string canonical(const Value& value);
/// The same with the elements of a list in one order, for what collect() gives.
[[nodiscard]] std::string canonical_bag(const Value& value);
/// Each row as a line of canonical cells.
[[nodiscard]] Lines lines_of(const Table& table);
[[nodiscard]] Lines bag_lines_of(const Table& table);
/// The lines once each.
[[nodiscard]] Lines distinct(Lines lines);

}  // namespace cairn::test
