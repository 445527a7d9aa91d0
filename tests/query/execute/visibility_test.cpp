// What a statement may not see: records of other namespaces, softly deleted ones and expired ones. No access path may
// find them.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/statement.hpp>
#include <cairn/system_fields.hpp>
#include <cairn/vector_search.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::test {
namespace {

constexpr std::int64_t now = 1'000'000;

// Visible a -R-> b; hidden nodes and relationships around them, all with the same properties.
struct Fixture {
  Fixture() {
    run_all(*database,
            {"CREATE VECTOR INDEX v FOR (n:N) ON (n.e) OPTIONS {indexConfig: "
             "{`vector.dimensions`: 2}}",
             "CREATE (a:N {name: 'a', x: 1, e: [1, 0]})-[:R {w: 1}]->(b:N {name: 'b', x: 1, e: [1, "
             "0.1]}), (gone:N {name: 'gone', x: 1, e: [1, 0]}), (old:N {name: 'old', x: 1, e: [1, "
             "0]}), (a)-[:R {w: 2}]->(gone), (old)-[:R {w: 3}]->(b), (a)-[:R {w: 4}]->(b)"});
    Transaction transaction = must(database->begin());
    must(set_deleted(transaction, NodeId{id("gone")}, 5));
    must(transaction.set_expiry(NodeId{id("old")}, now));
    must(transaction.set_expiry(RelationshipId{relationship(4)}, now - 1));
    must(transaction.commit());
    options.now = now;
  }

  std::uint64_t id(const std::string& name) {
    StatementOptions early;
    early.now = 0;
    return static_cast<std::uint64_t>(std::stoll(
        result_of(*database, "MATCH (n {name: $name}) RETURN id(n)", {{"name", name}}, early)));
  }
  std::uint64_t relationship(int w) {
    return static_cast<std::uint64_t>(
        std::stoll(result_of(*database, "MATCH ()-[r {w: $w}]->() RETURN id(r)", {{"w", w}})));
  }
  std::string result(std::string_view text) { return result_of(*database, text, {}, options); }

  TemporaryDatabase database;
  StatementOptions options;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(visibility, Fixture)

BOOST_AUTO_TEST_CASE(scans_keep_to_it) {
  BOOST_TEST(result("MATCH (n) RETURN n.name ORDER BY n.name") == "'a'; 'b'");
  BOOST_TEST(result("MATCH (n:N) RETURN count(*)") == "2");
  BOOST_TEST(result("MATCH (n {x: 1}) RETURN count(n)") == "2");
  BOOST_TEST(result("MATCH (n) WHERE NOT n.x = 2 RETURN count(*)") == "2");
  BOOST_TEST(result("MATCH (n) WHERE n.y IS NULL RETURN count(*)") == "2");
  BOOST_TEST(result("MATCH (n) WHERE n.x IN [1] AND n.name STARTS WITH 'g' RETURN n") == "");
}

BOOST_AUTO_TEST_CASE(expansions_keep_to_it) {
  BOOST_TEST(result("MATCH (a {name: 'a'})-[r]->(m) RETURN r.w") == "1");
  BOOST_TEST(result("MATCH (b {name: 'b'})<-[r]-(m) RETURN m.name") == "'a'");
  BOOST_TEST(result("MATCH (a {name: 'a'})-[r*1..3]-(m) RETURN m.name") == "'b'");
  BOOST_TEST(result("MATCH (a {name: 'a'}), (b {name: 'b'}) MATCH (a)-[r]->(b) RETURN r.w") == "1");
  BOOST_TEST(
      result("MATCH p = shortestPath((a {name: 'a'})-[*]-(b {name: 'b'})) RETURN length(p)") ==
      "1");
}

BOOST_AUTO_TEST_CASE(counted_steps_keep_to_it) {
  BOOST_TEST(result("MATCH (a {name: 'a'})-[r]->(m) RETURN count(*), count(m)") == "1 | 1");
  BOOST_TEST(result("MATCH (b {name: 'b'})--(m) RETURN b.name, count(m)") == "'b' | 1");
  BOOST_TEST(result("MATCH (a {name: 'a'}), (b {name: 'b'}) MATCH (a)-[r]->(b) RETURN count(*)") ==
             "1");
}

// With adjacency lists in memory, a counted step visits only lists that may have hidden members.
BOOST_AUTO_TEST_CASE(counted_steps_keep_to_namespaces) {
  for (const Segments segments : {Segments::never, Segments::always}) {
    Options lists;
    lists.segments = segments;
    TemporaryDatabase shared(lists);
    run_all(*shared, {"CREATE (a:N {name: 'a'})-[:R]->(:N), (a)-[:R]->(:N @ {expires_at: "
                      "datetime('1970-01-01')})"});
    StatementOptions tenant;
    tenant.name_space = "tenant";
    tenant.also_read = {""};
    must(execute(*shared, "MATCH (a {name: 'a'}) UNWIND [1, 2] AS i CREATE (a)-[:R]->(:N)", {},
                 tenant));
    StatementOptions other = tenant;
    other.name_space = "other";
    StatementOptions alone;
    alone.name_space = "tenant";
    const auto counted = [&](const StatementOptions& reader) {
      StatementOptions each_step = reader;
      each_step.disabled_rules = "count_steps";
      const std::string statement = "MATCH (n:N)-[:R]-(m) RETURN n.name, count(m) ORDER BY n.name";
      const std::string rows = result_of(*shared, statement, {}, reader);
      BOOST_TEST(rows == result_of(*shared, statement, {}, each_step));
      return rows;
    };
    BOOST_TEST(counted({}) == "'a' | 1; null | 1");
    BOOST_TEST(counted(tenant) == "'a' | 3; null | 3");
    BOOST_TEST(counted(other) == "'a' | 1; null | 1");
    BOOST_TEST(counted(alone) == "");
  }
}

BOOST_AUTO_TEST_CASE(relationships_keep_to_it) {
  BOOST_TEST(result("MATCH ()-[r:R]->() RETURN count(r)") == "1");
  BOOST_TEST(result("MATCH ()-[r:R {w: 2}]->() RETURN r") == "");
  BOOST_TEST(result("MATCH ()-[r:R {w: 4}]->() RETURN r") == "");
}

BOOST_AUTO_TEST_CASE(searches_keep_to_it) {
  BOOST_TEST(result("MATCH (n:N) SEARCH n IN (VECTOR INDEX v FOR [1, 0] LIMIT 10) SCORE AS s "
                    "RETURN n.name") == "'a'; 'b'");
  BOOST_TEST(result("MATCH (n:N) SEARCH n IN (VECTOR INDEX v FOR [1, 0] WHERE n.x = 1 LIMIT 1) "
                    "SCORE AS s RETURN n.name") == "'a'");
}

// An index of relationships does not know their ends, and here the nearest relationships lead to a hidden node.
BOOST_AUTO_TEST_CASE(searches_of_relationships_keep_to_it_and_reach_their_limit) {
  StatementOptions early;
  early.now = 0;
  run_all(*database, {"CREATE VECTOR INDEX rv FOR ()-[r:T]-() ON (r.e) OPTIONS {indexConfig: "
                      "{`vector.dimensions`: 2}}",
                      "CREATE FULLTEXT INDEX rt FOR ()-[r:T]-() ON EACH [r.t]",
                      "MATCH (a {name: 'a'}), (b {name: 'b'}) UNWIND [1, 2] AS i "
                      "CREATE (a)-[:T {w: i, e: [1, i], t: 'tea and more of it'}]->(b)"});
  must(execute(*database,
               "MATCH (a {name: 'a'}), (o {name: 'old'}) UNWIND range(1, 20) AS i "
               "CREATE (a)-[:T {w: -i, e: [1, 0], t: 'tea'}]->(o)",
               {}, early));
  for (const char* search :
       {"VECTOR INDEX rv FOR [1, 0]", "VECTOR INDEX rv FOR [1, 0] WHERE r.w IS NOT NULL",
        "FULLTEXT INDEX rt FOR 'tea'", "FULLTEXT INDEX rt FOR 'tea' WHERE r.w IS NOT NULL",
        "HYBRID VECTOR INDEX rv FOR [1, 0], FULLTEXT INDEX rt FOR 'tea'"})
    BOOST_TEST(result("MATCH ()-[r:T]->() SEARCH r IN (" + std::string(search) +
                      " LIMIT 2) RETURN r.w ORDER BY r.w") == "1; 2",
               search);
  BOOST_TEST(result("UNWIND [1, 2] AS x MATCH ()-[r:T]->() SEARCH r IN (VECTOR INDEX rv FOR [x, 0] "
                    "LIMIT 1) RETURN x, r.w") == "1 | 1; 2 | 1");
  const Snapshot snapshot = must(database->snapshot());
  VectorSearchOptions search;
  search.k = 2;
  const std::vector<VectorQuestion> questions(2, {{1, 0}, 0});
  for (const VectorHits& found : must(search_vectors(snapshot, "rv", questions, search, options)))
    BOOST_TEST(found.hits.size() == 2U);
  for (const VectorHits& found : must(search_vectors(snapshot, "rv", questions, search, early)))
    BOOST_TEST(found.hits.front().score == found.hits.back().score);
}

// SHOW NAMESPACES expands the visible or the hidden nodes, whichever are fewer.
BOOST_AUTO_TEST_CASE(counts_of_namespaces_keep_to_it) {
  BOOST_TEST(result("SHOW NAMESPACES") == "'' | 2 | 1");
  run_all(*database, {"UNWIND range(1, 9) AS i CREATE (:M)",
                      "CREATE (x:X @ {expires_at: datetime('1970-01-01')})-[:R]->(y:X @ "
                      "{expires_at: datetime('1970-01-01')}), (x)-[:R]->(x)"});
  BOOST_TEST(result("SHOW NAMESPACES") == "'' | 11 | 1");
  StatementOptions tenant = options;
  tenant.name_space = "tenant";
  tenant.also_read = {""};
  must(execute(*database, "MATCH (a {name: 'a'}) CREATE (:T)-[:R]->(:T)-[:R]->(a)", {}, tenant));
  BOOST_TEST(result("SHOW NAMESPACES") == "'' | 11 | 1; 'tenant' | 2 | 1");
}

BOOST_AUTO_TEST_CASE(names_keep_to_it) {
  StatementOptions tenant = options;
  tenant.name_space = "tenant";
  must(execute(*database, "CREATE (:T {y: 1})-[:TR {z: 1}]->(:T)", {}, tenant));
  BOOST_TEST(result("CALL db.labels()") == "'N'");
  BOOST_TEST(result("CALL db.relationshipTypes()") == "'R'");
  BOOST_TEST(result("CALL db.propertyKeys()") == "'e'; 'name'; 'w'; 'x'");
  BOOST_TEST(result_of(*database, "CALL db.labels()", {}, tenant) == "'T'");
  BOOST_TEST(result_of(*database, "CALL db.relationshipTypes()", {}, tenant) == "'TR'");
  BOOST_TEST(result_of(*database, "CALL db.propertyKeys()", {}, tenant) == "'y'; 'z'");
}

BOOST_AUTO_TEST_CASE(a_snapshot_counts_and_finds_what_is_visible) {
  StatementOptions tenant;
  tenant.name_space = "tenant";
  must(execute(*database, "CREATE (:T {y: 1, e: [1, 0]}), (:N {e: [1, 0]})", {}, tenant));
  const Snapshot snapshot = must(database->snapshot());
  const auto labels = must(snapshot.labels());
  BOOST_REQUIRE(labels.size() == 1U);
  BOOST_TEST(labels[0].name == "N");
  BOOST_TEST(labels[0].count == 2U);
  BOOST_TEST(must(snapshot.relationship_types())[0].count == 3U);
  for (const NameCount& property : must(snapshot.properties())) {
    BOOST_TEST(property.name != "y");
    BOOST_TEST(property.count == 2U, property.name);
  }
  const std::vector<float> query{1, 0};
  VectorSearchOptions search;
  BOOST_TEST(must(search_vectors(snapshot, "v", query, search)).hits.size() == 2U);
  search.allowed_ids = {id("a"), id("a") + 2};
  BOOST_TEST(must(search_vectors(snapshot, "v", query, search)).hits.size() == 1U);
}

BOOST_AUTO_TEST_CASE(subqueries_keep_to_it) {
  BOOST_TEST(
      result("MATCH (a {name: 'a'}) RETURN count { (a)-->() }, exists { (a)-[{w: 2}]->() }") ==
      "1 | false");
  BOOST_TEST(result("MATCH (a {name: 'a'}) RETURN [(a)-[r]->() | r.w]") == "[1]");
}

BOOST_AUTO_TEST_CASE(what_has_not_expired_yet_is_there) {
  options.now = now - 2;
  BOOST_TEST(result("MATCH (n) RETURN n.name ORDER BY n.name") == "'a'; 'b'; 'old'");
  BOOST_TEST(result("MATCH ()-[r]->() RETURN r.w ORDER BY r.w") == "1; 3; 4");
}

BOOST_AUTO_TEST_CASE(ids_are_no_way_around_it) {
  const std::string text =
      "MATCH (n) WHERE id(n) = " + std::to_string(id("a") + 2) + " RETURN n.name";
  BOOST_TEST(result(text) == "");
}

BOOST_AUTO_TEST_CASE(detaching_takes_hidden_relationships_too) {
  must(execute(*database, "MATCH (a {name: 'a'}) DETACH DELETE a", {}, options));
  const auto findings = must(database->check());
  BOOST_TEST(findings.empty());
}

BOOST_AUTO_TEST_CASE(deleting_takes_hidden_relationships_and_no_others) {
  const std::string remove = "MATCH (n {name: 'b'}) DELETE n";
  BOOST_TEST((error_of(*database, remove, {}, options).code == ErrorCode::conflict));
  must(execute(*database, "MATCH (a {name: 'a'})-[r]->(b) DELETE r", {}, options));
  BOOST_TEST(result("MATCH (a {name: 'a'}), (b {name: 'b'}) RETURN COUNT {(a)--()} + "
                    "COUNT {(b)--()}") == "0");
  must(execute(*database, remove, {}, options));
  must(execute(*database, "MATCH (a {name: 'a'}) DELETE a", {}, options));
  BOOST_TEST(result("MATCH (n) RETURN count(*)") == "0");
  options.now = 0;
  BOOST_TEST(result("MATCH (n) RETURN n.name") == "'old'");
  BOOST_TEST(must(database->check()).empty());
}

// A relationship that the statement has hidden keeps its type for rows that name it.
BOOST_AUTO_TEST_CASE(a_relationship_that_a_statement_hides_goes_with_its_node) {
  const std::string text =
      "MATCH (a {name: 'a'})-[r]->(b) SET r@expires_at = datetime('1970-01-01') WITH a, r DELETE a "
      "RETURN type(r)";
  BOOST_TEST(result(text) == "'R'");
  BOOST_TEST(must(database->check()).empty());
}

// The cardinality of a type counts ends that the statement itself has hidden.
BOOST_AUTO_TEST_CASE(relationships_are_counted_without_ends_that_the_statement_hides) {
  must(execute(*database, "UNWIND range(1, 6) AS i CREATE (:V {i: i})-[:W]->(:V2)", {}, options));
  const std::string hide =
      "MATCH (n:V) WHERE n.i < 3 SET n@expires_at = datetime('1970-01-01T00:00:00Z') ";
  BOOST_TEST(result(hide + "WITH count(*) AS c CALL { MATCH ()-[r:W]->() RETURN count(r) AS k } "
                           "RETURN c, k") == "2 | 4");
}

// The plan of a subquery in an expression is made for the first row, before the changes that later rows see.
BOOST_AUTO_TEST_CASE(a_subquery_counts_without_ends_that_earlier_rows_hid) {
  must(execute(*database, "UNWIND range(1, 3) AS i CREATE (:H {i: i})-[:X]->(:H2)", {}, options));
  BOOST_TEST(result("MATCH (n:H) WITH n ORDER BY n.i "
                    "SET n.seen = COLLECT { MATCH ()-[r:X]->() RETURN count(r) }[0], "
                    "n@expires_at = datetime('1970-01-01T00:00:00Z') "
                    "RETURN n.seen") == "3; 2; 1");
}

// A bound node that the statement hid or deleted is found neither by itself nor from the other end of a step.
BOOST_AUTO_TEST_CASE(no_path_starts_at_a_bound_node_that_the_statement_hides) {
  const std::vector<std::string> patterns = {"(a)",
                                             "(a)-->(b)",
                                             "(b)<--(a)",
                                             "(a)-->()",
                                             "()<--(a)",
                                             "(a)-[*1..2]->(b)",
                                             "(b)<-[*1..2]-(a)",
                                             "(a)-[*0..1]->()",
                                             "(a)-[*0..]-(a)",
                                             "p = shortestPath((a)-[*]->(b))",
                                             "p = shortestPath((b)<-[*]-(a))",
                                             "ANY SHORTEST (a)-[*0..]-(a)",
                                             "SHORTEST 2 GROUPS (a)-->*(a)",
                                             "ANY SHORTEST (a)-->+(b)",
                                             "ANY SHORTEST (b)<--+(a)"};
  for (const std::string change :
       {"SET a@expires_at = datetime('1970-01-01T00:00:00Z')", "DETACH DELETE a"})
    for (const std::string& pattern : patterns) {
      Transaction transaction = must(database->begin());
      const std::string text = "MATCH (a {name: 'a'})-->(b) " + change + " WITH a, b MATCH " +
                               pattern + " RETURN count(*), count(DISTINCT b)";
      const Statement statement = must(Statement::parse(text));
      Rows rows = must(statement.run(transaction, {}, options));
      BOOST_TEST((must(rows.all())[0][0] == Value(std::int64_t{0})), text);
    }
  BOOST_TEST(
      result("MATCH (a {name: 'a'})-->(b) SET a@expires_at = datetime('1970-01-01T00:00:00Z') "
             "RETURN exists { (a)-->(b) }, exists { (b)<--(a) }, [(a)-->(x) | x.name], a.name") ==
      "false | false | [] | 'a'");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
