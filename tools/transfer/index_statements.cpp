#include "tools/transfer/index_statements.hpp"

#include <cairn/statement.hpp>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

namespace cairn::tools {
namespace {

std::string joined(const std::vector<std::string>& names, const std::string& before,
                   const char* between) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : between) + before + ticked(name);
  return text;
}

// What is said of an index and cannot be asked for means that there is nothing: no weights, no n-grams.
bool says_nothing(const Value& value) {
  const auto* integer = value.get_if<std::int64_t>();
  return (value.list() != nullptr && value.list()->empty()) ||
         (integer != nullptr && *integer == 0);
}

std::string options_text(const Map& options) {
  std::string text;
  for (const auto& [name, value] : options)
    if (!says_nothing(value) && name != "populationPercent")  // of one that is being made
      text += (text.empty() ? "" : ", ") + ticked(name) + ": " + value.to_text();
  return text.empty() ? text : " OPTIONS {indexConfig: {" + text + "}}";
}

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

std::string ticked(std::string_view name) {
  std::string text = "`";
  for (const char c : name) text += c == '`' ? std::string("``") : std::string(1, c);
  return text + "`";
}

std::filesystem::path index_file(const std::filesystem::path& export_file) {
  return std::filesystem::path(export_file) += ".indexes.cypher";
}

std::string to_statement(const IndexDescription& index) {
  const bool is_text = index.kind == "FULLTEXT", is_range = index.kind == "RANGE";
  const std::string labels = "n:" + joined(index.labels_or_types, "", "|");
  const std::string target = index.entity == "NODE" ? "(" + labels + ")" : "()-[" + labels + "]-()";
  const std::string properties = joined(index.properties, "n.", ", ");
  return "CREATE " + (is_range ? "" : index.kind + " ") + "INDEX " + ticked(index.name) +
         " IF NOT EXISTS FOR " + target + " ON " +
         (is_text ? "EACH [" + properties + "]" : "(" + properties + ")") +
         (is_range ? "" : options_text(index.options));
}

std::string to_statements(std::span<const IndexDescription> indexes) {
  std::string text;
  for (const IndexDescription& index : indexes)
    if (!index.options.contains("automatic")) text += to_statement(index) + ";\n";
  return text;
}

Result<std::string> index_statements(const Snapshot& snapshot) {
  CAIRN_ASSIGN(const auto indexes, snapshot.indexes());
  return to_statements(indexes);
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
