// Paths: of variable length, shortest ones, path variables.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

namespace cairn::test {
namespace {

// a -> b -> c -> d, a -> c, and d -> a.
struct Fixture {
  Fixture() {
    run_all(*database, {"CREATE (a:N {v: 'a'})-[:R {w: 1}]->(b:N {v: 'b'})-[:R {w: 2}]->(c:N {v: "
                        "'c'})-[:R {w: 3}]->(d:N {v: 'd'}), (a)-[:S {w: 4}]->(c), "
                        "(d)-[:R {w: 5}]->(a)"});
  }
  std::string sorted(std::string_view statement) {
    std::string text;
    for (const std::string& row : sorted_rows(*database, statement))
      text += (text.empty() ? "" : "; ") + row;
    return text;
  }
  TemporaryDatabase database;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(path, Fixture)

BOOST_AUTO_TEST_CASE(lengths_are_kept_to) {
  BOOST_TEST(sorted("MATCH ({v: 'a'})-[:R*2]->(x) RETURN x.v") == "'c'");
  BOOST_TEST(sorted("MATCH ({v: 'a'})-[:R*1..2]->(x) RETURN x.v") == "'b'; 'c'");
  BOOST_TEST(sorted("MATCH ({v: 'a'})-[:R*0..1]->(x) RETURN x.v") == "'a'; 'b'");
  BOOST_TEST(sorted("MATCH ({v: 'a'})-[:R*]->(x) RETURN x.v") == "'a'; 'b'; 'c'; 'd'");
  BOOST_TEST(sorted("MATCH (x)-[:R*2]->({v: 'a'}) RETURN x.v") == "'c'");
}

BOOST_AUTO_TEST_CASE(quantifiers_are_lengths) {
  const std::pair<const char*, const char*> same[] = {
      {"{2}", "*2"}, {"{1,2}", "*1..2"}, {"{0,1}", "*0..1"}, {"{,1}", "*0..1"},
      {"{1,}", "*"}, {"+", "*"},         {"*", "*0.."},      {" { 1 , 2 } ", "*1..2"}};
  for (const auto& [quantifier, hops] : same)
    BOOST_TEST(sorted("MATCH (y)-[r:R]->" + std::string(quantifier) + "(x) RETURN y.v, x.v, r") ==
                   sorted("MATCH (y)-[r:R" + std::string(hops) + "]->(x) RETURN y.v, x.v, r"),
               quantifier);
  BOOST_TEST(sorted("MATCH ({v: 'a'})-[r:R {w: 1}]->+(x) RETURN x.v") == "'b'");
  BOOST_TEST(sorted("MATCH p = ({v: 'a'})-->{2}() RETURN count(p)") == "2");
  for (const char* wrong :
       {"-->{}", "-->{a}", "-->{1,2", "-->{2..3}", "-->{99999999999999999999}", "-[*]->{1,2}"})
    BOOST_TEST(
        sorted("MATCH (a)" + std::string(wrong) + "(b) RETURN 1").find("hops") != std::string::npos,
        wrong);
}

BOOST_AUTO_TEST_CASE(a_path_takes_no_relationship_twice) {
  BOOST_TEST(sorted("MATCH ({v: 'a'})-[r*]-(x) WHERE size(r) > 5 RETURN x.v") == "");
  BOOST_TEST(sorted("MATCH (a {v: 'a'})-[r:R*4]->(a) RETURN size(r)") == "4");
}

BOOST_AUTO_TEST_CASE(conditions_hold_for_every_relationship) {
  BOOST_TEST(sorted("MATCH ({v: 'a'})-[r:R* {w: 1}]->(x) RETURN x.v") == "'b'");
  BOOST_TEST(sorted("MATCH ({v: 'a'})-[r:R*]->(x) WHERE all(s IN r WHERE s.w < 3) RETURN x.v") ==
             "'b'; 'c'");
}

BOOST_AUTO_TEST_CASE(lists_follow_the_pattern_also_when_walked_from_its_end) {
  BOOST_TEST(sorted("MATCH (x)-[r:R*3]->({v: 'd'}) RETURN [s IN r | s.w]") == "[1, 2, 3]");
}

BOOST_AUTO_TEST_CASE(path_variables_hold_nodes_and_relationships_in_order) {
  BOOST_TEST(sorted("MATCH p = ({v: 'a'})-[:R*2]->() RETURN [n IN nodes(p) | n.v], length(p)") ==
             "['a', 'b', 'c'] | 2");
  BOOST_TEST(sorted("MATCH p = ({v: 'c'})<-[:S]-()-[:R]->() RETURN [n IN nodes(p) | n.v]") ==
             "['c', 'a', 'b']");
  BOOST_TEST(sorted("MATCH p = ({v: 'a'}) RETURN length(p)") == "0");
}

BOOST_AUTO_TEST_CASE(shortest_paths_are_shortest) {
  BOOST_TEST(sorted("MATCH p = shortestPath((a {v: 'a'})-[*]->(d {v: 'd'})) "
                    "RETURN [r IN relationships(p) | r.w]") == "[4, 3]");
  BOOST_TEST(sorted("MATCH p = shortestPath((a {v: 'a'})-[:R*]->(d {v: 'd'})) RETURN length(p)") ==
             "3");
  BOOST_TEST(sorted("MATCH p = shortestPath((a {v: 'a'})-[:R*..2]->(d {v: 'd'})) RETURN p") == "");
  BOOST_TEST(sorted("MATCH p = allShortestPaths((b {v: 'b'})-[*]-(d {v: 'd'})) "
                    "RETURN [n IN nodes(p) | n.v]") == "['b', 'a', 'd']; ['b', 'c', 'd']");
}

BOOST_AUTO_TEST_CASE(the_shortest_of_the_paths_that_pass_is_found) {
  const auto found = [&](const std::string& condition) {
    return sorted("MATCH p = shortestPath((a {v: 'a'})-[rs*]->(d {v: 'd'})) WHERE " + condition +
                  " RETURN [r IN relationships(p) | r.w]");
  };
  BOOST_TEST(found("none(r IN relationships(p) WHERE r.w = 4)") == "[1, 2, 3]");
  BOOST_TEST(found("all(r IN rs WHERE r.w <> 4)") == "[1, 2, 3]");
  BOOST_TEST(found("all(n IN nodes(p) WHERE n.v <> 'b')") == "[4, 3]");
  BOOST_TEST(found("none(n IN nodes(p) WHERE n.v = 'c')") == "");
  BOOST_TEST(found("none(n IN nodes(p) WHERE n.v = 'a')") == "");
  BOOST_TEST(found("all(r IN rs WHERE r.none > 1)") == "");
  BOOST_TEST(found("length(p) > 2") == "[1, 2, 3]");
  BOOST_TEST(found("size(rs) = 3 AND a.v < d.v") == "[1, 2, 3]");
  BOOST_TEST(found("any(n IN nodes(p) WHERE n.v = 'b')") == "[1, 2, 3]");
  BOOST_TEST(found("length(p) > 3") == "");
  BOOST_TEST(sorted("MATCH p = shortestPath((a {v: 'a'})-[*..2]->(d {v: 'd'})) WHERE length(p) > 2 "
                    "RETURN p") == "");
  BOOST_TEST(sorted("OPTIONAL MATCH p = shortestPath((a {v: 'a'})-[*]->(d {v: 'd'})) "
                    "WHERE length(p) > 3 RETURN p") == "null");
}

BOOST_AUTO_TEST_CASE(all_shortest_of_the_paths_that_pass_are_found) {
  const auto found = [&](const std::string& condition) {
    return sorted("MATCH p = allShortestPaths((b {v: 'b'})-[*]-(d {v: 'd'})) WHERE " + condition +
                  " RETURN [n IN nodes(p) | n.v]");
  };
  BOOST_TEST(found("any(n IN nodes(p) WHERE n.v = 'a')") == "['b', 'a', 'd']");
  BOOST_TEST(found("length(p) = 3") == "['b', 'a', 'c', 'd']; ['b', 'c', 'a', 'd']");
  BOOST_TEST(found("none(r IN relationships(p) WHERE r.w = 3) AND none(r IN relationships(p) WHERE "
                   "r.w = 1)") == "['b', 'c', 'a', 'd']");
}

// The planner chooses which part of the MATCH binds first.
BOOST_AUTO_TEST_CASE(conditions_of_a_shortest_path_may_read_the_rest_of_its_match) {
  BOOST_TEST(sorted("MATCH p = shortestPath((a {v: 'a'})-[*]->(d {v: 'd'})), (x {v: 'b'})-[y]->() "
                    "WHERE x IN nodes(p) AND y IN relationships(p) RETURN length(p)") == "3");
  BOOST_TEST(sorted("MATCH p = shortestPath((a {v: 'a'})-[*]->(d {v: 'd'})), "
                    "q = shortestPath((b {v: 'b'})-[*]->(d)) WHERE length(p) = length(q) "
                    "RETURN length(p)") == "2");
}

BOOST_AUTO_TEST_CASE(endless_numbers_of_paths_stop_at_the_limit) {
  run_all(*database, {"UNWIND range(1, 30) AS i CREATE (:K {i: i})",
                      "MATCH (a:K), (b:K) WHERE a.i < b.i CREATE (a)-[:L]->(b)"});
  StatementOptions options;
  options.timeout = std::chrono::milliseconds(100);
  const Error error = error_of(*database, "MATCH (:K)-[:L*]-(:K) RETURN count(*)", {}, options);
  BOOST_TEST((error.code == ErrorCode::resource_limit));
  BOOST_TEST(rows_of(*database, "MATCH (:K {i: 1})-[:L*]-(x) RETURN x.i LIMIT 3").size() == 3U);
  // No path satisfies these conditions, because a path has at least one relationship.
  for (const char* condition :
       {"length(p) < 1", "length(p) <= 0", "0 >= size(rs)", "length(p) = 0"})
    BOOST_TEST(
        rows_of(*database, "MATCH p = shortestPath((:K {i: 2})-[rs:L*]->(:K {i: 30})) WHERE " +
                               std::string(condition) + " RETURN p")
            .empty());
}

BOOST_AUTO_TEST_CASE(a_step_beside_the_shortest_path_may_fail_its_condition) {
  run_all(*database,
          {"CREATE (a:F {i: 1})-[:L {w: 2}]->(:F {i: 2}), (a)-[:L {w: 0}]->(:F {i: 3})"});
  BOOST_TEST(rows_of(*database,
                     "MATCH p = shortestPath((:F {i: 1})-[*]->(:F {i: 2})) WHERE "
                     "all(r IN relationships(p) WHERE 10 / r.w > 1) RETURN length(p)")
                 .size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
