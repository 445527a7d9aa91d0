// CALL { query }: what it sees, what it returns, and in which order it reads and writes.
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

// a -> b (2), a -> c (3); b -> c (4); d has nobody.
struct CalledFixture {
  CalledFixture() {
    run_all(*database,
            {"CREATE (a:P {name: 'a', v: 1}), (b:P {name: 'b', v: 2}), (c:P {name: 'c', v: 3}), "
             "(d:P {name: 'd', v: 4}), (a)-[:R {w: 2}]->(b), (a)-[:R {w: 3}]->(c), "
             "(b)-[:R {w: 4}]->(c)"});
  }
  std::string result(const std::string& statement, const Parameters& parameters = {}) {
    return result_of(*database, statement, parameters);
  }
  std::string message(const std::string& statement) {
    return error_of(*database, statement).message;
  }
  bool fails_with(const std::string& statement, const std::string& sentence) {
    const std::string text = message(statement);
    BOOST_TEST_INFO(statement << ": " << text);
    return text.find(sentence) != std::string::npos;
  }
  TemporaryDatabase database;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(called_subqueries, CalledFixture)

BOOST_AUTO_TEST_CASE(rows_of_the_query_join_the_row_around_it) {
  BOOST_TEST(result("UNWIND [1, 2] AS x CALL (x) { UNWIND [10, 20] AS y RETURN x + y AS z } "
                    "RETURN x, z") == "1 | 11; 1 | 21; 2 | 12; 2 | 22");
  BOOST_TEST(result("MATCH (n:P) CALL (n) { MATCH (n)-[:R]->(m) RETURN m.name AS other } "
                    "RETURN n.name, other ORDER BY n.name, other") ==
             "'a' | 'b'; 'a' | 'c'; 'b' | 'c'");
  BOOST_TEST(result("CALL { RETURN 1 AS a } CALL { RETURN 2 AS b } RETURN a, b") == "1 | 2");
}

BOOST_AUTO_TEST_CASE(imports_are_a_list_all_none_or_those_of_a_with) {
  BOOST_TEST(result("WITH 1 AS a, 2 AS b CALL (a, b) { RETURN a + b AS c } RETURN c") == "3");
  BOOST_TEST(result("WITH 1 AS a, 2 AS b CALL (*) { RETURN a + b AS c } RETURN c") == "3");
  BOOST_TEST(result("WITH 1 AS a CALL () { WITH 5 AS a RETURN a AS c } RETURN a, c") == "1 | 5");
  BOOST_TEST(result("WITH 1 AS a, 2 AS b CALL { WITH a, b RETURN a + b AS c } RETURN c") == "3");
  BOOST_TEST(result("WITH 1 AS a, 2 AS b CALL { WITH * RETURN a + b AS c } RETURN c") == "3");
  BOOST_TEST(result("WITH 1 AS a CALL { WITH a WHERE a > 1 RETURN a AS c } RETURN c") == "");
}

BOOST_AUTO_TEST_CASE(a_variable_that_is_not_imported_is_another_one) {
  BOOST_TEST(
      result("MATCH (n:P {name: 'a'}) CALL () { MATCH (n:P) RETURN count(n) AS c } RETURN c") ==
      "4");
  BOOST_TEST(result("MATCH (n:P {name: 'a'}) CALL { MATCH (n) RETURN count(n) AS c } RETURN c") ==
             "4");
  BOOST_TEST(
      result("MATCH (n:P {name: 'a'}) CALL (n) { MATCH (n) RETURN count(n) AS c } RETURN c") ==
      "1");
  // A second WITH after the importing WITH drops the imported variable, so that its name is free
  // again.
  BOOST_TEST(result("MATCH (n:P {name: 'a'}) CALL { WITH n WITH n.v AS v MATCH (n:P) "
                    "RETURN v, count(n) AS c } RETURN v, c") == "1 | 4");
}

BOOST_AUTO_TEST_CASE(listed_imports_stay_seen_behind_a_with) {
  BOOST_TEST(result("MATCH (n:P) CALL (n) { MATCH (n)-->(m) WITH m ORDER BY m.v DESC LIMIT 1 "
                    "RETURN n.name + m.name AS pair } RETURN pair ORDER BY pair") == "'ac'; 'bc'");
  BOOST_TEST(result("UNWIND [1, 2] AS x CALL (x) { UNWIND [1, 1, 2] AS y WITH y, count(*) AS c "
                    "RETURN x * 100 + y * 10 + c AS z } RETURN z ORDER BY z") ==
             "112; 121; 212; 221");
}

BOOST_AUTO_TEST_CASE(a_star_is_what_the_query_declares_itself) {
  BOOST_TEST(result("UNWIND [1, 2] AS x CALL (x) { WITH x + 1 AS b, x AS a RETURN * } RETURN *") ==
             "1 | 2 | 1; 2 | 3 | 2");
  BOOST_TEST(fails_with("WITH 1 AS x CALL { WITH x RETURN * } RETURN x", "defined already"));
}

BOOST_AUTO_TEST_CASE(what_it_gives_is_what_it_was_inside) {
  BOOST_TEST(result("CALL { MATCH (n:P {name: 'a'}) RETURN n } MATCH (n)-->(m) WHERE m.v > n.v + 1 "
                    "RETURN m.name") == "'c'");
  BOOST_TEST(result("CALL { MATCH (n:P {name: 'a'})-[r]->(m {name: 'b'}) RETURN r } SET r.w = 7 "
                    "WITH r RETURN endNode(r).name, r.w") == "'b' | 7");
}

BOOST_AUTO_TEST_CASE(aggregates_orders_and_limits_are_of_one_row) {
  BOOST_TEST(result("MATCH (n:P) CALL (n) { OPTIONAL MATCH (n)-[r]->() RETURN count(r) AS c, "
                    "sum(r.w) AS s } RETURN n.name, c, s ORDER BY n.name") ==
             "'a' | 2 | 5; 'b' | 1 | 4; 'c' | 0 | 0; 'd' | 0 | 0");
  BOOST_TEST(
      result("MATCH (n:P) CALL (n) { MATCH (n)-[r]->(m) RETURN m.name AS best ORDER BY r.w DESC "
             "LIMIT 1 } RETURN n.name, best ORDER BY n.name") == "'a' | 'c'; 'b' | 'c'");
  BOOST_TEST(result("MATCH (n:P) CALL (n) { OPTIONAL MATCH (n)-->(m) RETURN m.name AS other } "
                    "RETURN n.name, other ORDER BY n.name, other") ==
             "'a' | 'b'; 'a' | 'c'; 'b' | 'c'; 'c' | null; 'd' | null");
}

BOOST_AUTO_TEST_CASE(the_parts_of_a_union_import_each_for_itself) {
  BOOST_TEST(
      result("UNWIND [1, 2] AS x CALL { WITH x RETURN x AS y UNION ALL WITH x RETURN x AS y } "
             "RETURN x, y") == "1 | 1; 1 | 1; 2 | 2; 2 | 2");
  BOOST_TEST(
      result("UNWIND [1, 1] AS x CALL (x) { RETURN x AS y UNION RETURN 1 AS y } RETURN x, y") ==
      "1 | 1; 1 | 1");
  BOOST_TEST(fails_with("WITH 1 AS x CALL { WITH x RETURN x AS y UNION RETURN x AS y } RETURN y",
                        "does not import it; write CALL (x)"));
}

BOOST_AUTO_TEST_CASE(calls_stand_in_calls_and_in_expressions) {
  BOOST_TEST(
      result("UNWIND [1, 2] AS x CALL (x) { CALL (x) { UNWIND range(1, x) AS i RETURN i AS j } "
             "RETURN sum(j) AS s } RETURN x, s") == "1 | 1; 2 | 3");
  BOOST_TEST(result("MATCH (n:P) WHERE EXISTS { CALL (n) { MATCH (n)-->(m) RETURN m AS o } "
                    "WITH o WHERE o.v = 2 RETURN o } RETURN n.name") == "'a'");
  BOOST_TEST(result("MATCH (n:P)-[:R]->(k) WHERE EXISTS { CALL (k) { MATCH (k)-->(m) RETURN m } "
                    "RETURN m } RETURN n.name, k.name") == "'a' | 'b'");
  BOOST_TEST(result("MATCH (n:P) RETURN n.name, COUNT { MATCH (n)-->(m) CALL (m) { MATCH (m)-->(k) "
                    "RETURN k } } AS c ORDER BY n.name") == "'a' | 1; 'b' | 0; 'c' | 0; 'd' | 0");
}

BOOST_AUTO_TEST_CASE(a_query_without_columns_lets_its_row_go_on_once) {
  BOOST_TEST(result("UNWIND [1, 2] AS x CALL (x) { UNWIND range(1, x) AS i CREATE (:N {i: i}) } "
                    "RETURN x") == "1; 2");
  BOOST_TEST(result("MATCH (n:N) RETURN n.i ORDER BY n.i") == "1; 1; 2");
  BOOST_TEST(result("MATCH (n:N) CALL (n) { DETACH DELETE n }") == "");
  BOOST_TEST(result("MATCH (n:N) RETURN count(n)") == "0");
}

BOOST_AUTO_TEST_CASE(each_row_sees_what_the_rows_before_changed) {
  for (const char* rules : {"", "choose_indexes", "count_from_cardinality", "push_filters"}) {
    StatementOptions options;
    options.disabled_rules = rules;
    BOOST_TEST(result_of(*database,
                         "UNWIND range(1, 3) AS i CALL (i) { MATCH (n:New) WITH count(n) AS c "
                         "CREATE (:New {i: c}) RETURN c } RETURN i, c",
                         {}, options) == "1 | 0; 2 | 1; 3 | 2");
    BOOST_TEST(result_of(*database,
                         "MATCH (a:P {name: 'a'}) UNWIND [7, 7, 8] AS i CALL (a, i) { "
                         "OPTIONAL MATCH (a)-[:S]->(m:New {k: i}) WITH a, i, count(m) AS c "
                         "CREATE (a)-[:S]->(:New {k: i}) RETURN c } RETURN c",
                         {}, options) == "0; 1; 0");
    run_all(*database, {"MATCH (n:New) DETACH DELETE n"});
  }
}

BOOST_AUTO_TEST_CASE(what_is_before_a_writing_query_does_not_see_it) {
  BOOST_TEST(result("MATCH (n:P) CALL (n) { CREATE (:P {name: 'new'}) RETURN 1 AS one } "
                    "RETURN count(one)") == "4");
  BOOST_TEST(
      result("MATCH (n:P {name: 'new'}) CALL (n) { MERGE (m:Q {name: n.name}) "
             "ON CREATE SET m.made = 1 ON MATCH SET m.made = m.made + 1 RETURN m.made AS made } "
             "RETURN made ORDER BY made") == "1; 2; 3; 4");
  BOOST_TEST(result("MATCH (q:Q) CALL (q) { SET q.made = 9 } RETURN q.made") == "9");
  // A LIMIT after the subquery drops rows, but not changes.
  BOOST_TEST(result("MATCH (n:P) CALL (n) { SET n.seen = true RETURN n AS m } RETURN 1 LIMIT 0") ==
             "");
  BOOST_TEST(result("MATCH (n:P) WHERE n.seen RETURN count(n)") == "8");
}

// The changes are made for every row, not only for the first.
BOOST_AUTO_TEST_CASE(a_limit_of_nothing_inside_keeps_the_changes) {
  BOOST_TEST(
      result("UNWIND [1, 2, 3] AS x CALL (x) { CREATE (:Made {x: x}) RETURN 1 AS y LIMIT 0 } "
             "RETURN count(*)") == "0");
  BOOST_TEST(result("MATCH (m:Made) RETURN count(m), sum(m.x)") == "3 | 6");
}

BOOST_AUTO_TEST_CASE(procedures_that_write_make_it_writing) {
  BOOST_TEST(
      result("MATCH (n:P) CALL (n) { CALL db.create.setNodeVectorProperty(n, 'e', [1.0, n.v]) "
             "RETURN count(*) AS c } RETURN sum(c)") == "4");
  BOOST_TEST(result("MATCH (n:P {name: 'b'}) RETURN size(n.e)") == "2");
}

BOOST_AUTO_TEST_CASE(searches_take_the_vector_and_the_words_of_the_row) {
  run_all(*database, {"CREATE VECTOR INDEX v FOR (m:M) ON (m.e) OPTIONS {indexConfig: "
                      "{`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}",
                      "CREATE FULLTEXT INDEX t FOR (m:M) ON EACH [m.text]",
                      "CREATE (:M {id: 1, e: [1.0, 0.0], text: 'green tea'}), "
                      "(:M {id: 2, e: [0.0, 1.0], text: 'black tea'}), (:M {id: 3, e: [0.9, 0.1], "
                      "text: 'coffee'})"});
  BOOST_TEST(
      result("UNWIND [[1.0, 0.0], [0.0, 1.0]] AS q CALL (q) { MATCH (m:M) SEARCH m IN (VECTOR "
             "INDEX v FOR q LIMIT 2) SCORE AS s RETURN collect(m.id) AS ids } RETURN ids") ==
      "[1, 3]; [2, 3]");
  BOOST_TEST(
      result("MATCH (n:M) CALL (n) { CALL db.index.vector.queryNodes('v', 2, n.e) YIELD node "
             "WITH node WHERE node.id <> n.id RETURN node.id AS near } "
             "RETURN n.id, near ORDER BY n.id") == "1 | 3; 2 | 3; 3 | 1");
  BOOST_TEST(result("UNWIND ['green', 'tea'] AS w CALL { WITH w CALL "
                    "db.index.fulltext.queryNodes('t', w) YIELD node RETURN node.id AS id } "
                    "RETURN w, id ORDER BY w, id") == "'green' | 1; 'tea' | 1; 'tea' | 2");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
