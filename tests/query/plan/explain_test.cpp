
#include "query/plan/plan_text.hpp"
#include "tests/query/plan/support.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {

using query::two_digits;

BOOST_AUTO_TEST_SUITE(explain)

BOOST_AUTO_TEST_CASE(estimates_have_two_digits) {
  BOOST_TEST(two_digits(0) == "0");
  BOOST_TEST(two_digits(0.33) == "0.3");
  BOOST_TEST(two_digits(1) == "1");
  BOOST_TEST(two_digits(9.96) == "10");
  BOOST_TEST(two_digits(12.4) == "12");
  BOOST_TEST(two_digits(12'345) == "12000");
  BOOST_TEST(two_digits(99'999) == "100000");
}

BOOST_AUTO_TEST_CASE(explain_runs_nothing_and_gives_the_plan_as_rows) {
  TemporaryDatabase database;
  Rows rows = must(execute(*database, "EXPLAIN CREATE (:A) RETURN 1 AS x"));
  BOOST_TEST((rows.columns() == std::vector<std::string>{"plan"}));
  BOOST_TEST(must(rows.all()).size() == 2U);
  BOOST_TEST(result_of(*database, "MATCH (n) RETURN count(*)") == "0");
}

BOOST_AUTO_TEST_CASE(profile_says_what_operators_did) {
  TemporaryDatabase database;
  run_all(*database, {"UNWIND range(1, 50) AS i CREATE (:A {x: i % 5})"});
  Rows rows = must(execute(*database, "PROFILE MATCH (a:A {x: 2}) RETURN a.x AS x"));
  BOOST_TEST(must(rows.all()).size() == 10U);
  const std::string plan = rows.plan();
  BOOST_TEST(plan.find("expected") != std::string::npos);
  BOOST_TEST(plan.find("records") != std::string::npos);
  const std::size_t scan = plan.find("ScanNodes");
  const std::string line = plan.substr(scan, plan.find('\n', scan) - scan);
  BOOST_TEST(line.find(" 10 ") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

namespace cairn::query {
namespace {

// The line of the operator at a place.
std::string line(std::size_t place, const std::string& statement) {
  const PlannedStatement planned(statement);
  const Pipeline& pipeline = planned.plan.branches[0];
  const Operator& one = pipeline.operators.at(place);
  const auto pattern = pipeline.patterns.find(one.clause);
  return describe(one, planned.text,
                  pattern == pipeline.patterns.end() ? SlotNames() : names_of(pattern->second));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(operator_text)

BOOST_AUTO_TEST_CASE(walks_are_written_from_the_end_they_start_at) {
  BOOST_TEST(line(1, "MATCH (a)-[r:R|S]->(b) RETURN a") == "Expand (a)-[r:R|S]->(b)");
  BOOST_TEST(line(1, "MATCH (b) MATCH (a)-[r:R]->(b) RETURN a") == "Expand (b)<-[r:R]-(a)");
  BOOST_TEST(line(1, "MATCH (a)--(b) RETURN a") == "Expand (a)-[]-(b)");
  BOOST_TEST(line(1, "MATCH (a)-[*3]->(b) RETURN a") == "ExpandVariable (a)-[*3]->(b)");
  BOOST_TEST(line(1, "MATCH (a)-[*2..4]->(b) RETURN a") == "ExpandVariable (a)-[*2..4]->(b)");
}

BOOST_AUTO_TEST_CASE(conditions_of_patterns_are_written_as_where_would_have_them) {
  BOOST_TEST(line(1, "MATCH (a:A {x: 1}) WHERE a.y > 2 RETURN a") ==
             "Select a:A AND a.x = 1 AND a.y > 2");
  BOOST_TEST(line(1, "MATCH (:A) RETURN 1") == "Select _:A");
}

BOOST_AUTO_TEST_CASE(aggregates_and_orders_say_what_they_work_on) {
  BOOST_TEST(line(1, "MATCH (a) RETURN a.x AS x, count(DISTINCT a.y) AS c") ==
             "Aggregate count(DISTINCT a.y) by a.x");
  BOOST_TEST(line(2, "MATCH (a) RETURN a.x AS x ORDER BY a.y DESC, x") == "Sort a.y descending, x");
}

BOOST_AUTO_TEST_CASE(long_constants_are_cut) {
  BOOST_TEST(line(0, "UNWIND $" + std::string(200, 'p') + " AS x RETURN x").size() > 100U);
  BOOST_TEST(line(0, "UNWIND ['" + std::string(400, 'x') + "'] AS x RETURN x").size() < 100U);
}

BOOST_AUTO_TEST_CASE(white_space_of_the_text_becomes_one_blank) {
  BOOST_TEST(line(1, "MATCH (a) WHERE a.x\n   =\t 1 + a.y RETURN a") == "Select a.x = 1 + a.y");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
