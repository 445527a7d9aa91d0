#include "tools/transfer/index_file.hpp"

#include <cairn/statement.hpp>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

namespace cairn::tools {
namespace {

/// CREATE INDEX, or CREATE and a kind of index; names and labels may follow in any letters.
bool makes_index(std::string_view statement) {
  std::istringstream words{std::string(statement)};
  std::string verb, kind, noun;
  words >> verb >> kind >> noun;
  const auto is = [](std::string_view word, std::string_view keyword) {
    return std::ranges::equal(
        word, keyword, [](unsigned char a, unsigned char b) { return std::toupper(a) == b; });
  };
  return is(verb, "CREATE") && (is(kind, "INDEX") || is(noun, "INDEX"));
}

}  // namespace

std::filesystem::path index_file(const std::filesystem::path& export_file) {
  return std::filesystem::path(export_file) += ".indexes.cypher";
}

Result<std::uint64_t> run_index_file(Database& database, const std::filesystem::path& file) {
  std::error_code problem;
  if (!std::filesystem::exists(file, problem) && !problem) return std::uint64_t{0};
  std::ifstream input(file, std::ios::binary);
  std::ostringstream copy;
  // Unlike the iterators of a stream, neither of these throws where reading fails.
  if (input.peek() != std::ifstream::traits_type::eof()) copy << input.rdbuf();
  const std::string text = copy.str();
  if (!input.is_open() || input.bad() || !copy)
    return Error{ErrorCode::io_error, "cannot read " + file.string(), std::nullopt};
  std::uint64_t made = 0, number = 0;
  StatementOptions options;
  options.timeout = std::chrono::hours(24 * 7);
  for (const std::string_view statement : split_statements(text)) {
    ++number;
    if (!makes_index(statement))
      return Error{ErrorCode::invalid_argument,
                   file.string() + ", statement " + std::to_string(number) +
                       ": only CREATE ... INDEX is run from a file of indexes",
                   std::nullopt};
    const auto rows = execute(database, statement, {}, options);
    if (!rows)
      return Error{
          rows.error().code,
          file.string() + ", statement " + std::to_string(number) + ": " + rows.error().message,
          std::nullopt};
    made += rows->changes().indexes_added;
  }
  return made;
}

}  // namespace cairn::tools
