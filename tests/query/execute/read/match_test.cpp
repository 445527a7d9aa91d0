// MATCH as a whole: scans, expansions, filters, uniqueness of relationships.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

struct Fixture {
  Fixture() {
    run_all(
        *database,
        {"CREATE (ada:Person {name: 'Ada', age: 36}), (bob:Person:Admin {name: 'Bob', age: 40}),"
         " (cy:Person {name: 'Cy'}), (acme:Company {name: 'Acme'}),"
         " (ada)-[:KNOWS {since: 2001}]->(bob), (bob)-[:KNOWS {since: 2010}]->(cy),"
         " (ada)-[:WORKS_AT]->(acme), (cy)-[:KNOWS]->(cy)"});
  }
  std::string sorted(std::string_view statement, const Parameters& parameters = {}) {
    std::string text;
    for (const std::string& row : sorted_rows(*database, statement, parameters))
      text += (text.empty() ? "" : "; ") + row;
    return text;
  }
  TemporaryDatabase database;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(match, Fixture)

BOOST_AUTO_TEST_CASE(labels_and_properties_choose_nodes) {
  BOOST_TEST(sorted("MATCH (n:Person) RETURN n.name") == "'Ada'; 'Bob'; 'Cy'");
  BOOST_TEST(sorted("MATCH (n:Person {name: 'Bob'}) RETURN n.age") == "40");
  BOOST_TEST(sorted("MATCH (n:Person&Admin) RETURN n.name") == "'Bob'");
  BOOST_TEST(sorted("MATCH (n) WHERE n:Company OR n.age > 36 RETURN n.name") == "'Acme'; 'Bob'");
  BOOST_TEST(sorted("MATCH (n:Nobody) RETURN n") == "");
}

BOOST_AUTO_TEST_CASE(relationships_are_followed_in_their_direction) {
  BOOST_TEST(sorted("MATCH (:Person {name: 'Ada'})-[:KNOWS]->(m) RETURN m.name") == "'Bob'");
  BOOST_TEST(sorted("MATCH (:Person {name: 'Bob'})<-[:KNOWS]-(m) RETURN m.name") == "'Ada'");
  BOOST_TEST(sorted("MATCH ({name: 'Bob'})-[:KNOWS]-(m) RETURN m.name") == "'Ada'; 'Cy'");
  BOOST_TEST(sorted("MATCH ({name: 'Ada'})-[:KNOWS|WORKS_AT]->(m) RETURN m.name") ==
             "'Acme'; 'Bob'");
}

BOOST_AUTO_TEST_CASE(a_relationship_stands_once_in_a_match) {
  BOOST_TEST(sorted("MATCH (a {name: 'Ada'})-[:KNOWS]-(b)-[:KNOWS]-(c) RETURN c.name") == "'Cy'");
  BOOST_TEST(sorted("MATCH (a {name: 'Ada'})-[:KNOWS]-(b) MATCH (b)-[:KNOWS]-(c) RETURN c.name") ==
             "'Ada'; 'Cy'");
}

BOOST_AUTO_TEST_CASE(a_loop_matches_once_without_direction) {
  BOOST_TEST(sorted("MATCH (a)-[r]-(a) RETURN a.name") == "'Cy'");
  BOOST_TEST(sorted("MATCH (a)-[r:KNOWS]->(a) RETURN count(*)") == "1");
}

BOOST_AUTO_TEST_CASE(relationship_properties_choose_relationships) {
  BOOST_TEST(sorted("MATCH (a)-[r:KNOWS {since: 2010}]->(b) RETURN a.name, b.name") ==
             "'Bob' | 'Cy'");
  BOOST_TEST(sorted("MATCH ()-[r]->() WHERE r.since < 2005 RETURN r.since") == "2001");
}

BOOST_AUTO_TEST_CASE(bound_variables_are_kept) {
  BOOST_TEST(
      sorted("MATCH (a {name: 'Ada'}), (b {name: 'Bob'}) MATCH (a)-[r]->(b) RETURN type(r)") ==
      "'KNOWS'");
  BOOST_TEST(
      sorted("MATCH (a)-[r:WORKS_AT]->(c) WITH r MATCH (x)-[r]->(y) RETURN x.name, y.name") ==
      "'Ada' | 'Acme'");
  BOOST_TEST(
      sorted("MATCH (a)-[r:WORKS_AT]->(c) WITH r MATCH (x)<-[r]-(y) RETURN x.name, y.name") ==
      "'Acme' | 'Ada'");
}

BOOST_AUTO_TEST_CASE(a_null_start_matches_nothing) {
  BOOST_TEST(sorted("OPTIONAL MATCH (x:Nobody) MATCH (x)-->(y) RETURN y") == "");
}

BOOST_AUTO_TEST_CASE(a_bound_value_that_is_no_node_is_an_error) {
  BOOST_TEST(sorted("UNWIND [null] AS x MATCH (x) RETURN x") == "");
  for (const char* const value : {"1", "'a'", "{k: 1}", "[1]"}) {
    const std::string row = std::string("UNWIND [") + value + ", 'b', [1]] AS x ";
    for (const char* const clause :
         {"MATCH (x) RETURN x", "MATCH (x), (y) RETURN y", "OPTIONAL MATCH (x) RETURN x",
          "MATCH (x:Person) RETURN x", "RETURN EXISTS { (x) }"})
      BOOST_TEST((error_of(*database, row + clause).code == ErrorCode::type_error), row + clause);
  }
  // The elements have no static type here.
  BOOST_TEST((error_of(*database,
                       "MATCH ()-[r:KNOWS]->() UNWIND [r, 1] AS x MATCH (x:KNOWS) "
                       "RETURN x")
                  .code == ErrorCode::type_error));
}

BOOST_AUTO_TEST_CASE(a_deleted_node_matches_nothing) {
  BOOST_TEST(sorted("MATCH (a:Company) DETACH DELETE a WITH a MATCH (a) RETURN a") == "");
  BOOST_TEST(sorted("CREATE (a:Company), (b:Company) DELETE b WITH a, b UNWIND [a, b] AS x "
                    "MATCH (x:Company) RETURN x = a") == "true");
}

BOOST_AUTO_TEST_CASE(conditions_may_read_variables_bound_before) {
  BOOST_TEST(sorted("MATCH (a:Person {name: 'Ada'}) MATCH (b:Person) WHERE b.age > a.age "
                    "RETURN b.name") == "'Bob'");
  BOOST_TEST(sorted("UNWIND ['Ada', 'Cy', 'Eve'] AS name MATCH (n {name: name}) RETURN n.name") ==
             "'Ada'; 'Cy'");
}

BOOST_AUTO_TEST_CASE(ids_choose_nodes) {
  BOOST_TEST(sorted("MATCH (n {name: 'Bob'}) WITH id(n) AS i MATCH (m) WHERE id(m) = i "
                    "RETURN m.name") == "'Bob'");
  BOOST_TEST(sorted("MATCH (m) WHERE id(m) = 1000000 RETURN m") == "");
}

BOOST_AUTO_TEST_CASE(patterns_are_conditions_and_values) {
  BOOST_TEST(sorted("MATCH (n:Person) WHERE (n)-[:WORKS_AT]->(:Company) RETURN n.name") == "'Ada'");
  BOOST_TEST(sorted("MATCH (n:Person) WHERE NOT (n)-[:KNOWS]->() RETURN n.name") == "");
  BOOST_TEST(sorted("MATCH (n {name: 'Bob'}) RETURN [(n)-[:KNOWS]-(m) WHERE m.age > 1 | m.name] "
                    "AS names") == "['Ada']");
  BOOST_TEST(sorted("MATCH (n:Person) WHERE exists { (n)-[:KNOWS]->(m) WHERE m.name = 'Bob' } "
                    "RETURN n.name") == "'Ada'");
  BOOST_TEST(sorted("MATCH (n {name: 'Bob'}) RETURN count { (n)-[:KNOWS]-() } AS c") == "2");
}

BOOST_AUTO_TEST_CASE(disconnected_patterns_give_all_combinations) {
  BOOST_TEST(sorted("MATCH (a:Admin), (c:Company) RETURN a.name, c.name") == "'Bob' | 'Acme'");
  BOOST_TEST(sorted("MATCH (a:Person), (b:Person) RETURN count(*)") == "9");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
