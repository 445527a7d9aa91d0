// Writes the definitions of indexes and constraints as statements that create them again.
#include "query/transfer/index_statements.hpp"

#include "query/memory/statements.hpp"

#include <cairn/statement.hpp>
#include <cairn/transfer.hpp>

#include <utility>
#include <vector>

namespace cairn::query {
namespace {

// Quoted names, each with `before` in front.
std::string joined(const std::vector<std::string>& names, const std::string& before,
                   const char* between) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : between) + before + quoted_name(name);
  return text;
}

// SHOW INDEXES shows absent options as 0 or an empty list, which CREATE refuses: no weights, no n-grams.
bool says_nothing(const Value& value) {
  const auto* integer = value.get_if<std::int64_t>();
  return (value.list() != nullptr && value.list()->empty()) ||
         (integer != nullptr && *integer == 0);
}

// The OPTIONS clause; empty if all options have their defaults.
std::string options_text(const Map& options) {
  std::string text;
  for (const auto& [name, value] : options)
    if (!says_nothing(value) &&
        name != "populationPercent")  // progress of an index that is being built, not an option
      text += (text.empty() ? "" : ", ") + quoted_name(name) + ": " + value.to_text();
  return text.empty() ? text : " OPTIONS {indexConfig: {" + text + "}}";
}

}  // namespace

// Range indexes have no options and no kind in their statement.
std::string to_statement(const IndexDescription& index) {
  const bool is_text = index.kind == "FULLTEXT", is_range = index.kind == "RANGE";
  const std::string labels = "n:" + joined(index.labels_or_types, "", "|");
  const std::string target = index.entity == "NODE" ? "(" + labels + ")" : "()-[" + labels + "]-()";
  const std::string properties = joined(index.properties, "n.", ", ");
  return "CREATE " + (is_range ? "" : index.kind + " ") + "INDEX " + quoted_name(index.name) +
         " IF NOT EXISTS FOR " + target + " ON " +
         (is_text ? "EACH [" + properties + "]" : "(" + properties + ")") +
         (is_range ? "" : options_text(index.options));
}

// Indexes that the database creates automatically are left out.
std::string to_statements(std::span<const IndexDescription> indexes) {
  std::string text;
  for (const IndexDescription& index : indexes)
    if (!index.options.contains("automatic")) text += to_statement(index) + ";\n";
  return text;
}

// SHOW CONSTRAINTS has the statement of each constraint.
Result<std::string> constraint_statements(const Snapshot& snapshot) {
  CAIRN_ASSIGN(const auto show, Statement::parse("SHOW CONSTRAINTS YIELD createStatement"));
  CAIRN_ASSIGN(auto rows, show.run(snapshot));
  std::string text;
  while (true) {
    CAIRN_ASSIGN(const auto row, rows.next());
    if (!row) return text;
    text.append((*row)[0].as_string()).append(";\n");
  }
}

}  // namespace cairn::query

namespace cairn {

Result<std::string> index_statements(const Snapshot& snapshot) {
  CAIRN_ASSIGN(const auto indexes, snapshot.indexes());
  CAIRN_ASSIGN(std::string constraints, query::constraint_statements(snapshot));
  return std::move(constraints) + query::to_statements(indexes);
}

}  // namespace cairn
