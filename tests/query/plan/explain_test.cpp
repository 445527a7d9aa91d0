#include "query/plan/explain.hpp"

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
