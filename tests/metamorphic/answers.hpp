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

/// Two answers differ although they should be equal, or a statement failed. The message has the
/// statements and their answers.
class Disagreement : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using Table = std::vector<std::vector<Value>>;

class Answers {
 public:
  explicit Answers(Reader reader) : reader_(std::move(reader)) {}

  /// The rows of a statement. Throws Disagreement if it fails.
  [[nodiscard]] Table rows(const std::string& text, const Parameters& parameters = {},
                           const StatementOptions& options = {}) const;
  /// The rows of a statement as lines; see lines_of().
  [[nodiscard]] Lines lines(const std::string& text, const Parameters& parameters = {},
                            const StatementOptions& options = {}) const;
  /// The one value that a statement gives.
  [[nodiscard]] Value value(const std::string& text, const Parameters& parameters = {}) const;

  /// Throws Disagreement, with a message that begins with `about`, unless both have the same lines
  /// in any order.
  void expect_same(const std::string& about, const Lines& expected, const Lines& found);
  /// As expect_same(), but the order must be equal too.
  void expect_same_order(const std::string& about, const Lines& expected, const Lines& found);

  /// How many answers were compared.
  [[nodiscard]] std::size_t compared() const noexcept { return compared_; }

 private:
  Reader reader_;
  std::size_t compared_ = 0;
};

/// A value as text. Equal values such as 1 and 1.0 have the same text, also within lists and maps:
/// DISTINCT, groups and min() may return any of them.
[[nodiscard]] std::string canonical(const Value& value);
/// As canonical(), with the elements of a list sorted: collect() promises no order.
[[nodiscard]] std::string canonical_bag(const Value& value);
/// Each row as a line of canonical cells.
[[nodiscard]] Lines lines_of(const Table& table);
[[nodiscard]] Lines bag_lines_of(const Table& table);
/// Each different line once.
[[nodiscard]] Lines distinct(Lines lines);

}  // namespace cairn::test
