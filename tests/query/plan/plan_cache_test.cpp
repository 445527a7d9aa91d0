#include "query/plan/plan_cache.hpp"

#include "tests/query/plan/support.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::query {
namespace {

bool is_cached(std::string_view statement) {
  return may_be_cached(PlannedStatement(statement).plan);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plan_cache)

BOOST_AUTO_TEST_CASE(what_filters_of_nodes_and_the_text_decide_is_cached) {
  for (const char* statement :
       {"RETURN $x", "MATCH (n) RETURN n", "MATCH (n:A) WHERE n.p = $p AND n.q > 3 RETURN n.p",
        "MATCH (n) WHERE id(n) = $id RETURN n.p ORDER BY n.p SKIP 1 LIMIT $k",
        "MATCH (n:A) RETURN n.p, count(*)",
        "UNWIND $list AS x MATCH (n:A {p: x}) RETURN DISTINCT n",
        "MATCH (n:A) RETURN n.p UNION MATCH (n:B) RETURN n.p",
        "MATCH (n:A) WITH n.p AS p, count(*) AS c WHERE c > 1 RETURN p",
        "MATCH (a), (b) RETURN a, b", "MATCH (a) WITH a MATCH (b) RETURN b",
        "MATCH (a)-[:R]->(b) RETURN b", "MATCH p = (a)-[:R*1..2]->(b:B) RETURN p"})
    BOOST_TEST(is_cached(statement), statement);
}

BOOST_AUTO_TEST_CASE(what_else_the_graph_decides_is_not_cached) {
  for (const char* statement :
       {"MATCH (a) OPTIONAL MATCH (a)-->(b) RETURN b",
        "MATCH p = shortestPath((a)-[*]-(b)) RETURN p", "MATCH (n) SET n.p = 1", "CREATE (n)",
        "MERGE (n:A {p: 1}) RETURN n", "FOREACH (i IN [1] | CREATE (:A))", "CALL db.labels()",
        "MATCH (n:A) SEARCH n IN (VECTOR INDEX i FOR $q LIMIT 5) RETURN n"})
    BOOST_TEST(!is_cached(statement), statement);
}

// A filter may answer a count of relationships only while all nodes are visible, which may change between runs.
BOOST_AUTO_TEST_CASE(a_count_of_relationships_is_not_cached) {
  PlannedStatement nodes("MATCH (n:A) RETURN count(*)");
  CountRows count;
  nodes.plan.branches.front().operators.front().content = std::move(count);
  BOOST_TEST(may_be_cached(nodes.plan));
  CountRows steps;
  steps.filter.kind = codec::EntityKind::relationship;
  nodes.plan.branches.front().operators.front().content = std::move(steps);
  BOOST_TEST(!may_be_cached(nodes.plan));
}

BOOST_AUTO_TEST_CASE(each_plan_is_taken_once) {
  PlanCache plans;
  BOOST_TEST(!plans.take());
  plans.give_back(std::move(PlannedStatement("RETURN 1 AS a").plan));
  const auto taken = plans.take();
  BOOST_TEST_REQUIRE(taken.has_value());
  BOOST_TEST((taken->columns == std::vector<std::string>{"a"}));
  BOOST_TEST(!plans.take());
}

BOOST_AUTO_TEST_CASE(no_more_are_cached_than_run_at_once_in_most_programs) {
  PlanCache plans;
  for (int i = 0; i < 100; ++i) plans.give_back(std::move(PlannedStatement("RETURN 1 AS a").plan));
  int kept = 0;
  while (plans.take()) ++kept;
  BOOST_TEST(kept == 8);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
