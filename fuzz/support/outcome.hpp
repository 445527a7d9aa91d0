#pragma once
// What a statement gave, in a form that can be compared, and the limits that a target runs it under.

#include <cairn/result.hpp>
#include <cairn/statement.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::fuzz {

/// No input of a target is longer: the cost of one must be bounded, and a long one finds nothing that a
/// short one cannot.
inline constexpr std::size_t most_statement_bytes = 1'024;
inline constexpr std::size_t most_rows = 500;

/// Short times, little memory, few rows and a fixed clock.
[[nodiscard]] StatementOptions tight_limits();

/// A parameter of each type.
[[nodiscard]] const Parameters& sample_parameters();

/// The rows of a statement as literals, or its error. No rows are kept where there was one.
struct Outcome {
  std::vector<std::string> rows;
  std::vector<std::vector<Value>> values;
  Changes changes;
  std::optional<Error> error;

  /// A limit may be met earlier or later: nothing can be compared.
  [[nodiscard]] bool is_limited() const;
  [[nodiscard]] std::string to_text() const;
};

/// Read all rows. Expects no more than `most_rows`, and no error that says that the database is damaged.
[[nodiscard]] Outcome outcome_of(Result<Rows> rows);

/// The same rows in the same order, or an error of the same code; else the target ends here.
void expect_alike(const Outcome& a, const Outcome& b, const std::string& about);

/// Whether the same statement answers the same again: not where it asks for chance, for the clock's own
/// reading or for the memory that an index takes.
[[nodiscard]] bool is_repeatable(std::string_view text);

}  // namespace cairn::fuzz
