#include "query/bind/ast_walk.hpp"

#include "query/syntax/syntax_parser.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>

namespace cairn::query {
namespace {

/// The names in a query, sorted, with blanks between them.
std::string names_in(const std::string& text) {
  const SourceText source(text);
  const auto tree = parse_syntax(source);
  if (!tree.has_value()) return tree.error().message;
  NameSet names;
  collect_names(std::get<ast::Query>(tree->content).first, names);
  std::vector<std::string_view> sorted(names.begin(), names.end());
  std::ranges::sort(sorted);
  std::string result;
  for (const std::string_view name : sorted) {
    if (!name.empty()) result += (result.empty() ? "" : " ") + std::string(name);
  }
  return result;
}

std::size_t aggregates_in(const std::string& expression) {
  const std::string text = "RETURN " + expression;
  const SourceText source(text);
  const auto tree = parse_syntax(source);
  BOOST_REQUIRE_MESSAGE(tree.has_value(), expression);
  const auto& clause = std::get<ast::Query>(tree->content).first.front();
  return count_aggregates(std::get<ast::Project>(clause.content).list.items.front().expression);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ast_walk)

BOOST_AUTO_TEST_CASE(aggregates_are_counted_wherever_they_stand) {
  BOOST_TEST(aggregates_in("1 + a.count") == 0U);
  BOOST_TEST(aggregates_in("count(*)") == 1U);
  BOOST_TEST(aggregates_in("Sum(a) + max(b) * toUpper(min(c))") == 3U);
  BOOST_TEST(aggregates_in("[collect(a), {k: avg(b)}][count(c)..]") == 3U);
  BOOST_TEST(aggregates_in("CASE count(a) WHEN count(b) THEN count(c) ELSE count(d) END") == 4U);
  BOOST_TEST(aggregates_in("[x IN collect(a) WHERE count(b) | count(c)]") == 3U);
  BOOST_TEST(aggregates_in("all(x IN collect(a) WHERE NOT -count(b))") == 2U);
  BOOST_TEST(aggregates_in("reduce(s = count(a), x IN collect(b) | sum(c))") == 3U);
  BOOST_TEST(aggregates_in("n {a: count(b)}") == 1U);
}

BOOST_AUTO_TEST_CASE(aggregates_of_a_subquery_are_its_own) {
  BOOST_TEST(aggregates_in("COUNT { MATCH (n) RETURN count(*) }") == 0U);
}

BOOST_AUTO_TEST_CASE(names_are_collected_from_every_clause) {
  BOOST_TEST(
      names_in("MATCH p = (a {k: b})-[r {k: c} WHERE d]->(e WHERE f) WHERE g RETURN h AS i") ==
      "a b c d e f g h i p r");
  BOOST_TEST(names_in("UNWIND a AS b WITH c ORDER BY d SKIP e LIMIT f WHERE g RETURN 1") ==
             "a b c d e f g");
  BOOST_TEST(
      names_in("MATCH (a) SEARCH a IN (VECTOR INDEX i FOR b WHERE c EF d LIMIT e) SCORE AS f "
               "RETURN 1") == "a b c d e f");
  BOOST_TEST(names_in("CALL p(a) YIELD b AS c WHERE d SET e.x = f, g:L REMOVE h.x DELETE i") ==
             "a b c d e f g h i");
  BOOST_TEST(names_in("MERGE (a) ON CREATE SET b.x = c FOREACH (d IN e | CREATE (f))") ==
             "a b c d e f");
  BOOST_TEST(
      names_in("CALL (a) { WITH b RETURN c AS d UNION RETURN e } IN TRANSACTIONS OF f ROWS") ==
      "a b c d e f");
}

BOOST_AUTO_TEST_CASE(names_are_collected_from_every_expression) {
  BOOST_TEST(names_in("RETURN a.x[b..c], {k: d}, [e], f:L, toUpper(g), NOT h OR i IS NULL") ==
             "a b c d e f g h i");
  BOOST_TEST(names_in("RETURN CASE a WHEN b THEN c ELSE d END, e {f, .g, h: i}") ==
             "a b c d e f i");
  BOOST_TEST(names_in("RETURN [(a)-->(b) WHERE c | d], EXISTS { MATCH (e) RETURN f }, "
                      "COUNT { (g) WHERE h }") == "a b c d e f g h");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
