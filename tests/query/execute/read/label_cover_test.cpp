// A search warns if its index covers none of the labels of its pattern, and does not warn
// otherwise. Relationship types and conjunctions of labels bind before the search.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

struct Fixture {
  TemporaryDatabase database;

  Fixture() {
    run_all(*database,
            {"CREATE FULLTEXT INDEX texts FOR (m:Memory) ON EACH [m.content]",
             "CREATE FULLTEXT INDEX pages FOR (m:Page|Leaf) ON EACH [m.content]",
             "CREATE VECTOR INDEX v FOR (m:Memory) ON (m.v) OPTIONS {indexConfig: "
             "{`vector.dimensions`: 2}}",
             "CREATE FULLTEXT INDEX said FOR ()-[r:SAID|WROTE]-() ON EACH [r.text]",
             "CREATE (a:Memory {n: 1, content: 'tea', v: [1.0, 0.0]}), (b:Note {n: 2, content: "
             "'tea'}), (c:Memory:Pinned {n: 3, content: 'tea tea', v: [0.0, 1.0]}), "
             "(d:Page {n: 4, content: 'tea'}), (:Leaf {n: 5}), "
             "(a)-[:SAID {n: 1, text: 'tea'}]->(b), (a)-[:WROTE {n: 2, text: 'tea'}]->(b), "
             "(a)-[:TOLD {n: 3, text: 'tea'}]->(b)"});
  }

  // The rows of a statement, and its warnings.
  std::pair<std::string, std::vector<std::string>> run(const std::string& statement) {
    Rows rows = execute(*database, statement).value();
    std::string text;
    while (auto row = rows.next().value()) text += (text.empty() ? "" : "; ") + (*row)[0].to_text();
    return {text, rows.warnings()};
  }
  std::string only_warning(const std::string& statement, const std::string& expected_rows = "") {
    const auto [text, warnings] = run(statement);
    BOOST_TEST(text == expected_rows, statement);
    BOOST_TEST_REQUIRE(warnings.size() == 1, statement);
    return warnings.front();
  }
  void check_silent(const std::string& statement, const std::string& expected_rows) {
    const auto [text, warnings] = run(statement);
    BOOST_TEST(text == expected_rows, statement);
    BOOST_TEST(warnings.empty(), statement << ": " << (warnings.empty() ? "" : warnings.front()));
  }
};

std::string search(const std::string& node, const std::string& index = "FULLTEXT INDEX texts",
                   const std::string& where = "") {
  return "MATCH " + node + " SEARCH m IN (" + index + " FOR 'tea' " + where +
         " LIMIT 5) RETURN m.n";
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(label_cover, Fixture)

BOOST_AUTO_TEST_CASE(a_label_that_the_index_does_not_cover_is_said) {
  const std::string text = only_warning(search("(m:Note)"));
  BOOST_TEST(
      text ==
      "index \"texts\" covers :Memory, and no node in it matches the label :Note of `m`, so "
      "the search finds nothing in it; name :Memory in the pattern, or create an index of the "
      "names in the pattern");
  BOOST_TEST(only_warning(search("(m)", "FULLTEXT INDEX texts", "WHERE m:Note")) == text);
  BOOST_TEST(only_warning("MATCH (m) SEARCH m IN (FULLTEXT INDEX texts FOR 'tea' LIMIT 5) WHERE "
                          "m:Note RETURN m.n") == text);
  BOOST_TEST(only_warning(search("(m:!Memory)")).find("may not have") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_index_that_covers_it_is_named) {
  BOOST_TEST(only_warning(search("(m:Leaf)")).find("search in index \"pages\"") !=
             std::string::npos);
  BOOST_TEST(only_warning("MATCH (m:Page) SEARCH m IN (VECTOR INDEX v FOR [1.0, 0.0] LIMIT 5) "
                          "RETURN m.n")
                 .find("index \"v\" covers :Memory") == 0);
}

// A node may have several labels, so an index may cover nodes of a label that it does not name.
BOOST_AUTO_TEST_CASE(legal_searches_are_left_alone) {
  check_silent(search("(m)"), "3; 1");
  check_silent(search("(m:Memory)"), "3; 1");
  check_silent(search("(m:Pinned)"), "3");
  check_silent(search("(m:Memory&Pinned)"), "3");
  check_silent(search("(m:Memory|Note)"), "3; 1");
  check_silent(search("(m:!Pinned)"), "1");
  check_silent(search("(m:%)"), "3; 1");
  check_silent(search("(m:Page)", "FULLTEXT INDEX pages"), "4");
  check_silent(search("(m:Leaf)", "FULLTEXT INDEX pages"), "");
}

BOOST_AUTO_TEST_CASE(each_retriever_of_a_hybrid_search_is_looked_at) {
  const std::string retrievers = "HYBRID VECTOR INDEX v FOR [1.0, 0.0], FULLTEXT INDEX pages";
  BOOST_TEST(
      only_warning(search("(m:Memory)", retrievers), "1; 3").find("index \"pages\" covers :Leaf") ==
      0);
}

// Hits of other types or labels do not count towards the limit.
BOOST_AUTO_TEST_CASE(types_and_joined_labels_bind_before_the_search) {
  const auto of = [](const std::string& types) {
    return "MATCH ()-[r:" + types +
           "]->() SEARCH r IN (FULLTEXT INDEX said FOR 'tea' LIMIT 1) RETURN r.n";
  };
  check_silent(of("SAID"), "1");
  check_silent(of("WROTE"), "2");
  check_silent(of("TOLD|WROTE"), "2");
  check_silent(of("!SAID"), "2");
  BOOST_TEST(only_warning(of("TOLD"))
                 .find("index \"said\" covers :SAID|WROTE, and no "
                       "relationship in it matches the type :TOLD of `r`") == 0);
  check_silent(
      "MATCH (m:Leaf|(Memory&!Pinned)) SEARCH m IN (FULLTEXT INDEX texts FOR 'tea' LIMIT "
      "1) RETURN m.n",
      "1");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
