#include "query/syntax/index_statement.hpp"

#include "query/syntax/backticks.hpp"

#include <cairn/value.hpp>

#include <cstdint>
#include <vector>

namespace cairn::query {
namespace {

// Quoted names, each with `before` in front.
std::string joined_names(const std::vector<std::string>& names, const std::string& before,
                         const char* between) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : between) + before + in_backticks(name);
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
      text += (text.empty() ? "" : ", ") + in_backticks(name) + ": " + value.to_text();
  return text.empty() ? text : " OPTIONS {indexConfig: {" + text + "}}";
}

}  // namespace

// Range indexes have no options and no kind in their statement.
std::string to_statement(const IndexDescription& index) {
  const bool is_text = index.kind == "FULLTEXT", is_range = index.kind == "RANGE";
  const std::string labels = "n:" + joined_names(index.labels_or_types, "", "|");
  const std::string target = index.entity == "NODE" ? "(" + labels + ")" : "()-[" + labels + "]-()";
  const std::string properties = joined_names(index.properties, "n.", ", ");
  return "CREATE " + (is_range ? "" : index.kind + " ") + "INDEX " + in_backticks(index.name) +
         " IF NOT EXISTS FOR " + target + " ON " +
         (is_text ? "EACH [" + properties + "]" : "(" + properties + ")") +
         (is_range ? "" : options_text(index.options));
}

}  // namespace cairn::query
