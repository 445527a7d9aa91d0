// Runs the statements of an index file one by one. Statements that do not create an index or
// constraint are refused, so that a file from another source cannot change records.
#include "tools/transfer/index_file.hpp"

#include "tools/text/quantity.hpp"

#include <cairn/statement.hpp>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>

namespace cairn::tools {
namespace {

/// True if a statement is CREATE INDEX, CREATE kind INDEX or CREATE CONSTRAINT, ignoring case.
bool makes_index(std::string_view statement) {
  std::istringstream words{std::string(statement)};
  std::string verb, kind, noun;
  words >> verb >> kind >> noun;
  const auto is = [](std::string_view word, std::string_view keyword) {
    return std::ranges::equal(
        word, keyword, [](unsigned char a, unsigned char b) { return std::toupper(a) == b; });
  };
  return is(verb, "CREATE") && (is(kind, "INDEX") || is(noun, "INDEX") || is(kind, "CONSTRAINT"));
}

}  // namespace

std::filesystem::path index_file(const std::filesystem::path& export_file) {
  return std::filesystem::path(export_file) += ".indexes.cypher";
}

std::string to_text(MadeSchema made, const std::filesystem::path& file) {
  std::string text;
  if (made.constraints != 0) text += counted(made.constraints, "constraint", "constraints");
  if (made.indexes != 0)
    text += (text.empty() ? "" : " and ") + counted(made.indexes, "index", "indexes");
  return text.empty() ? text : text + " made by " + file.string() + "\n";
}

Result<MadeSchema> run_index_file(Database& database, const std::filesystem::path& file,
                                  std::stop_token cancel) {
  std::error_code problem;
  if (!std::filesystem::exists(file, problem) && !problem) return MadeSchema();
  std::ifstream input(file, std::ios::binary);
  std::ostringstream copy;
  // Unlike stream iterators, neither of these throws if reading fails.
  if (input.peek() != std::ifstream::traits_type::eof()) copy << input.rdbuf();
  const std::string text = copy.str();
  if (!input.is_open() || input.bad() || !copy)
    return Error{ErrorCode::io_error, "cannot read " + file.string(), std::nullopt};
  MadeSchema made;
  std::uint64_t number = 0;
  StatementOptions options;
  options.timeout = std::chrono::hours(24 * 7);
  options.cancel = std::move(cancel);
  for (const std::string_view statement : split_statements(text)) {
    ++number;
    if (!makes_index(statement))
      return Error{
          ErrorCode::invalid_argument,
          file.string() + ", statement " + std::to_string(number) +
              ": a file of indexes may contain only CREATE ... INDEX and CREATE CONSTRAINT",
          std::nullopt};
    const auto rows = execute(database, statement, {}, options);
    if (!rows)
      return Error{
          rows.error().code,
          file.string() + ", statement " + std::to_string(number) + ": " + rows.error().message,
          std::nullopt};
    made.indexes += rows->changes().indexes_added;
    made.constraints += rows->changes().constraints_added;
  }
  return made;
}

}  // namespace cairn::tools
