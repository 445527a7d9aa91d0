#include "tests/support/run_query.hpp"

#include "tests/support/graph_builder.hpp"
#include "tests/support/threads_of_run.hpp"

#include <algorithm>
#include <stdexcept>

namespace cairn::test {
namespace {

std::string text_of(std::span<const Value> row) {
  std::string text;
  for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : " | ") + row[i].to_text();
  return text;
}

Result<std::vector<std::string>> try_rows(Database& database, std::string_view statement,
                                          const Parameters& parameters,
                                          const StatementOptions& options) {
  CAIRN_ASSIGN(Rows rows, execute(database, statement, parameters, with_threads_of_run(options)));
  CAIRN_ASSIGN(const auto all, rows.all());
  std::vector<std::string> texts;
  for (const auto& row : all) texts.push_back(text_of(row));
  return texts;
}

}  // namespace

std::vector<std::string> rows_of(Database& database, std::string_view statement,
                                 const Parameters& parameters, const StatementOptions& options) {
  auto rows = try_rows(database, statement, parameters, options);
  if (rows) return std::move(rows).value();
  return {std::string(to_string(rows.error().code)) + ": " + rows.error().message};
}

std::vector<std::string> sorted_rows(Database& database, std::string_view statement,
                                     const Parameters& parameters,
                                     const StatementOptions& options) {
  auto rows = rows_of(database, statement, parameters, options);
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::string result_of(Database& database, std::string_view statement, const Parameters& parameters,
                      const StatementOptions& options) {
  std::string text;
  for (const std::string& row : rows_of(database, statement, parameters, options))
    text += (text.empty() ? "" : "; ") + row;
  return text;
}

std::string plan_of(Database& database, std::string_view statement, const Parameters& parameters,
                    const StatementOptions& options) {
  Rows rows = must(execute(database, statement, parameters, options));
  (void)must(rows.all());
  return rows.plan();
}

Error error_of(Database& database, std::string_view statement, const Parameters& parameters,
               const StatementOptions& options) {
  const auto rows = try_rows(database, statement, parameters, options);
  if (rows) throw std::runtime_error("this was expected to fail: " + std::string(statement));
  return rows.error();
}

void run_all(Database& database, const std::vector<std::string>& statements) {
  for (const std::string& statement : statements) {
    Rows rows = must(execute(database, statement));
    (void)must(rows.all());
  }
}

}  // namespace cairn::test
