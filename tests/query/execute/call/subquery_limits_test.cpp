// CALL { query }: what is refused and where, limits, plans and what a statement needs.
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/functions.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <stop_token>

namespace cairn::test {
namespace {

struct RefusedCall {
  const char* statement;
  const char* sentence;  // with its place
  friend std::ostream& operator<<(std::ostream& out, const RefusedCall& one) {
    return out << one.statement;
  }
};

const RefusedCall refused_calls[] = {
    {"MATCH (n) CALL { MATCH (m) WHERE m.x = n.x RETURN m } RETURN m",
     "column 40: `n` is not defined here: the subquery does not import it; write CALL (n) { ... }"},
    {"MATCH (n), (k) CALL (k) { RETURN n.x AS x } RETURN x",
     "column 34: `n` is not defined here: the subquery does not import it"},
    {"CALL (n) { RETURN 1 AS a } RETURN a", "column 7: `n` is not defined"},
    {"WITH 1 AS a CALL (a, a) { RETURN 1 AS b } RETURN b", "column 22: `a` is imported twice"},
    {"WITH 1 AS a CALL { RETURN 2 AS a } RETURN a",
     "column 32: `a` is defined already outside of the subquery; return it under another name"},
    {"WITH 1 AS a CALL (a) { RETURN a } RETURN a", "column 31: `a` is defined already outside"},
    {"CALL { RETURN 1 + 1 } RETURN 1", "column 15: a column of a subquery needs a name"},
    {"CALL { RETURN 1 AS a UNION RETURN 2 } RETURN a", "column 35: a column of a subquery needs"},
    {"CALL { RETURN 1 AS a UNION RETURN 2 AS b } RETURN a", "must return the same columns"},
    {"CALL { MATCH (n) } RETURN 1", "column 8: a query ends with RETURN, or with a clause that"},
    {"CALL { WITH 1 AS a } RETURN 1", "a query cannot end with WITH"},
    {"MATCH (n) CALL (n) { RETURN n.x AS x }", "column 11: a query ends with RETURN, or with a"},
    {"CALL { CALL db.labels() YIELD label } RETURN 1", "column 8: a query ends with RETURN"},
    {"CALL { CALL db.labels } RETURN 1", "a CALL inside a query needs its arguments"},
    {"CREATE (n) CALL (n) { RETURN n.x AS x } RETURN x", "a WITH must stand between updating"},
    {"RETURN EXISTS { CALL { CREATE (n) RETURN n } RETURN n }", "it cannot change anything"},
    {"MATCH (n) WHERE EXISTS { CALL (n) { DELETE n } } RETURN n", "it cannot change anything"},
    {"UNWIND [1] AS x FOREACH (y IN [x] | CALL { CREATE (n) })", "FOREACH holds updating clauses"},
    {"WITH [1] AS l CALL (l) { WITH count(*) AS c RETURN c + l[0] AS d } RETURN d",
     "a WITH that aggregates without a key does not pass it on"},
};

std::vector<Value> run(TemporaryDatabase& database, const std::string& statement,
                       std::vector<std::string>& warnings) {
  auto rows = must(execute(*database, statement));
  std::vector<Value> first;
  for (auto& row : must(rows.all())) first.push_back(std::move(row.front()));
  warnings = rows.warnings();
  return first;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(called_subquery_limits)

BOOST_DATA_TEST_CASE(what_is_refused_says_where_and_why, refused_calls, one) {
  TemporaryDatabase database;
  const std::string message = error_of(*database, one.statement).message;
  BOOST_TEST(message.find(one.sentence) != std::string::npos, message);
}

BOOST_AUTO_TEST_CASE(procedures_that_write_are_not_for_expressions) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:A)"});
  const Error error = error_of(*database,
                               "MATCH (n:A) WHERE EXISTS { CALL (n) { CALL "
                               "db.create.setNodeVectorProperty(n, 'e', [1.0]) } RETURN 1 AS one } "
                               "RETURN n");
  BOOST_TEST(error.message.find("a subquery in an expression cannot call") != std::string::npos,
             error.message);
  BOOST_TEST(error.where.value().column == 19U);
}

BOOST_AUTO_TEST_CASE(rows_without_end_stop_at_the_limits) {
  TemporaryDatabase database;
  const std::string endless = "CALL { UNWIND range(1, 1000000000) AS i RETURN i } ";
  StatementOptions options;
  options.timeout = std::chrono::milliseconds(200);
  const Error slow = error_of(*database, endless + "RETURN count(*)", {}, options);
  BOOST_TEST((slow.code == ErrorCode::resource_limit), slow.message);
  options.timeout = std::chrono::milliseconds(20'000);
  options.memory_bytes = std::size_t{8} << 20;
  const Error large = error_of(*database, endless + "RETURN collect(i)", {}, options);
  BOOST_TEST((large.code == ErrorCode::resource_limit), large.message);
  const Error written =
      error_of(*database, "CALL { UNWIND range(1, 1000000000) AS i CREATE () RETURN i } RETURN i",
               {}, options);
  BOOST_TEST((written.code == ErrorCode::resource_limit), written.message);
  BOOST_TEST(result_of(*database, "MATCH (n) RETURN count(n)") == "0");
}

BOOST_AUTO_TEST_CASE(a_stop_ends_it) {
  TemporaryDatabase database;
  std::stop_source stop;
  stop.request_stop();
  StatementOptions options;
  options.cancel = stop.get_token();
  const Error error = error_of(
      *database, "CALL { UNWIND range(1, 1000000000) AS i RETURN i } RETURN max(i)", {}, options);
  BOOST_TEST((error.code == ErrorCode::cancelled), error.message);
}

BOOST_AUTO_TEST_CASE(a_limit_behind_it_ends_it) {
  TemporaryDatabase database;
  BOOST_TEST(
      result_of(*database, "CALL { UNWIND range(1, 1000000000) AS i RETURN i } RETURN i LIMIT 2") ==
      "1; 2");
  // The LIMIT reads no further row: the second one would be an error.
  BOOST_TEST(
      result_of(*database, "UNWIND [1, 0] AS x CALL (x) { RETURN 1 / x AS y } RETURN y LIMIT 1") ==
      "1");
  const std::string plan = plan_of(*database,
                                   "PROFILE UNWIND range(1, 1000) AS x CALL (x) { UNWIND [x] AS y "
                                   "RETURN y } RETURN y LIMIT 1");
  const std::string line = plan.substr(plan.find("CallSubquery"),
                                       plan.find("\n      Unwind") - plan.find("CallSubquery"));
  BOOST_TEST(line.find("~100          1 ") != std::string::npos, plan);
}

BOOST_AUTO_TEST_CASE(the_plan_shows_what_is_inside) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:A {x: 1})-[:R]->(:B)"});
  const std::string plan =
      plan_of(*database,
              "EXPLAIN MATCH (a:A) CALL (a) { MATCH (a)-[:R]->(b) RETURN b UNION "
              "MATCH (b:B) RETURN b } RETURN b");
  for (const char* line :
       {"CallSubquery b", "\n      Union\n", "Expand (a)-[:R]->(b)", "ScanNodes (b)"})
    BOOST_TEST(plan.find(line) != std::string::npos, plan);
}

BOOST_AUTO_TEST_CASE(names_and_filters_inside_are_checked) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:A {name: 1})"});
  std::vector<std::string> warnings;
  (void)run(database, "MATCH (a:A) CALL (a) { MATCH (b:A) WHERE b.nme = a.name RETURN b } RETURN b",
            warnings);
  BOOST_REQUIRE(warnings.size() == 1U);
  BOOST_TEST(warnings.front().find("nme") != std::string::npos);
  // A wrong argument is an error although no record is tested.
  const Error error = error_of(
      *database, "CALL { MATCH (n:Nobody) WHERE filter.between(n.y, $p) RETURN n } RETURN n",
      {{"p", 1}});
  BOOST_TEST(error.message.find("two bounds") != std::string::npos, error.message);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
