// MATCH as a whole: scans, expansions, filters, uniqueness of relationships.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <utility>

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

BOOST_AUTO_TEST_CASE(labels_by_value_choose_nodes) {
  const Parameters both = {{"names", list_of({"Person", "Admin"})}, {"none", Value(List())}};
  BOOST_TEST(sorted("MATCH (n:$('Person')) RETURN n.name") == "'Ada'; 'Bob'; 'Cy'");
  BOOST_TEST(sorted("MATCH (n:$($names)) RETURN n.name", both) == "'Bob'");
  BOOST_TEST(sorted("MATCH (n:$all($names)) RETURN n.name", both) == "'Bob'");
  BOOST_TEST(sorted("MATCH (n:$any($names)) RETURN n.name", both) == "'Ada'; 'Bob'; 'Cy'");
  BOOST_TEST(sorted("MATCH (n:!$any($names)) RETURN n.name", both) == "'Acme'");
  BOOST_TEST(sorted("MATCH (n:!$($names)&Person) RETURN n.name", both) == "'Ada'; 'Cy'");
  BOOST_TEST(sorted("MATCH (n:$($none)) RETURN count(*)", both) == "4");
  BOOST_TEST(sorted("MATCH (n:$any($none)) RETURN count(*)", both) == "0");
  BOOST_TEST(sorted("MATCH (n:$('Nobody')) RETURN n") == "");
  BOOST_TEST(sorted("UNWIND ['Company', ['Admin', 'Person']] AS l MATCH (n:$(l)) RETURN n.name") ==
             "'Acme'; 'Bob'");
  BOOST_TEST(sorted("MATCH (n) WHERE NOT n:$(['Person']) RETURN n.name") == "'Acme'");
  BOOST_TEST(sorted("MATCH (n) RETURN n.name, n:$any(['Admin', 'Company'])") ==
             "'Acme' | true; 'Ada' | false; 'Bob' | true; 'Cy' | false");
  BOOST_TEST(sorted("OPTIONAL MATCH (n:Nobody) RETURN n:$('A')") == "null");
}

BOOST_AUTO_TEST_CASE(a_type_by_value_chooses_relationships) {
  const Parameters both = {{"types", list_of({"KNOWS", "WORKS_AT"})}};
  BOOST_TEST(sorted("MATCH ({name: 'Ada'})-[:$('KNOWS')]->(m) RETURN m.name") == "'Bob'");
  BOOST_TEST(sorted("MATCH ({name: 'Ada'})-[:$any($types)]->(m) RETURN m.name", both) ==
             "'Acme'; 'Bob'");
  BOOST_TEST(sorted("MATCH ({name: 'Ada'})-[:$($types)]->(m) RETURN m.name", both) == "");
  BOOST_TEST(sorted("MATCH ({name: 'Ada'})-[:$any($types)*2]->(m) RETURN m.name", both) == "'Cy'");
  BOOST_TEST(sorted("MATCH ({name: 'Ada'})-[:!$('KNOWS')]->(m) RETURN m.name") == "'Acme'");
  BOOST_TEST(sorted("MATCH ()-[r]->() WHERE r:$(['WORKS_AT']) RETURN type(r)") == "'WORKS_AT'");
  BOOST_TEST(sorted("WITH 'KNOWS' AS t RETURN COUNT { ()-[:$(t)]->() }") == "3");
}

BOOST_AUTO_TEST_CASE(values_that_name_no_labels_are_errors) {
  for (const char* refused :
       {"MATCH (n:$(null)) RETURN n", "MATCH (n:$any(null)) RETURN n", "MATCH (n:$(1)) RETURN n",
        "MATCH (n:$('')) RETURN n", "MATCH (n:$(['Person', null])) RETURN n",
        "MATCH (n:$([['Person']])) RETURN n", "MATCH ()-[r:$(null)]->() RETURN r"})
    BOOST_TEST((error_of(*database, refused).code == ErrorCode::type_error), refused);
}

// Compares labels by value, for each set of names, with their definition by all(), any() and
// labels().
BOOST_AUTO_TEST_CASE(labels_by_value_are_tests_of_the_list_of_labels) {
  run_all(*database, {"UNWIND range(0, 15) AS i CREATE (n:Set {i: i}) "
                      "SET n:$([x IN range(0, 3) WHERE i / toInteger(2 ^ x) % 2 = 1 | 'L' + x])"});
  for (int set = 0; set < 16; ++set) {
    List list;
    for (int bit = 0; bit < 4; ++bit)
      if (set >> bit & 1) list.emplace_back("L" + std::to_string(bit));
    const Parameters names = {{"names", Value(std::move(list))}};
    for (const char* kind : {"all", "any"})
      for (const char* negation : {"", "!"}) {
        const std::string label = std::string(negation) + "$" + kind + "($names)";
        const std::string test =
            std::string(*negation != 0 ? "NOT " : "") + kind + "(x IN $names WHERE x IN labels(n))";
        BOOST_TEST(sorted("MATCH (n:Set&" + label + ") RETURN n.i", names) ==
                       sorted("MATCH (n:Set) WHERE " + test + " RETURN n.i", names),
                   label);
      }
  }
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
  // Here the elements of the list have no static type.
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

// The types are made in the opposite order. A statement that meets many learns the names of all at once.
BOOST_AUTO_TEST_CASE(relationships_come_in_the_order_of_the_names_of_their_types) {
  for (const int count : {10, 64, 65, 200}) {
    const std::string hub = "Hub" + std::to_string(count);
    std::string text = "CREATE (h:" + hub + ")";
    for (int i = count; i > 0; --i)
      text += ", (h)-[:" + hub + "_" + std::to_string(1'000 + i) + "]->()";
    run_all(*database, {text});
    const std::string question = "MATCH (:" + hub + ")-[r]->() RETURN type(r)";
    const auto rows = rows_of(*database, question);
    BOOST_TEST(rows.size() == static_cast<std::size_t>(count));
    BOOST_TEST(rows == sorted_rows(*database, question), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(disconnected_patterns_give_all_combinations) {
  BOOST_TEST(sorted("MATCH (a:Admin), (c:Company) RETURN a.name, c.name") == "'Bob' | 'Acme'");
  BOOST_TEST(sorted("MATCH (a:Person), (b:Person) RETURN count(*)") == "9");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
