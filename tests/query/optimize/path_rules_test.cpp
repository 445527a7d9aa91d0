// What the rules for paths and steps must not bend: errors, how often something is drawn, and bounds of memory.
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <string>
#include <vector>

namespace cairn::test {
namespace {

using Lines = std::vector<std::string>;

struct Fixture {
  TemporaryDatabase database;

  /// The rows, which must be the same without the rules.
  Lines rows(const std::string& statement) {
    StatementOptions plain;
    plain.disabled_rules =
        "push_path_conditions reach_ends intersect_cycles count_steps carry_read_slots";
    const Lines expected = sorted_rows(*database, statement, {}, plain);
    const Lines found = sorted_rows(*database, statement);
    BOOST_TEST_INFO(statement);
    BOOST_TEST(found == expected, boost::test_tools::per_element());
    return found;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(path_rules, Fixture)

// A variable of the row may be no node, and then its property fails: not a reason to let a path pass.
BOOST_AUTO_TEST_CASE(a_condition_that_fails_is_an_error_with_and_without_rules) {
  run_all(*database,
          {"CREATE (a:A {k: 1}), (b:A {k: 2}), (a)-[:R {x: 1}]->(b), (b)-[:R {x: 2}]->(a)"});
  const std::string with_number =
      "MATCH (q:A) WITH q.k AS y MATCH p = (a:A)-[r:R*1..2]->(b) WHERE ";
  for (const std::string condition :
       {"all(x IN r WHERE y.foo = 1 AND x.x = 1)", "none(x IN r WHERE y:Foo OR x.x = 1)",
        "all(n IN nodes(p) WHERE y.foo IS NULL AND n.k = 1)"})
    for (const std::string ending : {" RETURN a.k, b.k", " RETURN count(DISTINCT b)"}) {
      const Lines found = rows(with_number + condition + ending);
      BOOST_REQUIRE(found.size() == 1U);
      BOOST_TEST(found.front().find("type_error") != std::string::npos);
    }
  rows(
      "MATCH (q:A) WITH q MATCH p = (a:A)-[r:R*1..2]->(b) WHERE all(x IN r WHERE q.k = x.x) RETURN "
      "a.k, b.k, q.k");
}

// Each path draws a number of its own.
BOOST_AUTO_TEST_CASE(what_is_drawn_for_each_path_is_drawn_as_often) {
  run_all(*database, {"UNWIND range(0, 9) AS i CREATE (:N {i: i})",
                      "MATCH (a:N), (b:N) WHERE a.i < b.i CREATE (a)-[:R]->(b)"});
  for (const std::string statement :
       {"MATCH (a:N)-[:R*1..2]->(b) WITH DISTINCT b, rand() AS r RETURN count(*) AS c",
        "MATCH (a:N)-[:R*1..2]->(b) WITH rand() AS r, count(DISTINCT b) AS d RETURN count(*) AS c",
        "MATCH (a:N)-[:R*1..2]->(b) WITH b, rand() AS r, min(b.i) AS m RETURN count(*) AS c"})
    BOOST_TEST(rows(statement) == Lines{"165"}, boost::test_tools::per_element());
}

// Rows that are counted without being made: parallel relationships, loops, ends that are given and starts that are null.
BOOST_AUTO_TEST_CASE(steps_are_counted_as_often_as_they_match) {
  run_all(*database, {"CREATE (a:N {i: 1, v: 1}), (b:N {i: 2, v: 1.0}), (c:N {i: 3}), "
                      "(a)-[:R]->(b), (a)-[:R]->(b), "
                      "(a)-[:S]->(c), (b)-[:R]->(b), (c)-[:R]->(a)"});
  BOOST_TEST(rows("MATCH (a:N)-->(b) RETURN a.i, count(*)") == (Lines{"1 | 3", "2 | 1", "3 | 1"}),
             boost::test_tools::per_element());
  BOOST_TEST(rows("MATCH (a:N)--(b) RETURN count(b)") == Lines{"9"});
  BOOST_TEST(rows("MATCH (a:N)-[:R|S]->()-[:R]->(c) RETURN count(*)") == Lines{"5"});
  BOOST_TEST(rows("MATCH (a)-[r]-(a) RETURN count(r)") == Lines{"1"});
  BOOST_TEST(rows("MATCH (a:N)-[r:X]->(b) RETURN count(r), max(a.i)") == Lines{"0 | null"});
  for (const std::string ending :
       {"a.v, count(*), count(a.v), count(DISTINCT a.v)", "count(*), min(a.v), max(a.i)",
        "a.i, sum(a.v)", "a.i, count(b.v)", "a.i, count(DISTINCT b)", "a.i, collect(a.v)",
        "b.i, count(*)", "a.i + 1 AS i, count(r) AS c ORDER BY c DESC, i LIMIT 2",
        "DISTINCT count(r)", "a.i, count(a.v / 0)", "a.i, count(a.v.w)", "a.i, avg(a.v), count(*)",
        "EXISTS { (b)-->(a) } AS e, count(*)", "COUNT { (a)-->() } AS e, count(*)",
        "labels(a) AS l, count(CASE WHEN a.i > 1 THEN 1 END)"})
    for (const std::string step : {"-[r]->", "<-[r:R]-", "-[r:R]-", "-[:S]-()-[r]-"})
      for (const std::string start :
           {"MATCH (a:N)", "MATCH (a:N), (b:N) MATCH (a)", "OPTIONAL MATCH (a:X) MATCH (a)",
            "UNWIND [1, 1, null] AS u MATCH (a:N {i: u})"})
        rows(start + step + "(b) RETURN " + ending);
  BOOST_TEST(rows("MATCH (a:N)-[r]->() WITH rand() AS x, count(*) AS c RETURN count(c), sum(c)") ==
             Lines{"5 | 5"});
}

// A count includes the relationships that the same statement has created.
BOOST_AUTO_TEST_CASE(steps_are_counted_behind_changes) {
  run_all(*database, {"UNWIND range(0, 4) AS i CREATE (:N {i: i})"});
  for (int i = 0; i < 2; ++i)
    BOOST_TEST(result_of(*database,
                         "MATCH (a:N), (b:N) WHERE a.i < b.i CREATE (a)-[:R]->(b) WITH DISTINCT a "
                         "MATCH (a)-[:R]->(c) "
                         "RETURN a.i AS i, count(c) AS c ORDER BY i") ==
               (i == 0 ? "0 | 4; 1 | 3; 2 | 2; 3 | 1" : "0 | 8; 1 | 6; 2 | 4; 3 | 2"));
}

// A node with very many relationships: its ends are tested some at a time.
BOOST_AUTO_TEST_CASE(ends_of_a_hub_are_found_in_little_memory) {
  run_all(*database, {"CREATE (:Hub)", "UNWIND range(1, 30000) AS i CREATE (:N {i: i})",
                      "MATCH (h:Hub), (n:N) CREATE (h)-[:E {w: n.i}]->(n)"});
  StatementOptions little;
  little.memory_bytes = std::size_t{10} << 20;
  for (const std::string condition : {"x.w > 10", "x.w > 10 AND x.w < 100000"})
    for (int i = 0; i < 2; ++i)
      BOOST_TEST(result_of(*database,
                           "MATCH (h:Hub)-[r:E*1..2]->(b) WHERE all(x IN r WHERE " + condition +
                               ") RETURN max(b.i) AS m, count(DISTINCT b) AS c",
                           {}, little) == "30000 | 29990");
}

// Texts of a row are copied to each row that is made of it: a batch ends at its bytes.
BOOST_AUTO_TEST_CASE(large_texts_go_along_steps_in_short_batches) {
  run_all(*database, {"CREATE (:Hub)", "UNWIND range(1, 2000) AS i CREATE (:N {i: i})",
                      "MATCH (h:Hub), (n:N) CREATE (h)-[:E]->(n)"});
  StatementOptions little;
  little.memory_bytes = std::size_t{64} << 20;
  const std::string text = "reduce(s = 'abcdefghij' + toString(i), x IN range(1, 14) | s + s)";
  BOOST_TEST(result_of(*database,
                       "UNWIND range(1, 3) AS i WITH " + text +
                           " AS t MATCH (h:Hub)-[r:E]->(b) WITH size(t) AS s, b LIMIT 1500 RETURN "
                           "count(*) AS c, min(s) AS least",
                       {}, little) == "1500 | 180224");
  BOOST_TEST(
      result_of(*database,
                "WITH $big AS t MATCH (h:Hub)-[:E]->(b) MATCH (k)-[:E]->(b) WITH size(t) AS s, b "
                "RETURN count(*) AS c, max(s) AS s",
                {{"big", std::string(std::size_t{1} << 20, 'x')}}, little) == "2000 | 1048576");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
