#pragma once
// Running statements in tests: rows as short texts, which a case can compare in one line.

#include <cairn/statement.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace cairn::test {

/// Returns one text for each row: the cells joined by " | ", with values as literals of the
/// language. An error is returned as one row with its code and message.
[[nodiscard]] std::vector<std::string> rows_of(Database& database, std::string_view statement,
                                               const Parameters& parameters = {},
                                               const StatementOptions& options = {});
/// As rows_of(), with the rows sorted, for statements that promise no order.
[[nodiscard]] std::vector<std::string> sorted_rows(Database& database, std::string_view statement,
                                                   const Parameters& parameters = {},
                                                   const StatementOptions& options = {});
/// The rows of a statement joined by "; ".
[[nodiscard]] std::string result_of(Database& database, std::string_view statement,
                                    const Parameters& parameters = {},
                                    const StatementOptions& options = {});
/// The plan of a statement.
[[nodiscard]] std::string plan_of(Database& database, std::string_view statement,
                                  const Parameters& parameters = {},
                                  const StatementOptions& options = {});
/// The error of a statement that must fail.
[[nodiscard]] Error error_of(Database& database, std::string_view statement,
                             const Parameters& parameters = {},
                             const StatementOptions& options = {});
/// Runs statements that must succeed.
void run_all(Database& database, const std::vector<std::string>& statements);

}  // namespace cairn::test
