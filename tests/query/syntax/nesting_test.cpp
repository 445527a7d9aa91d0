// Statements that were made to hurt: deep brackets of every kind, and long flat texts. Times are of
// the processor and not of the clock on the wall, because a test machine is shared.

#include "query/syntax/parser.hpp"
#include "tests/query/syntax/measured_stack.hpp"
#include "tests/query/syntax/support.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <ctime>
#include <optional>
#include <ostream>

namespace cairn::test {
namespace {

struct Family {
  std::string name;
  std::string before;
  std::string open;
  std::string inside;
  std::string close;
  std::string behind;

  [[nodiscard]] std::string text(std::size_t levels) const {
    return before + repeated(open, levels) + inside + repeated(close, levels) + behind;
  }
};

/// Everything that can hold itself.
const std::vector<Family>& nests() {
  static const std::vector<Family> families = {
      {"parentheses", "RETURN ", "(", "1", ")", ""},
      {"lists", "RETURN ", "[", "1", "]", ""},
      {"maps", "RETURN ", "{a:", "1", "}", ""},
      {"calls", "RETURN ", "abs(", "1", ")", ""},
      {"elements", "WITH 1 AS a RETURN ", "a[", "1", "]", ""},
      {"elements of lists", "WITH 1 AS a RETURN ", "a[[", "1", "]]", ""},
      {"slices", "WITH [1] AS a RETURN ", "a[1..", "1", "]", ""},
      {"negations", "RETURN ", "NOT ", "true", "", ""},
      {"signs", "WITH 1 AS x RETURN ", "- ", "x", "", ""},
      {"cases", "RETURN ", "CASE WHEN true THEN ", "1", " END", ""},
      {"cases in conditions", "RETURN ", "CASE WHEN ", "true", " THEN true END", ""},
      {"sums", "RETURN ", "(1 + ", "1", ")", ""},
      {"operators of every level", "RETURN ", "size([true OR NOT 1 = 2 + 3 * ", "1", "])", ""},
      {"chains of comparisons", "RETURN ", "(1 < ", "2", " < rand() < 3)", ""},
      {"comprehensions", "RETURN ", "[x IN ", "[1]", " | x]", ""},
      {"comprehensions in conditions", "RETURN ", "[x IN [1] WHERE ", "true", "] = []", ""},
      {"quantifiers", "RETURN ", "all(x IN [1] WHERE ", "true", ")", ""},
      {"reductions", "RETURN ", "reduce(a = 1, x IN [1] | ", "1", ")", ""},
      {"projections", "MATCH (n) RETURN ", "n {a: ", "1", "}", ""},
      {"subqueries", "RETURN ", "EXISTS { MATCH (n) WHERE ", "true", " }", ""},
      {"short subqueries", "RETURN ", "COUNT { (n) WHERE ", "1 = 1", " } = 1", ""},
      {"collections", "RETURN ", "COLLECT { RETURN ", "1", " }", ""},
      {"pattern comprehensions", "RETURN ", "[(n)-->(m) | ", "1", "]", ""},
      {"pattern conditions", "MATCH (n) WHERE ", "(n {a: (n)--() OR ", "1", "})-->()", " RETURN 1"},
      {"properties of patterns", "MATCH ", "(n {a: [x IN [1] WHERE ", "true", "]})", " RETURN 1"},
      {"labels", "MATCH (n:", "(", "A", ")", ") RETURN 1"},
      {"negated labels", "MATCH (n:", "!", "A", "", ") RETURN 1"},
      {"paths", "MATCH ", "(", "(a)-->(b)", ")", " RETURN 1"},
      {"loops", "", "FOREACH (x IN [1] | ", "CREATE ()", ")", ""},
  };
  return families;
}

/// Long without being deep.
const std::vector<Family>& chains() {
  static const std::vector<Family> families = {
      {"disjunctions", "RETURN true", " OR true", "", "", ""},
      {"conjunctions", "MATCH (n) WHERE true", " AND n.x = 1", "", "", " RETURN n"},
      {"sums", "RETURN 1", " + 1", "", "", ""},
      {"comparisons", "RETURN 1", " < 1", "", "", ""},
      {"costly comparisons", "RETURN 1", " < rand()", "", "", ""},
      {"null tests", "RETURN 1", " IS NULL", "", "", ""},
      {"properties", "WITH {a: 1} AS a RETURN a", ".a", "", "", ""},
      {"list items", "RETURN [1", ", 1", "", "", "]"},
      {"map entries", "RETURN {a: 1", ", a: 1", "", "", "}"},
      {"arguments", "RETURN coalesce(1", ", 1", "", "", ")"},
      {"names with dots", "RETURN a", ".a", "", "", "(1)"},
      {"branches", "RETURN CASE", " WHEN true THEN 1", "", "", " END"},
      {"steps", "MATCH (a)", "-->()", "", "", " RETURN a"},
      {"patterns", "MATCH (a)", ", ()", "", "", " RETURN a"},
      {"label alternatives", "MATCH (a:A", "|A", "", "", ") RETURN a"},
      {"pattern conditions", "MATCH (a) WHERE true", " OR (a)--()", "", "", " RETURN a"},
      {"clauses", "", "WITH 1 AS a ", "", "", "RETURN a"},
      {"columns", "WITH 1 AS a RETURN a", ", a AS a", "", "", ""},
      {"unions", "RETURN 1 AS a", " UNION RETURN 1 AS a", "", "", ""},
      {"sort keys", "MATCH (a) RETURN a.x AS x ORDER BY a.x", ", a.x", "", "", ""},
      {"updates", "MATCH (a) SET a.x = 1", ", a.x = 1", "", "", ""},
      {"blanks", "RETURN", "        ", "1", "", ""},
      {"comments", "RETURN", "/* */ /**/", "1", "", ""},
      {"open comments", "RETURN 1", "/*", "", "", ""},
      {"a string", "RETURN '", "\\u0041\\n", "", "", "'"},
      {"names", "RETURN 1 AS a", "bcdefgh", "", "", ""},
      {"lines", "RETURN [", "1,\n", "x", "", "]"},
  };
  return families;
}

std::string outcome(const std::string& text) {
  const auto bound = query::parse_statement(text);
  return bound.has_value() ? "" : std::string(to_string(bound.error().code));
}

double processor_seconds(const std::string& text) {
  const std::clock_t start = std::clock();
  (void)query::parse_statement(text);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

constexpr std::size_t stack_budget = std::size_t{256} << 10;
constexpr std::size_t thread_stack = std::size_t{512} << 10;
constexpr std::size_t roomy_stack = std::size_t{8} << 20;

void check_stack(const Family& family, std::size_t levels) {
  const std::string text = family.text(levels);
  const bool is_ordinary = has_ordinary_frames();
  const std::size_t used =
      measured_stack(is_ordinary ? thread_stack : roomy_stack, [&] { (void)outcome(text); });
  if (is_ordinary) BOOST_TEST(used <= stack_budget, family.name << " take " << used << " bytes");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nesting)

BOOST_AUTO_TEST_CASE(what_nests_little_is_taken) {
  for (const Family& family : nests()) {
    const std::string result = outcome(family.text(2));
    BOOST_TEST((result.empty() || family.name == "properties of patterns" ||
                family.name == "pattern conditions"),
               family.name << ": " << result);
  }
}

BOOST_AUTO_TEST_CASE(the_deepest_nests_allowed_stay_in_their_stack) {
  for (const Family& family : nests()) {
    for (const std::size_t levels : {25U, 31U, 42U, 63U, 127U, 128U, 250U}) {
      check_stack(family, levels);
    }
  }
}

BOOST_AUTO_TEST_CASE(deeper_nests_are_refused_within_their_stack) {
  for (const Family& family : nests()) {
    const std::size_t levels = 1'000'000 / (family.open.size() + family.close.size());
    const std::string text = family.text(levels);
    BOOST_TEST(outcome(text) != "", family.name);
    check_stack(family, levels);
  }
}

BOOST_AUTO_TEST_CASE(deep_nests_cost_no_more_than_their_length) {
  for (const Family& family : nests()) {
    for (const std::size_t levels : {20U, 60U, 100U}) {
      const double seconds = processor_seconds(family.text(levels));
      BOOST_TEST(seconds < 0.5, family.name << ", " << levels << " levels: " << seconds << " s");
    }
    const std::size_t many = 1'000'000 / (family.open.size() + family.close.size());
    const double seconds = processor_seconds(family.text(many));
    BOOST_TEST(seconds < 2, family.name << ": " << seconds << " s");
  }
}

BOOST_AUTO_TEST_CASE(nests_without_their_ends_cost_no_more) {
  for (Family family : nests()) {
    family.inside.clear();
    family.close.clear();
    for (const std::size_t levels : {20U, 60U, 100U}) {
      const double seconds = processor_seconds(family.text(levels));
      BOOST_TEST(seconds < 0.5, family.name << ", " << levels << " levels: " << seconds << " s");
    }
  }
}

BOOST_AUTO_TEST_CASE(long_chains_work_or_are_refused) {
  for (const Family& family : chains()) {
    const std::size_t terms = std::min<std::size_t>(100'000, 1'000'000 / family.open.size());
    const std::string text = family.text(terms);
    const double seconds = processor_seconds(text);
    BOOST_TEST(seconds < 5, family.name << ": " << seconds << " s");
    check_stack(family, terms);
  }
}

// Four times the length: linear work takes four times as long, quadratic work sixteen times. The
// bound lies between, because caches, too, are slower for more.
BOOST_AUTO_TEST_CASE(time_grows_with_the_length_and_no_faster) {
  for (const Family& family : chains()) {
    const std::size_t terms = std::min<std::size_t>(20'000, 200'000 / family.open.size());
    const std::string text = family.text(terms);
    const std::string longer = family.text(4 * terms);
    double least = 10;
    double least_longer = 10;
    // What takes a few milliseconds says nothing.
    const auto is_in_proportion = [&] { return least_longer < 0.02 || least_longer < 8 * least; };
    // A busy machine disturbs one measurement or another; the least of many are undisturbed.
    for (int i = 0; i < 3 || (i < 12 && !is_in_proportion()); ++i) {
      least = std::min(least, processor_seconds(text));
      least_longer = std::min(least_longer, processor_seconds(longer));
    }
    BOOST_TEST(is_in_proportion(),
               family.name << ": " << least << " s, then " << least_longer << " s");
  }
}

BOOST_AUTO_TEST_CASE(chains_of_ands_and_ors_have_no_end) {
  BOOST_TEST(outcome(chains()[0].text(100'000)) == "");
  BOOST_TEST(outcome(chains()[1].text(50'000)) == "");
}

BOOST_AUTO_TEST_CASE(sums_end_where_their_evaluation_would_be_too_deep) {
  BOOST_TEST(outcome(chains()[2].text(500)) == "");
  BOOST_TEST(outcome(chains()[2].text(600)) == "resource_limit");
}

BOOST_AUTO_TEST_CASE(stars_that_multiply_are_refused) {
  std::string text = "WITH 1 AS a";
  for (int i = 0; i < 2000; ++i) text += ", 1 AS a" + std::to_string(i);
  text += repeated(" WITH *", 900) + " RETURN 1";
  const double seconds = processor_seconds(text);
  BOOST_TEST(outcome(text) == "resource_limit");
  BOOST_TEST(seconds < 10);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
