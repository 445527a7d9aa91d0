// Writing clauses: what they change, what they count, and who sees the changes.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

namespace cairn::test {
namespace {

struct Fixture {
  std::string result(std::string_view statement, const Parameters& parameters = {}) {
    return result_of(*database, statement, parameters);
  }
  Changes changes(std::string_view statement) {
    Rows rows = must(execute(*database, statement));
    return rows.changes();
  }
  TemporaryDatabase database;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(write, Fixture)

BOOST_AUTO_TEST_CASE(create_makes_what_it_says_and_counts_it) {
  const Changes made = changes("CREATE (a:A:B {x: 1, y: null})-[:R {z: 2}]->(b)");
  BOOST_TEST(made.nodes_created == 2U);
  BOOST_TEST(made.relationships_created == 1U);
  BOOST_TEST(made.labels_added == 2U);
  BOOST_TEST(made.properties_set == 2U);
  BOOST_TEST(result("MATCH (a:B)-[r]->() RETURN labels(a), keys(a), r.z") ==
             "['A', 'B'] | ['x'] | 2");
}

BOOST_AUTO_TEST_CASE(create_gives_its_row_on_and_reads_the_row) {
  BOOST_TEST(result("UNWIND [1, 2] AS x CREATE (n {v: x}) RETURN n.v") == "1; 2");
  BOOST_TEST(
      result("MATCH (n {v: 2}) CREATE p = (n)<-[:R]-(m {v: n.v + 1}) RETURN m.v, length(p)") ==
      "3 | 1");
}

BOOST_AUTO_TEST_CASE(a_clause_does_not_see_its_own_writes) {
  run_all(*database, {"CREATE (:N {v: 1}), (:N {v: 2})"});
  BOOST_TEST(result("MATCH (n:N) CREATE (:N {v: n.v}) RETURN count(*)") == "2");
  BOOST_TEST(result("MATCH (n:N) RETURN count(*)") == "4");
}

BOOST_AUTO_TEST_CASE(the_next_clause_sees_the_writes) {
  BOOST_TEST(result("CREATE (:N {v: 7}) WITH 1 AS one MATCH (n:N) RETURN n.v") == "7");
  BOOST_TEST(result("MATCH (n:N) SET n.v = 8 WITH n MATCH (m:N {v: 8}) RETURN count(*)") == "1");
}

// An empty list is no pair of properties and system fields, whatever clause makes it.
BOOST_AUTO_TEST_CASE(an_empty_list_is_a_value_anywhere) {
  run_all(*database, {"CREATE (:N {k: 1})-[:R]->(:M)"});
  BOOST_TEST(result("MATCH (n:N) SET n.p = [] RETURN n.p") == "[]");
  BOOST_TEST(result("MATCH ()-[r:R]->() SET r.p = [] RETURN r.p") == "[]");
  BOOST_TEST(result("MERGE (n:N {k: 1}) ON MATCH SET n.q = [] RETURN n.q") == "[]");
  BOOST_TEST(result("MERGE (n:N {k: 2}) ON CREATE SET n.q = [[]] RETURN n.q") == "[[]]");
  BOOST_TEST(result("FOREACH (x IN [1] | CREATE (n:F) SET n.p = [])") == "");
  for (const char* const wrong :
       {"CREATE (n) SET n = []", "MATCH (n) SET n += []", "MATCH (n) SET n@expires_at = []",
        "EXPLAIN CREATE (n) SET n = []"})
    static_cast<void>(execute(*database, wrong));
  // The keys of a value are not names of properties.
  Rows rows = must(execute(*database, "MATCH (n:N) SET n.p = {typo: 1} RETURN n.typo"));
  must(rows.all());
  BOOST_TEST(rows.warnings().size() == 1U);
}

// Setting a property by index is refused, because the change would be lost: an index expression
// gives a value, not a record's property.
BOOST_AUTO_TEST_CASE(a_property_by_index_is_no_target) {
  run_all(*database, {"CREATE (:N {k: 1})-[:R]->(:M)"});
  for (const char* const wrong :
       {"MATCH (n:N) SET n['z'] = 3", "MATCH (n:N) SET n[$k] = 3",
        "MATCH (n:N) SET n['z'] += {a: 1}", "MATCH ()-[r:R]->() SET r['z'] = 3"}) {
    const auto refused = execute(*database, wrong, {{"k", "z"}});
    BOOST_REQUIRE(!refused);
    BOOST_TEST(refused.error().message.find("by its name") != std::string::npos,
               refused.error().message);
  }
  BOOST_TEST(result("MATCH p = (:N)-[:R]->() SET nodes(p)[0] += {z: 3}, nodes(p)[1].y = 4 RETURN "
                    "nodes(p)[0].z, nodes(p)[1].y") == "3 | 4");
}

BOOST_AUTO_TEST_CASE(merge_on_create_sees_what_was_created) {
  BOOST_TEST(
      result("MERGE (t:T {v: 1}) ON CREATE SET t.is = t:T, t.n = COUNT { MATCH (x:T) } RETURN "
             "t.is, t.n") == "true | 1");
}

// A walk of all paths would not end in a reasonable time.
BOOST_AUTO_TEST_CASE(no_path_leads_to_a_null_end) {
  run_all(*database, {"UNWIND range(1, 30) AS i CREATE (:K {id: i})",
                      "MATCH (a:K), (b:K) WHERE a.id < b.id CREATE (a)-[:R]->(b)"});
  StatementOptions options;
  options.timeout = std::chrono::seconds(5);
  const auto rows = must(execute(*database,
                                 "MATCH (a:K {id: 1}) OPTIONAL MATCH (z:None) MATCH (a)-[*]->(z) "
                                 "RETURN count(*)",
                                 {}, options))
                        .all();
  BOOST_REQUIRE(rows);
  BOOST_TEST(rows->front().front().to_text() == "0");
}

BOOST_AUTO_TEST_CASE(names_with_quotes_and_backslashes_are_merged_once) {
  for (int i = 0; i < 2; ++i)
    BOOST_TEST(
        result("CALL apoc.merge.node(['A'], {`a\\b`: 1, `it's`: 2, `c.d`: 3}) YIELD node RETURN "
               "count(node)") == "1");
  BOOST_TEST(result("MATCH (n:A) RETURN count(n)") == "1");
}

// A vector index stores lists as vectors, whose components are rounded.
BOOST_AUTO_TEST_CASE(a_list_that_becomes_a_vector_is_merged_once) {
  run_all(*database, {"CREATE VECTOR INDEX v FOR (n:N) ON (n.v) OPTIONS {indexConfig: "
                      "{`vector.dimensions`: 2}}",
                      "CREATE VECTOR INDEX w FOR ()-[r:R]-() ON (r.v) OPTIONS {indexConfig: "
                      "{`vector.dimensions`: 2}}",
                      "CREATE (:End)"});
  const std::string ends = "MATCH (a:End) CALL apoc.merge.relationship(a, ";
  for (int i = 0; i < 2; ++i) {
    run_all(*database, {"MERGE (n:N {v: [0.1, 1]})", "MERGE (:A)-[:R {v: [0.1, 1]}]->(:B)",
                        "CALL apoc.merge.node(['N', 'M'], {v: [0.2, 1]}, {}, {})",
                        ends + "'R', {v: [0.2, 1]}, {}, a, {}) YIELD rel RETURN rel"});
    BOOST_TEST(result("MATCH (n:N) RETURN count(n)") == "2");
    BOOST_TEST(result("MATCH ()-[r:R]->() RETURN count(r)") == "2");
  }
  const Error error = error_of(*database, "MERGE (n:N {v: [0.1, 1, 2]})");
  BOOST_TEST((error.code == ErrorCode::invalid_argument));
  BOOST_TEST(error.where.value().begin == 15U);
}

BOOST_AUTO_TEST_CASE(set_changes_properties) {
  run_all(*database, {"CREATE (:N {a: 1, b: 2})"});
  BOOST_TEST(result("MATCH (n:N) SET n.a = n.a + 1, n.b = null, n.c = 'x' "
                    "RETURN n.a, n.b, n.c") == "2 | null | 'x'");
  BOOST_TEST(result("MATCH (n:N) SET n += {a: null, d: 4} RETURN properties(n)") ==
             "{c: 'x', d: 4}");
  BOOST_TEST(result("MATCH (n:N) SET n = {z: 1} RETURN properties(n)") == "{z: 1}");
  BOOST_TEST(result("OPTIONAL MATCH (x:Nobody) SET x.a = 1 RETURN x") == "null");
}

BOOST_AUTO_TEST_CASE(properties_are_copied_from_entities) {
  run_all(*database, {"CREATE (:A {x: 1})-[:R {y: 2}]->(:B)"});
  BOOST_TEST(result("MATCH (a:A)-[r]->(b) SET b = a, b += r RETURN properties(b)") ==
             "{x: 1, y: 2}");
}

BOOST_AUTO_TEST_CASE(labels_are_added_and_removed_once) {
  run_all(*database, {"CREATE (:A)"});
  BOOST_TEST(changes("MATCH (n:A) SET n:A:B").labels_added == 1U);
  BOOST_TEST(changes("MATCH (n:A) REMOVE n:B, n:C").labels_removed == 1U);
  BOOST_TEST(result("MATCH (n) RETURN labels(n)") == "['A']");
}

BOOST_AUTO_TEST_CASE(an_item_of_set_sees_the_labels_that_the_items_before_it_changed) {
  run_all(*database, {"CREATE (:A), (:A), (:A)"});
  BOOST_TEST(result("MATCH (n:A) SET n.before = (n:Q), n:Q, n.x = (n:Q) RETURN n.before, n.x") ==
             "false | true; false | true; false | true");
  BOOST_TEST(result("MATCH (n:A) WITH collect(n) AS ns FOREACH (n IN ns | REMOVE n:Q "
                    "SET n.x = (n:Q)) WITH ns UNWIND ns AS n RETURN n.x") == "false; false; false");
}

// Queries by label, by property, by type and by scan see the clause's changes as a plain read of a
// property does.
BOOST_AUTO_TEST_CASE(queries_in_a_clause_see_what_it_did_before) {
  BOOST_TEST(result("UNWIND [1, 2, 3] AS i CREATE (n:X {i: i, a: COUNT { MATCH (m:X) }, "
                    "b: COUNT { MATCH (m) }, c: COUNT { MATCH (m) WHERE m.i > 0 }}) "
                    "RETURN n.a, n.b, n.c") == "0 | 0 | 0; 1 | 1 | 1; 2 | 2 | 2");
  BOOST_TEST(result("MATCH (n:X) SET n.z = 5, n.a = COUNT { MATCH (m {z: 5}) }, "
                    "n.b = COUNT { MATCH (m) WHERE m.z + 0 = 5 } RETURN n.a, n.b") ==
             "1 | 1; 2 | 2; 3 | 3");
  BOOST_TEST(result("MATCH (n:X) SET n = {y: 1}, n.a = COUNT { MATCH (m {y: 1}) }, n += {y: 2}, "
                    "n.b = COUNT { MATCH (m {y: 1}) } RETURN n.a, n.b") == "1 | 0; 1 | 0; 1 | 0");
  BOOST_TEST(result("MATCH (n:X) WITH n LIMIT 1 UNWIND [1, 2, 3] AS i "
                    "CREATE (n)-[r:T {a: COUNT { (n)-[:T]->() }, b: COUNT { ()-[:T]->() }, "
                    "c: EXISTS { (n)-[:T]->() }}]->(:Q) RETURN r.a, r.b, r.c") ==
             "0 | 0 | false; 1 | 1 | true; 2 | 2 | true");
  BOOST_TEST(result("MATCH (n:X) SET n:Y, n.a = COUNT { MATCH (m:Y) } REMOVE n:Y "
                    "SET n.b = COUNT { MATCH (m:Y) } RETURN n.a, n.b") == "1 | 0; 2 | 0; 3 | 0");
  BOOST_TEST(result("MATCH (n:X) SET n.a = COUNT { MATCH (m:X) }, n@expires_at = "
                    "datetime('2000-01-01'), n.b = COUNT { MATCH (m:X) } RETURN n.a, n.b") ==
             "3 | 2; 2 | 1; 1 | 0");
}

BOOST_AUTO_TEST_CASE(items_of_merge_see_what_it_did_before) {
  BOOST_TEST(result("UNWIND [1, 2, 1] AS i MERGE (n:M {i: i}) ON CREATE SET n.a = COUNT { MATCH "
                    "(m:M) }, n.z = 1, n.b = COUNT { MATCH (m {z: 1}) } ON MATCH SET n.z = 2, "
                    "n.b = COUNT { MATCH (m {z: 1}) } RETURN n.a, n.b") == "1 | 1; 2 | 2; 1 | 1");
}

BOOST_AUTO_TEST_CASE(remove_takes_properties_away) {
  run_all(*database, {"CREATE (:A {x: 1})"});
  BOOST_TEST(changes("MATCH (n:A) REMOVE n.x, n.unknown").properties_set == 1U);
  BOOST_TEST(result("MATCH (n:A) RETURN n.x, keys(n)") == "null | []");
}

BOOST_AUTO_TEST_CASE(delete_needs_detach_where_relationships_are_left) {
  run_all(*database, {"CREATE (:A)-[:R]->(:B)"});
  const Error error = error_of(*database, "MATCH (a:A) DELETE a");
  BOOST_TEST((error.code == ErrorCode::conflict));
  BOOST_TEST(error.message.find("still has relationships") != std::string::npos);
  BOOST_TEST(error.message.find("write DETACH DELETE") != std::string::npos);
  BOOST_TEST_REQUIRE(error.where.has_value());
  BOOST_TEST(error.where->begin == 19U);
  BOOST_TEST(result("MATCH (n) RETURN count(*)") == "2");
  BOOST_TEST(changes("MATCH (a:A)-[r]->() DELETE a, r").nodes_deleted == 1U);
  BOOST_TEST(result("MATCH (n) RETURN labels(n)") == "['B']");
}

BOOST_AUTO_TEST_CASE(detach_delete_takes_the_relationships_too) {
  run_all(*database, {"CREATE (a:A)-[:R]->(:B), (a)-[:R]->(a), (:C)-[:R]->(a)"});
  const Changes made = changes("MATCH (a:A) DETACH DELETE a");
  BOOST_TEST(made.nodes_deleted == 1U);
  BOOST_TEST(made.relationships_deleted == 3U);
  BOOST_TEST(result("MATCH ()-[r]->() RETURN count(r)") == "0");
}

BOOST_AUTO_TEST_CASE(paths_and_nulls_can_be_deleted) {
  run_all(*database, {"CREATE (:A)-[:R]->(:B)"});
  BOOST_TEST(changes("OPTIONAL MATCH (x:Nobody) DELETE x").nodes_deleted == 0U);
  BOOST_TEST(changes("MATCH p = (:A)-->() DELETE p").nodes_deleted == 2U);
}

BOOST_AUTO_TEST_CASE(what_is_deleted_has_no_properties_but_a_type) {
  run_all(*database, {"CREATE (:A {x: 1})-[:R]->(:B)"});
  BOOST_TEST(result("MATCH (:A)-[r]->() DELETE r RETURN type(r)") == "'R'");
  BOOST_TEST((error_of(*database, "MATCH (a:A) DELETE a RETURN a.x").code == ErrorCode::not_found));
}

BOOST_AUTO_TEST_CASE(a_type_is_kept_whichever_row_named_the_relationship) {
  run_all(*database, {"CREATE (a:A)-[:R]->(b:B), (a)-[:S]->(b)"});
  BOOST_TEST(result("MATCH ()-[a]->(), ()-[b]->() DELETE a RETURN type(b) AS t ORDER BY t") ==
             "'R'; 'S'");
  run_all(*database, {"MATCH (a:A), (b:B) CREATE (a)-[:R]->(b), (a)-[:S]->(b)"});
  BOOST_TEST(result("MATCH (a:A)-[r]->() DETACH DELETE a RETURN type(r) AS t, r:S ORDER BY t") ==
             "'R' | false; 'S' | true");
}

BOOST_AUTO_TEST_CASE(a_type_is_kept_wherever_the_relationship_is) {
  const std::string make = "CREATE (:A)-[r:R {w: 1}]->(:B)-[s:S]->(:C) ";
  const std::string types = " RETURN [x IN l | type(x)], [x IN l | x:R], l";
  const std::string kept = "['R', 'S'] | [true, false] | [[:R], [:S]]";
  BOOST_TEST(result(make + "WITH [r, s] AS l, r, s DELETE r, s" + types) == kept);
  BOOST_TEST(result(make + "WITH [r, s] AS l FOREACH (x IN l | DELETE x)" + types) == kept);
  BOOST_TEST(result(make + "WITH [r, s] AS l CALL (l) { UNWIND l AS x DELETE x }" + types) == kept);
  BOOST_TEST(result("CREATE p = (:A)-[:R]->(b:B)-[:S]->(:C) DETACH DELETE b WITH relationships(p) "
                    "AS l" +
                    types) == kept);
  BOOST_TEST(result(make + "WITH {k: [s]} AS m, s DELETE s RETURN type(m.k[0]), m.k[0]:S") ==
             "'S' | true");
}

BOOST_AUTO_TEST_CASE(a_deleted_node_has_no_labels_to_ask_for) {
  for (const char* asked : {"n:C", "n:%", "labels(n)"}) {
    run_all(*database, {"CREATE (:C)"});
    const std::string statement = std::string("MATCH (n:C) DELETE n RETURN ") + asked;
    BOOST_TEST((error_of(*database, statement).code == ErrorCode::not_found), asked);
  }
}

BOOST_AUTO_TEST_CASE(merge_finds_or_makes) {
  const char* merge =
      "MERGE (n:City {name: 'Bonn'}) ON CREATE SET n.made = 1 "
      "ON MATCH SET n.found = 1 RETURN n.made, n.found";
  BOOST_TEST(result(merge) == "1 | null");
  BOOST_TEST(result(merge) == "1 | 1");
  BOOST_TEST(result("MATCH (n:City) RETURN count(*)") == "1");
}

BOOST_AUTO_TEST_CASE(merge_sees_what_it_made_for_the_rows_before) {
  BOOST_TEST(result("UNWIND [1, 2, 1, 2, 1] AS x MERGE (n:N {v: x}) RETURN count(DISTINCT n)") ==
             "2");
  BOOST_TEST(result("MATCH (n:N) RETURN count(*)") == "2");
}

BOOST_AUTO_TEST_CASE(merge_of_a_relationship_takes_either_direction_where_none_is_given) {
  run_all(*database, {"CREATE (:A)<-[:R]-(:B)"});
  BOOST_TEST(changes("MATCH (a:A), (b:B) MERGE (a)-[:R]-(b)").relationships_created == 0U);
  BOOST_TEST(changes("MATCH (a:A), (b:B) MERGE (a)-[:R]->(b)").relationships_created == 1U);
  BOOST_TEST(changes("MATCH (a:A) MERGE (a)-[:S]->(x:X {v: 1})").nodes_created == 1U);
}

BOOST_AUTO_TEST_CASE(merge_refuses_nulls) {
  BOOST_TEST((error_of(*database, "MERGE (n {x: null})").code != ErrorCode::io_error));
  BOOST_TEST(
      (error_of(*database, "WITH null AS x MERGE (n {x: x})").code == ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_CASE(foreach_updates_for_each_element) {
  BOOST_TEST(changes("FOREACH (x IN [1, 2, 3] | CREATE (:N {v: x}))").nodes_created == 3U);
  run_all(*database, {"MATCH (n:N) WITH collect(n) AS ns FOREACH (n IN ns | SET n.v = n.v * 2 "
                      "MERGE (:Even {v: n.v}))"});
  BOOST_TEST(result("MATCH (n:Even) RETURN n.v ORDER BY n.v") == "2; 4; 6");
}

// Lists of 5 and 3 MB, of which each alone fits.
BOOST_AUTO_TEST_CASE(the_list_of_foreach_counts_while_it_runs) {
  run_all(*database, {"CREATE (:N)"});
  StatementOptions options;
  options.memory_bytes = std::size_t{7} << 20;
  const auto nested = [](const char* inner) {
    return std::string(
               "MATCH (n:N) FOREACH (i IN range(1, 90000) | FOREACH (j IN CASE WHEN i = "
               "90000 THEN ") +
           inner + " ELSE [] END | SET n.x = j))";
  };
  BOOST_TEST((error_of(*database, nested("range(1, 50000)"), {}, options).code ==
              ErrorCode::resource_limit));
  BOOST_TEST(result_of(*database, nested("range(1, 9)"), {}, options).empty());
}

BOOST_AUTO_TEST_CASE(labels_by_value_are_set_and_removed) {
  const Parameters names = {{"names", list_of({"A", "B"})}};
  BOOST_TEST(result("CREATE (n:N) SET n:$($names):C RETURN labels(n)", names) ==
             "['A', 'B', 'C', 'N']");
  BOOST_TEST(result("MATCH (n:N) REMOVE n:$('A'):$(['B']) RETURN labels(n)") == "['C', 'N']");
  BOOST_TEST(result("UNWIND [{l: 'X'}, {l: ['Y', 'Z']}] AS row CREATE (m:M) SET m:$(row.l) "
                    "RETURN labels(m)") == "['M', 'X']; ['M', 'Y', 'Z']");
  BOOST_TEST(result("MERGE (o:O {v: 1}) ON CREATE SET o:$('New') ON MATCH SET o:$('Old') "
                    "RETURN labels(o)") == "['New', 'O']");
  BOOST_TEST((error_of(*database, "MATCH (n:N) SET n:$(1)").code == ErrorCode::type_error));
  BOOST_TEST((error_of(*database, "MATCH (n:N) SET n:$(null)").code == ErrorCode::type_error));
  BOOST_TEST((error_of(*database, "MATCH (n:N) SET n:$([['A']])").code == ErrorCode::type_error));
  BOOST_TEST((error_of(*database, "MATCH (n:N) SET n:$('')").code == ErrorCode::type_error));
  BOOST_TEST((error_of(*database, "MATCH (n:N) SET n:$any('A')").code == ErrorCode::parse_error));
}

BOOST_AUTO_TEST_CASE(create_takes_labels_and_a_type_by_value) {
  const Parameters names = {{"names", list_of({"B", "A", "B"})}, {"type", Value("R")}};
  BOOST_TEST(result("CREATE (n:N:$($names)) RETURN labels(n)", names) == "['A', 'B', 'N']");
  BOOST_TEST(changes("CREATE (:A:$('A'):$(['B', 'B']))").labels_added == 2U);
  BOOST_TEST(result("UNWIND ['R', ['S']] AS t CREATE (:$([]))-[r:$(t)]->(m:$(toUpper('m'))) "
                    "RETURN type(r), labels(m)") == "'R' | ['M']; 'S' | ['M']");
  BOOST_TEST(result("CREATE (a:X {t: 'T'}) CREATE (a)<-[r:$(a.t)]-(:$all('Y')) RETURN type(r)") ==
             "'T'");
  for (const char* refused : {"CREATE (n:$(null))", "CREATE (n:$(1))", "CREATE (n:$(['A', null]))",
                              "CREATE (n:$(''))", "CREATE ()-[:$(null)]->()"})
    BOOST_TEST((error_of(*database, refused).code == ErrorCode::type_error), refused);
  for (const char* refused : {"CREATE ()-[:$([])]->()", "CREATE ()-[:$(['A', 'B'])]->()"})
    BOOST_TEST((error_of(*database, refused).code == ErrorCode::invalid_argument), refused);
  for (const char* refused : {"CREATE (n:$any('A'))", "CREATE ()-[:A&$('B')]->()",
                              "CREATE (n:A|$('B'))", "CREATE (n:$(n.l))"})
    BOOST_TEST((error_of(*database, refused).code == ErrorCode::parse_error), refused);
}

BOOST_AUTO_TEST_CASE(merge_takes_labels_and_a_type_by_value) {
  run_all(*database, {"CREATE (:A {v: 1})-[:R]->(:B {v: 1}), (:A:B {v: 1})"});
  const Parameters names = {{"names", list_of({"A", "B"})}};
  BOOST_TEST(result("MERGE (n:$($names) {v: 1}) RETURN labels(n)", names) == "['A', 'B']");
  BOOST_TEST(result("MATCH (n) RETURN count(*)") == "3");
  BOOST_TEST(result("MERGE (n:C:$($names) {v: 1}) ON CREATE SET n.made = true "
                    "RETURN labels(n), n.made",
                    names) == "['A', 'B', 'C'] | true");
  BOOST_TEST(result("UNWIND ['C', 'D', 'D'] AS l MERGE (n:$(l)) RETURN labels(n)") ==
             "['A', 'B', 'C']; ['D']; ['D']");
  BOOST_TEST(result("MATCH (a:A)-[:R]->(b) UNWIND ['R', 'S', ['S']] AS t "
                    "MERGE (a)-[r:$(t)]->(b) RETURN type(r)") == "'R'; 'S'; 'S'");
  BOOST_TEST(result("MATCH ()-[r]->() RETURN count(*)") == "2");
  BOOST_TEST((error_of(*database, "MERGE (n:$(null))").code == ErrorCode::type_error));
  BOOST_TEST((error_of(*database, "MATCH (n:D) MERGE (n)-[:$(['R', 'S'])]->()").code ==
              ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_CASE(limit_does_not_stop_writes) {
  BOOST_TEST(result("UNWIND [1, 2, 3] AS x CREATE (n:N {v: x}) RETURN n.v LIMIT 0") == "");
  BOOST_TEST(result("MATCH (n:N) RETURN count(*)") == "3");
  BOOST_TEST(result("UNWIND [1, 2, 3] AS x CREATE (n:M {v: x}) RETURN n.v LIMIT 1") == "1");
  BOOST_TEST(result("MATCH (n:M) RETURN count(*)") == "3");
}

BOOST_AUTO_TEST_CASE(a_statement_that_fails_changes_nothing) {
  BOOST_TEST((error_of(*database, "UNWIND [1, 0] AS x CREATE (:N {v: 1 / x})").code !=
              ErrorCode::io_error));
  BOOST_TEST(result("MATCH (n) RETURN count(*)") == "0");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
