// What golden files do not show: places, types and limits. tests/golden/language has the forms.

#include "query/bind/binder.hpp"

#include "query/bind/parser.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <string>

namespace cairn::query {
namespace {

Result<BoundStatement> bind(const std::string& text, const ParseLimits& limits = {}) {
  return parse_statement(text, limits);
}

const Query& query_of(const Result<BoundStatement>& bound) {
  BOOST_REQUIRE_MESSAGE(bound.has_value(), (bound.has_value() ? "" : bound.error().message));
  return std::get<Query>(bound->content);
}

template <class T>
const T& clause_of(const Result<BoundStatement>& bound, std::size_t index) {
  return std::get<T>(query_of(bound).parts.front().clauses[index]);
}

std::string_view text_of(std::string_view text, const TextRange& where) {
  return text.substr(where.begin, where.end - where.begin);
}

/// Where an error points.
std::string refused(const std::string& text) {
  const auto bound = bind(text);
  if (bound.has_value() || !bound.error().where) return "nothing";
  return std::string(text_of(text, *bound.error().where));
}

bool is_taken(const std::string& text) { return bind(text).has_value(); }

}  // namespace

BOOST_AUTO_TEST_SUITE(binder)

BOOST_AUTO_TEST_CASE(bound_expressions_know_their_text) {
  const std::string text = "MATCH (n:A) WHERE n.x + 1 > 2 AND f.y = 1 RETURN n";
  const std::string good = "MATCH (n:A) WHERE n.x + 1 > 2 RETURN n.y.z[0]";
  BOOST_TEST(refused(text) == "f");
  const auto bound = bind(good);
  const auto& match = clause_of<MatchClause>(bound, 0);
  BOOST_TEST(text_of(good, match.conjuncts[0]->where) == ":A");
  BOOST_TEST(text_of(good, match.conjuncts[1]->where) == "n.x + 1 > 2");
  BOOST_TEST(text_of(good, match.conjuncts[1]->children[0]->where) == "n.x + 1");
  const auto& item = clause_of<ProjectClause>(bound, 1).items[0];
  BOOST_TEST(text_of(good, item.expression->where) == "n.y.z[0]");
  BOOST_TEST(text_of(good, item.expression->children[0]->where) == "n.y.z");
}

BOOST_AUTO_TEST_CASE(errors_point_at_what_is_wrong) {
  BOOST_TEST(refused("RETURN 1 + true - 2 * 'a'") == "'a'");
  BOOST_TEST(refused("MATCH (n) RETURN n.a, toUper(n.b)") == "toUper");
  BOOST_TEST(refused("MATCH (n) WITH n AS m RETURN n.x") == "n");
  BOOST_TEST(refused("MATCH (n) CREATE (n)-[:A|B]->()") == "-[:A|B]->");
  BOOST_TEST(refused("RETURN 1 AS a UNION RETURN 2 AS b") == "UNION RETURN 2 AS b");
  BOOST_TEST(refused("MATCH p = (n)-->() WHERE p RETURN n") == "p");
  BOOST_TEST(refused("MATCH (n) RETURN n LIMIT -3") == "-3");
}

BOOST_AUTO_TEST_CASE(writing_is_known_from_any_clause) {
  BOOST_TEST(!query_of(bind("MATCH (n) RETURN n")).is_writing);
  BOOST_TEST(query_of(bind("MATCH (n) DELETE n")).is_writing);
  BOOST_TEST(query_of(bind("FOREACH (x IN [1] | CREATE ())")).is_writing);
  BOOST_TEST(query_of(bind("RETURN 1 AS a UNION CREATE (b) RETURN 2 AS a")).is_writing);
  BOOST_TEST(query_of(bind("CALL { CALL { CREATE (b) } RETURN 1 AS a } RETURN a")).is_writing);
  BOOST_TEST(!query_of(bind("CALL { MATCH (b) RETURN b } RETURN b")).is_writing);
}

BOOST_AUTO_TEST_CASE(columns_are_those_of_return) {
  const std::vector<std::string> expected = {"x", "n . y", "z"};
  BOOST_TEST(query_of(bind("MATCH (n) WITH n, 1 AS x RETURN x, n . y, 2 AS z")).parts[0].columns ==
                 expected,
             boost::test_tools::per_element());
  BOOST_TEST(query_of(bind("CREATE (n)")).parts[0].columns.empty());
}

BOOST_AUTO_TEST_CASE(a_union_is_distinct_unless_it_is_of_all) {
  BOOST_TEST(query_of(bind("RETURN 1 AS a UNION RETURN 1 AS a")).distinct);
  BOOST_TEST(!query_of(bind("RETURN 1 AS a UNION ALL RETURN 1 AS a")).distinct);
}

BOOST_AUTO_TEST_CASE(slots_are_used_once_in_a_part) {
  const auto bound = bind(
      "MATCH (a)-->(b) WHERE any(x IN a.l WHERE x = 1) MATCH (c) "
      "WHERE EXISTS { MATCH (c)-->(d) } MATCH (e) RETURN e");
  BOOST_TEST(clause_of<MatchClause>(bound, 0).width == 4U);
  BOOST_TEST(clause_of<MatchClause>(bound, 1).introduced[0] == 4U);
  BOOST_TEST(clause_of<MatchClause>(bound, 2).introduced[0] >= 7U);
}

BOOST_AUTO_TEST_CASE(types_go_through_projections) {
  BOOST_TEST(refused("MATCH (n) WITH n AS m WITH collect(m) AS ms UNWIND ms AS x RETURN type(x)") ==
             "x");
  BOOST_TEST(refused("MATCH p = ()-->() WITH nodes(p) AS ns RETURN type(head(ns))") == "head(ns)");
  BOOST_TEST(refused("WITH [1, 2.5] AS l RETURN [x IN l WHERE x.a = 1]") == ".a");
  BOOST_TEST(refused("WITH CASE WHEN true THEN 1 ELSE 2 END AS x MATCH (x) RETURN x") == "x");
}

BOOST_AUTO_TEST_CASE(what_may_be_right_is_taken) {
  BOOST_TEST(is_taken("WITH $p AS n MATCH (n)-->(m) RETURN n.x, labels(n), n + 1, NOT n"));
  BOOST_TEST(is_taken("WITH null AS x RETURN x.y, x AND true, x IN x, size(x), -x"));
  BOOST_TEST(is_taken("WITH coalesce(1, 'a') AS x MATCH (x) RETURN x"));
  BOOST_TEST(is_taken("UNWIND [1, 'a', null] AS x RETURN x % 2, x.y"));
  BOOST_TEST(is_taken("WITH {a: 1} AS m RETURN m.a.b.c"));
  BOOST_TEST(is_taken("WITH date() AS d RETURN d.year, d + duration('P1D'), d - d"));
}

BOOST_AUTO_TEST_CASE(a_null_type_is_no_list_of_nulls) {
  BOOST_TEST(is_taken("RETURN [] + 1, [null] + ['a'], [x IN [] WHERE x | x.y]"));
}

BOOST_AUTO_TEST_CASE(bound_levels_have_a_limit) {
  std::string sum = "RETURN 1";
  for (int i = 0; i < 38; ++i) sum += " + 1";
  BOOST_TEST(bind(sum, {.nesting_levels = 10}).has_value());
  const auto refused_sum = bind(sum + " + 1", {.nesting_levels = 10});
  BOOST_REQUIRE(!refused_sum.has_value());
  BOOST_CHECK(refused_sum.error().code == ErrorCode::resource_limit);
}

BOOST_AUTO_TEST_CASE(a_literal_is_the_value_it_spells) {
  const auto bound = bind("RETURN -9223372036854775808, 0xff, 1.5, 'a', true, null");
  const auto& items = clause_of<ProjectClause>(bound, 0).items;
  BOOST_CHECK(items[0].expression->value == Value(std::numeric_limits<std::int64_t>::min()));
  BOOST_CHECK(items[1].expression->value == Value(255));
  BOOST_CHECK(items[2].expression->value == Value(1.5));
  BOOST_CHECK(items[3].expression->value == Value("a"));
  BOOST_CHECK(items[4].expression->value == Value(true));
  BOOST_TEST(items[5].expression->value.is_null());
}

BOOST_AUTO_TEST_CASE(a_search_knows_its_place) {
  const std::string text =
      "MATCH (m) SEARCH m IN (VECTOR INDEX i FOR $q LIMIT 3) SCORE AS s RETURN m";
  const auto bound = bind(text);
  const auto& match = clause_of<MatchClause>(bound, 0);
  BOOST_TEST(text_of(text, match.search->where) ==
             "SEARCH m IN (VECTOR INDEX i FOR $q LIMIT 3) SCORE AS s");
  BOOST_TEST(match.search->slot == match.introduced[0]);
  BOOST_TEST(*match.search->score == match.introduced[1]);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
