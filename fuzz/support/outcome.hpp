#pragma once
// The result of a statement in a comparable form, and the limits under which targets run
// statements.

#include <cairn/result.hpp>
#include <cairn/statement.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::fuzz {

/// Longer inputs are skipped, so that the cost of an input is bounded. Longer ones would find
/// nothing that short ones cannot.
inline constexpr std::size_t most_statement_bytes = 1'024;
inline constexpr std::size_t most_rows = 500;

/// Short timeouts, little memory, few rows and a fixed clock.
[[nodiscard]] StatementOptions tight_limits();

/// Returns one parameter of each type.
[[nodiscard]] const Parameters& sample_parameters();

/// The rows of a statement as literals, or its error. There are no rows if there is an error.
struct Outcome {
  std::vector<std::string> rows;
  std::vector<std::vector<Value>> values;
  Changes changes;
  std::optional<Error> error;

  /// True if a limit ended the statement. It may be reached earlier or later, so nothing can be
  /// compared.
  [[nodiscard]] bool is_limited() const;
  [[nodiscard]] std::string to_text() const;
};

/// Reads all rows. Expects at most `most_rows`, and no error that reports a damaged database.
[[nodiscard]] Outcome outcome_of(Result<Rows> rows);

/// Expects equal rows in equal order, or errors with equal codes.
void expect_alike(const Outcome& a, const Outcome& b, const std::string& about);

/// True if the statement returns the same when it runs again. False if it uses random numbers, the
/// clock, or memory sizes of indexes.
[[nodiscard]] bool is_repeatable(std::string_view text);

}  // namespace cairn::fuzz
