#include "query/plan/name_warnings.hpp"

#include "tests/query/plan/support.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::query {
namespace {

// Warnings for a statement over a graph with some names, joined by "; ".
std::string warnings(const std::string& statement) {
  engine::Catalog catalog;
  catalog.intern(codec::CatalogKind::label, "Person");
  catalog.intern(codec::CatalogKind::relationship_type, "KNOWS");
  catalog.intern(codec::CatalogKind::property, "name");
  const PlannedStatement planned(statement);
  std::string text;
  for (const std::string& one : unknown_names(std::get<Query>(planned.bound.content), catalog))
    text += (text.empty() ? "" : "; ") + one;
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(name_warnings)

BOOST_AUTO_TEST_CASE(known_names_are_no_reason_to_warn) {
  BOOST_TEST(warnings("MATCH (n:Person {name: 'Ada'})-[:KNOWS]->(m) RETURN m.name") == "");
}

BOOST_AUTO_TEST_CASE(unknown_names_come_with_the_nearest) {
  BOOST_TEST(warnings("MATCH (n:Persom) RETURN n") ==
             "no record has the label Persom; did you mean Person?");
  BOOST_TEST(warnings("MATCH (n)-[:KNOW]->() RETURN n") ==
             "no record has the relationship type KNOW; did you mean KNOWS?");
  BOOST_TEST(warnings("MATCH (n) RETURN n.nam") ==
             "no record has the property nam; did you mean name?");
  BOOST_TEST(warnings("MATCH (n) WHERE n.quite_another = 1 RETURN n") ==
             "no record has the property quite_another");
}

BOOST_AUTO_TEST_CASE(a_record_is_followed_through_projections) {
  const std::string typo = "no record has the property nam; did you mean name?";
  BOOST_TEST(warnings("MATCH (n) WITH 1 AS a, n RETURN n.nam") == typo);
  BOOST_TEST(warnings("MATCH (n)-[r]->() WITH n AS x, count(r) AS c RETURN c, x.nam") == typo);
  BOOST_TEST(warnings("MATCH (n) WITH n WHERE n.nam = 1 RETURN 1") == typo);
  BOOST_TEST(warnings("CREATE (n:Person) RETURN n.nam") == typo);
  BOOST_TEST(warnings("MATCH (n) UNWIND n.nam AS x RETURN x") == typo);
}

BOOST_AUTO_TEST_CASE(every_place_of_a_clause_is_looked_at) {
  const std::string typo = "no record has the property nam; did you mean name?";
  BOOST_TEST(warnings("MATCH (n) RETURN n.name AS x ORDER BY n.nam") == typo);
  BOOST_TEST(warnings("MATCH (n) WITH n.name AS x, n AS m ORDER BY m.nam RETURN x") == typo);
  BOOST_TEST(warnings("MATCH (n) RETURN DISTINCT n ORDER BY n.nam") == typo);
  BOOST_TEST(warnings("MATCH (n) RETURN n, count(*) AS c ORDER BY n.nam") == typo);
  BOOST_TEST(warnings("MATCH (n) RETURN n.name AS n, {a: 1} AS m ORDER BY m.a") == "");
  BOOST_TEST(warnings("MATCH (n) MATCH (m) SEARCH m IN (FULLTEXT INDEX i FOR n.nam LIMIT 3) "
                      "RETURN m") == typo);
  BOOST_TEST(warnings("MATCH (n) CALL db.recall(n.nam, {}) YIELD node RETURN node") == typo);
  BOOST_TEST(warnings("MATCH (n) CREATE (:Person {name: n.nam})") == typo);
  BOOST_TEST(warnings("MATCH (n) SET n.name = n.nam") == typo);
  BOOST_TEST(warnings("MATCH (n) SET n.seen = coalesce(n.seen, 0) + 1") == "");
}

BOOST_AUTO_TEST_CASE(keys_of_maps_are_no_properties) {
  BOOST_TEST(warnings("WITH {a: 1} AS h RETURN h.a") == "");
  BOOST_TEST(warnings("MATCH (n) WITH collect({node: n, score: 1}) AS hits "
                      "UNWIND hits AS hit RETURN hit.node, hit.score") == "");
  BOOST_TEST(warnings("MATCH (n) WITH n.name AS n RETURN n.anything") == "");
}

BOOST_AUTO_TEST_CASE(each_name_is_warned_of_once) {
  BOOST_TEST(warnings("MATCH (n:X) WHERE n:X MATCH (m:X) RETURN n") == "no record has the label X");
}

BOOST_AUTO_TEST_CASE(a_statement_may_read_what_it_makes) {
  BOOST_TEST(warnings("CREATE (n:New {fresh: 1})-[:MADE]->(m) WITH n MATCH (n:New)-[:MADE]->(x) "
                      "RETURN n.fresh") == "");
  BOOST_TEST(warnings("MATCH (n) SET n.fresh = 1, n:New RETURN n.fresh") == "");
  BOOST_TEST(warnings("MERGE (n:New {fresh: 1}) RETURN n.fresh") == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
