// The tables in query/LANGUAGE.md with the result of each operator for each type of a stored value, and for a null or
// missing value. Each cell is tested; CAIRN_UPDATE_GOLDEN=1 writes the tables again.
//
// The result in a table is the same for every form of the query: as a value, as a condition on one record, as a
// condition that indexes answer for all records, and as a filter in a parameter.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/filter.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn {
namespace {

using test::must;

/// What is stored in the map `d` of each record, and the head of its column.
struct Column {
  const char* head;
  const char* map;
};
constexpr Column columns[] = {
    {"missing", "{}"},         {"null", "{p: null}"},       {"`'a'`", "{p: 'a'}"},
    {"`1`", "{p: 1}"},         {"`1.5`", "{p: 1.5}"},       {"`true`", "{p: true}"},
    {"`['a']`", "{p: ['a']}"}, {"`{a: 1}`", "{p: {a: 1}}"}, {"date", "{p: date('2024-05-01')}"},
};

/// Over `n.d.p`; the table shows `p` in its place.
constexpr const char* expressions[] = {
    "p = 'a'",
    "p <> 'a'",
    "p = 1",
    "p = 1.0",
    "p < 2",
    "p >= 'a'",
    "p < date('2025-01-01')",
    "p IN ['a', 1]",
    "NOT p IN ['a']",
    "p IN ['a', null]",
    "'a' IN p",
    "p STARTS WITH 'a'",
    "p CONTAINS 'a'",
    "p =~ 'a.*'",
    "p = ['a']",
    "p = {a: 1}",
    "p = null",
    "p IS NULL",
    "p IS NOT NULL",
};

struct FilterRow {
  FilterOperator op;
  const char* value;  ///< in the language; empty for operators without one
};
constexpr FilterRow filters[] = {
    {FilterOperator::equals, "'a'"},
    {FilterOperator::equals, "1.0"},
    {FilterOperator::not_equals, "'a'"},
    {FilterOperator::not_equals_or_missing, "'a'"},
    {FilterOperator::contains, "'a'"},
    {FilterOperator::contained_by, "['a', 1]"},
    {FilterOperator::contains_any, "['a', 'b']"},
    {FilterOperator::contains_all, "['a', 'b']"},
    {FilterOperator::contains_none, "['a']"},
    {FilterOperator::exists, ""},
    {FilterOperator::not_exists, ""},
    {FilterOperator::in, "['a', 1]"},
    {FilterOperator::not_in, "['a', 1]"},
    {FilterOperator::greater_than, "0"},
    {FilterOperator::greater_or_equal, "'a'"},
    {FilterOperator::less_than, "'2025-01-01'"},
    {FilterOperator::between, "[1, 2]"},
    {FilterOperator::since, "'2024-01-01'"},
    {FilterOperator::matches, "'^a'"},
    {FilterOperator::starts_with, "'a'"},
    {FilterOperator::in_directory, "'a'"},
};

std::string replace_all(std::string text, std::string_view old, std::string_view by) {
  for (auto at = text.find(old); at != text.npos; at = text.find(old, at + by.size()))
    text.replace(at, old.size(), by);
  return text;
}

std::string asked(std::string_view expression) {
  // `p` is a word of its own in each of them, or stands behind a bracket.
  std::string text = " " + std::string(expression);
  return replace_all(std::move(text), " p", " n.d.p").substr(1);
}

std::string filter_call(const FilterRow& row) {
  const std::string value = *row.value == 0 ? "" : std::string(", ") + row.value;
  return "filter." + std::string(to_string(row.op)) + "(n.d.p" + value + ")";
}

struct TruthTable {
  test::TemporaryDatabase database;

  TruthTable() {
    for (std::size_t i = 0; i < std::size(columns); ++i)
      test::run_all(*database,
                    {"CREATE (:N {k: " + std::to_string(i) + ", d: " + columns[i].map + "})"});
  }
  /// true, false, null, or error for one whose kind is that of types.
  std::string value_of(const std::string& condition, std::size_t column) {
    const std::string answer = test::result_of(
        *database, "MATCH (n:N {k: " + std::to_string(column) + "}) RETURN " + condition);
    const bool is_value = answer == "true" || answer == "false" || answer == "null";
    return is_value ? answer : "error";
  }
  /// The records that a condition keeps, by their columns.
  std::string kept(const std::string& condition, const Parameters& parameters = {}) {
    return test::result_of(*database, "MATCH (n:N) WHERE " + condition + " RETURN n.k ORDER BY n.k",
                           parameters);
  }
  /// A line of a table; checks that each way to ask says the same.
  std::string line(const std::string& shown, const std::string& condition) {
    std::string text = "| `" + shown + "` |";
    std::string passing;
    bool has_error = false;
    for (std::size_t i = 0; i < std::size(columns); ++i) {
      const std::string cell = value_of(condition, i);
      text += " " + cell + " |";
      has_error = has_error || cell == "error";
      if (cell == "true") passing += (passing.empty() ? "" : "; ") + std::to_string(i);
    }
    if (!has_error) BOOST_TEST(kept(condition) == passing, condition);
    return text + "\n";
  }
};

std::string head(const char* what) {
  std::string text = std::string("| ") + what + " |";
  std::string rule = "| --- |";
  for (const Column& column : columns) {
    text += std::string(" ") + column.head + " |";
    rule += " --- |";
  }
  return text + "\n" + rule + "\n";
}

std::string read_page() {
  std::ifstream file(CAIRN_LANGUAGE_PAGE);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Compare a table with the part of the page between its two marks, or write it there.
void check_on_page(const std::string& name, const std::string& table) {
  const std::string begin = "<!-- truth table: " + name + " -->\n";
  const std::string end = "<!-- end of it -->\n";
  std::string page = read_page();
  const auto start = page.find(begin);
  BOOST_REQUIRE_MESSAGE(start != page.npos, "query/LANGUAGE.md has no mark " + begin);
  const auto from = start + begin.size();
  const auto length = page.find(end, from) - from;
  if (std::getenv("CAIRN_UPDATE_GOLDEN") != nullptr) {
    page.replace(from, length, table);
    std::ofstream(CAIRN_LANGUAGE_PAGE) << page;
    return;
  }
  BOOST_TEST(
      page.substr(from, length) == table,
      "the table \"" + name + "\" of query/LANGUAGE.md; CAIRN_UPDATE_GOLDEN=1 writes it again");
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(truth_table, TruthTable)

BOOST_AUTO_TEST_CASE(expressions_are_as_the_page_says) {
  std::string table = head("expression");
  for (const char* expression : expressions) table += line(expression, asked(expression));
  check_on_page("expressions", table);
}

BOOST_AUTO_TEST_CASE(filters_are_as_the_page_says) {
  std::string table = head("filter");
  for (const FilterRow& row : filters) {
    const std::string call = filter_call(row);
    table += line(replace_all(call, "n.d.p", "p"), call);
    Filter filter = Filter::where("d.p", row.op);
    if (*row.value != 0) {
      Rows rows = must(execute(*database, std::string("RETURN ") + row.value));
      filter.value = (*must(rows.next()))[0];
    }
    BOOST_TEST(kept("matches_filter(n, $filter)", {{"filter", to_value(filter)}}) == kept(call),
               call);
  }
  check_on_page("filters", table);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn
