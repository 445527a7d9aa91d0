#include "tests/query/syntax/nested_texts.hpp"

#include "tests/query/syntax/support.hpp"

namespace cairn::test {

std::string Family::text(std::size_t levels) const {
  return before + repeated(open, levels) + inside + repeated(close, levels) + behind;
}

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
      {"exclusions", "RETURN 1", " NOT IN [1]", "", "", ""},
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
      {"called subqueries", "", "CALL { ", "CREATE ()", " }", ""},
      {"loops", "", "FOREACH (x IN [1] | ", "CREATE ()", ")", ""},
  };
  return families;
}

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

std::string multiplying_stars() {
  std::string text = "WITH 1 AS a";
  for (int i = 0; i < 2000; ++i) text += ", 1 AS a" + std::to_string(i);
  return text + repeated(" WITH *", 900) + " RETURN 1";
}

std::size_t levels_of_a_megabyte(const Family& family) {
  return 1'000'000 / (family.open.size() + family.close.size());
}

}  // namespace cairn::test
