// Each rule by what it does to a plan, and all of them by the rows they leave as they were.

#include "query/optimize/optimizer.hpp"

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

// 100 people, three of them in Bonn, each with one of ten hobbies.
struct Fixture {
  Fixture() {
    run_all(*database,
            {"UNWIND range(0, 9) AS i CREATE (:Hobby {name: 'h' + toString(i)})",
             "UNWIND range(0, 99) AS i MATCH (h:Hobby {name: 'h' + toString(i % 10)}) "
             "CREATE (:Person {i: i, city: CASE WHEN i < 3 THEN 'Bonn' ELSE 'Ulm' END})-[:LIKES "
             "{much: i % 7}]->(h)"});
  }

  // The first words of a plan's lines, the parts of filters left out.
  std::string operators(const std::string& statement, const std::string& disabled = "") {
    StatementOptions options;
    options.disabled_rules = disabled;
    const std::string plan = plan_of(*database, "EXPLAIN " + statement, {}, options);
    std::string line;
    for (std::size_t begin = 0; begin < plan.size();) {
      const std::size_t end = plan.find('\n', begin);
      const std::size_t word = plan.find_first_not_of(' ', begin);
      const std::string name = plan.substr(word, plan.find(' ', word) - word);
      // The last line names conditions and no operator.
      if (name != "|" && name != "conditions") line += (line.empty() ? "" : " ") + name;
      begin = end + 1;
    }
    return line;
  }
  TemporaryDatabase database;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(optimizer, Fixture)

BOOST_AUTO_TEST_CASE(patterns_begin_at_their_smallest_set) {
  const std::string statement =
      "EXPLAIN MATCH (h:Hobby)<-[:LIKES]-(p:Person {city: 'Bonn'}) RETURN h.name";
  BOOST_TEST(plan_of(*database, statement).find("ScanNodes (p)") != std::string::npos);
  StatementOptions options;
  options.disabled_rules = "order_expansions";
  BOOST_TEST(plan_of(*database, statement, {}, options).find("ScanNodes (h)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(conditions_are_checked_as_soon_as_possible) {
  const std::string statement = "MATCH (p:Person)-[r]->(h) WHERE p.i + 1 = 3 RETURN h";
  BOOST_TEST(operators(statement, "choose_indexes order_expansions") ==
             "Project Expand Select ScanNodes");
  BOOST_TEST(operators(statement, "choose_indexes order_expansions push_filters") ==
             "Project Select Expand ScanNodes");
}

BOOST_AUTO_TEST_CASE(indexes_answer_what_they_can) {
  BOOST_TEST(operators("MATCH (p:Person {city: 'Bonn'}) RETURN p") == "Project ScanNodes");
  BOOST_TEST(operators("MATCH (p:Person {city: 'Bonn'}) RETURN p", "choose_indexes") ==
             "Project Select ScanNodes");
}

BOOST_AUTO_TEST_CASE(a_limit_reaches_the_sort_and_the_projection) {
  BOOST_TEST(operators("MATCH (p:Person) RETURN p.i ORDER BY p.i LIMIT 2") ==
             "TrimColumns Limit SortFirst Project ScanNodes");
  BOOST_TEST(operators("MATCH (p:Person) RETURN p.i LIMIT 2") == "Project Limit ScanNodes");
  BOOST_TEST(operators("MATCH (p:Person) RETURN p.i LIMIT 2", "push_limits") ==
             "Limit Project ScanNodes");
}

BOOST_AUTO_TEST_CASE(counts_are_sizes_of_sets) {
  BOOST_TEST(operators("MATCH (p:Person) RETURN count(*)") == "Project CountRows");
  BOOST_TEST(operators("MATCH (p:Person) RETURN count(p) + 1") == "Project CountRows");
  BOOST_TEST(operators("MATCH ()-[r:LIKES]->() RETURN count(r)") == "Project CountRows");
  BOOST_TEST(operators("MATCH (p:Person) RETURN count(p.i)") == "Project CountRows");
  BOOST_TEST(operators("MATCH (p:Person) RETURN count(DISTINCT p.i), count(p.i)") ==
             "Project Aggregate ScanNodes");
  BOOST_TEST(operators("MATCH ()-[r:LIKES]-() RETURN count(r)").find("CountRows") ==
             std::string::npos);
  BOOST_TEST(result_of(*database, "MATCH ()-[r:LIKES]->() RETURN count(r)") == "100");
}

BOOST_AUTO_TEST_CASE(every_rule_leaves_the_rows_as_they_are) {
  const std::vector<std::string> statements = {
      "MATCH (h:Hobby)<-[r:LIKES]-(p:Person {city: 'Bonn'}) WHERE r.much < 2 RETURN h.name, p.i",
      "MATCH (p:Person)-[:LIKES]->(h)<-[:LIKES]-(q:Person {i: 13}) WHERE p.i < 40 RETURN p.i",
      "MATCH (a:Person {i: 1}), (b:Hobby) WHERE NOT (a)-->(b) RETURN b.name",
      "MATCH (p:Person) WHERE p.i % 10 = 3 OPTIONAL MATCH (p)-[r]->(h {name: 'h3'}) "
      "RETURN p.i, r.much, h.name",
      "MATCH (p:Person) WITH p.city AS city, count(*) AS c RETURN city, c",
      "MATCH (p)-[r:LIKES {much: 3}]-(h) RETURN p.i, h.name",
      "MATCH (p:Person) RETURN p.i ORDER BY p.i DESC SKIP 3 LIMIT 4",
  };
  for (const std::string& statement : statements)
    for (const std::string_view rule : query::rule_names()) {
      StatementOptions options;
      options.disabled_rules = rule;
      BOOST_TEST_CONTEXT(statement << " without " << rule)
      BOOST_TEST(
          sorted_rows(*database, statement, {}, options) == sorted_rows(*database, statement),
          boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
