// A search from both ends finds the same shortest paths as a search from the start, in the same
// order. A condition on the length that all paths pass makes the search begin at the start only.

#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/temporary_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>

namespace cairn::test {

BOOST_AUTO_TEST_SUITE(shortest_path)

namespace {

void compare(Database& database, const std::string& function, const std::string& step) {
  const std::string match = "MATCH (a:N), (b:N), p = " + function + "((a)" + step + "(b)) ";
  const std::string back = "RETURN a.k, b.k, [r IN relationships(p) | id(r)]";
  BOOST_TEST_CONTEXT(match)
  BOOST_TEST(
      rows_of(database, match + back) == rows_of(database, match + "WHERE length(p) >= 0 " + back),
      boost::test_tools::per_element());
}

/// Some nodes without relationships, loops, parallel relationships, and hidden nodes between others.
void fill(Database& database, std::mt19937_64& random) {
  const auto nodes = 2 + random() % 40;
  run_all(database, {"UNWIND range(1, " + std::to_string(nodes) + ") AS k CREATE (:N {k: k})"});
  for (auto edges = random() % (3 * nodes); edges > 0; --edges)
    run_all(database, {"MATCH (a:N {k: " + std::to_string(1 + random() % nodes) +
                       "}), (b:N {k: " + std::to_string(1 + random() % nodes) +
                       "}) CREATE (a)-[:" + (random() % 4 == 0 ? "S" : "R") + "]->(b)"});
  for (auto hidden = random() % (1 + nodes / 8); hidden > 0; --hidden)
    run_all(database, {"MATCH (a:N {k: " + std::to_string(1 + random() % nodes) +
                       "}) SET a@expires_at = datetime('2001-01-01')"});
}

}  // namespace

BOOST_AUTO_TEST_CASE(both_ends_find_what_the_start_finds) {
  std::mt19937_64 random(11);
  for (std::size_t round = 0; round < rounds(4, 60); ++round) {
    TemporaryDatabase database;
    fill(*database, random);
    for (const char* function : {"shortestPath", "allShortestPaths"})
      for (const char* step : {"-[:R*]->", "<-[:R*]-", "-[:R*]-", "-[*]->", "-[:R|S*..3]->",
                               "-[*0..2]-", "-[:R*..1]->", "-[:R]->", "-[:None*]->"})
        compare(*database, function, step);
  }
}

// An end is one node, but reading its lists is expensive if it has very many relationships.
BOOST_AUTO_TEST_CASE(the_side_with_fewer_relationships_is_searched) {
  const TemporaryDirectory directory;
  Options options;
  options.segments = Segments::always;
  Database database = must(Database::open(directory.path() / "db", options));
  run_all(database, {"CREATE (:A)-[:R]->(:B)-[:R]->(:H), (:C)", "MATCH (a:A) CREATE (a)-[:R]->(:B)",
                     "MATCH (h:H) UNWIND range(1, 4321) AS i CREATE (h)<-[:R]-()"});
  const std::string plan = plan_of(
      database, "PROFILE MATCH (a:A), (h:H), p = shortestPath((a)-[:R*]->(h)) RETURN length(p)");
  BOOST_TEST(plan.find(" 43") == std::string::npos, plan);
}

BOOST_AUTO_TEST_CASE(hidden_nodes_are_on_no_path) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (a:N {k: 1})-[:R]->(b:N {k: 2})-[:R]->(c:N {k: 3})",
                      "MATCH (a {k: 1}), (c {k: 3}) CREATE (a)-[:R]->(:N {k: 4})-[:R]->(:N {k: "
                      "5})-[:R]->(c)",
                      "MATCH (b {k: 2}) SET b@expires_at = datetime('2001-01-01')"});
  const std::string path =
      "MATCH (a:N {k: 1}), (c:N {k: 3}), p = shortestPath((a)-[*]->(c)) RETURN "
      "length(p)";
  BOOST_TEST(result_of(*database, path) == "3");
}

// The search from the end first reaches the start through a hidden node, which is not a path.
BOOST_AUTO_TEST_CASE(hidden_nodes_end_no_search) {
  TemporaryDatabase database;
  run_all(*database,
          {"CREATE (a:N {k: 1})-[:R]->(u {k: 2})-[:R]->({k: 3})-[:R]->({k: 4})-[:R]->(c:N {k: 5}), "
           "(a)-[:R]->(), (a)-[:R]->(), (u)-[:R]->(:Hidden)-[:R]->(c)",
           "MATCH (h:Hidden) SET h@expires_at = datetime('2001-01-01')"});
  BOOST_TEST(result_of(*database,
                       "MATCH (a:N {k: 1}), (c:N {k: 5}), p = shortestPath((a)-[*]->(c)) RETURN "
                       "length(p)") == "4");
}

BOOST_AUTO_TEST_CASE(a_near_end_needs_no_search_through_all) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:N {k: 0})", "UNWIND range(1, 8000) AS k CREATE (:N {k: k})",
                      "MATCH (a:N), (b:N) WHERE b.k = a.k / 20 AND a.k > 0 CREATE (b)-[:R]->(a)"});
  StatementOptions options;
  options.memory_bytes = std::size_t{256} << 10;
  for (const char* pattern : {"(a)-[:R*]->(b)", "(b)<-[:R*]-(a)"})
    BOOST_TEST(result_of(*database,
                         "MATCH (a:N {k: 0}), (b:N {k: 7999}), p = shortestPath(" +
                             std::string(pattern) + ") RETURN length(p)",
                         {}, options) == "3");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
