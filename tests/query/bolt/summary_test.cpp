// The metadata of SUCCESS after the last row.
#include "tests/query/bolt/bolt_client.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

using query::bolt::Tag;
using query::bolt::Version;

// The type and the counters of a statement.
std::string type_and_stats(BoltClient& client, std::string_view text) {
  const std::string rows = client.result(text);
  return client.pulled["type"].to_text() + " " + client.pulled["stats"].to_text();
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(bolt_summaries, BoltFixture)

BOOST_AUTO_TEST_CASE(counters_have_the_names_of_neo4j) {
  BoltClient one = client();
  BOOST_TEST(type_and_stats(one, "RETURN 1") == "'r' null");
  BOOST_TEST(type_and_stats(one, "CREATE (:A {x: 1})-[:R]->(:B)") ==
             "'w' {`contains-updates`: true, `labels-added`: 2, `nodes-created`: 2, "
             "`properties-set`: 1, `relationships-created`: 1}");
  BOOST_TEST(type_and_stats(one, "MATCH (a:A) SET a:C REMOVE a:A RETURN a.x") ==
             "'rw' {`contains-updates`: true, `labels-added`: 1, `labels-removed`: 1}");
  BOOST_TEST(type_and_stats(one, "MATCH (n) DETACH DELETE n") ==
             "'w' {`contains-updates`: true, `nodes-deleted`: 2, `relationships-deleted`: 1}");
  BOOST_TEST(type_and_stats(one, "CREATE INDEX a FOR (n:A) ON (n.x)") ==
             "'s' {`contains-updates`: true, `indexes-added`: 1}");
  BOOST_TEST(type_and_stats(one, "DROP INDEX a") ==
             "'s' {`contains-updates`: true, `indexes-removed`: 1}");
}

BOOST_AUTO_TEST_CASE(an_explained_statement_has_its_own_type) {
  BoltClient one = client();
  const auto type = [&](std::string_view text) {
    one.result(text);
    return one.pulled["type"].to_text() + (one.pulled["stats"].is_null() ? "" : " with changes");
  };
  BOOST_TEST(type("EXPLAIN MATCH (n) RETURN n") == "'r'");
  BOOST_TEST(type("explain CREATE (:A)") == "'w'");
  BOOST_TEST(type("EXPLAIN CREATE (n:A) RETURN n") == "'rw'");
  BOOST_TEST(type("CYPHER 5 EXPLAIN MATCH (n) SET n.x = 1") == "'w'");
  BOOST_TEST(type("EXPLAIN CALL apoc.merge.node(['A'], {x: 1}) YIELD node RETURN node") == "'rw'");
  BOOST_TEST(type("EXPLAIN CREATE INDEX a FOR (n:A) ON (n.x)") == "'s'");
  BOOST_TEST(type("EXPLAIN LOAD CSV FROM 'a.csv' AS row CREATE (:A {x: row[0]})") == "'w'");
  BOOST_TEST(type("EXPLAIN CALL db.index.vector.createNodeIndex('i', 'A', 'v', 3, 'cosine')") ==
             "'s'");
  BOOST_TEST(type("RETURN 'EXPLAIN CREATE (:A)' AS text") == "'r'");
  BOOST_TEST(type("MATCH (n) RETURN count(n) AS n") == "'r'");
}

BOOST_AUTO_TEST_CASE(remarks_are_notifications_before_5_5) {
  BoltClient one = client({5, 4});
  one.result("MATCH (n:Persn) RETURN n");
  BOOST_TEST(one.pulled["statuses"].is_null());
  const List& notifications = one.pulled["notifications"].as_list();
  BOOST_REQUIRE(notifications.size() == 1U);
  const Map& first = notifications[0].as_map();
  BOOST_TEST(first.at("description").as_string().find("Persn") != std::string::npos);
  BOOST_TEST(first.at("severity").as_string() == "WARNING");
  BOOST_TEST(first.at("position").to_text() == "{column: 1, line: 1, offset: 0}");
  one.result("RETURN 1 AS one");
  BOOST_TEST(one.pulled["notifications"].is_null());
}

BOOST_AUTO_TEST_CASE(remarks_are_statuses_since_5_5) {
  BoltClient one = client({5, 5});
  const auto statuses = [&](std::string_view text) {
    one.result(text);
    std::string all;
    for (const Value& status : one.pulled["statuses"].as_list())
      all += status.as_map().at("gql_status").as_string() + " ";
    return all;
  };
  BOOST_TEST(statuses("RETURN 1") == "00000 ");
  BOOST_TEST(statuses("CREATE (:A)") == "00001 ");
  BOOST_TEST(statuses("MATCH (a:A) WHERE a.x = 1 RETURN a.x AS x LIMIT 0").starts_with("02000 "));
  BOOST_TEST(statuses("MATCH (n:Persn) RETURN n") == "02000 01000 ");
  BOOST_TEST(statuses("MATCH (n:Persn) RETURN count(*) AS n") == "01000 00000 ");
  BOOST_TEST(one.pulled["notifications"].is_null());
  const Map& status = one.pulled["statuses"].as_list()[0].as_map();
  BOOST_TEST(status.at("status_description").as_string().starts_with("warn: "));
  BOOST_TEST(status.at("diagnostic_record").as_map().at("_severity").as_string() == "WARNING");
}

BOOST_AUTO_TEST_CASE(remarks_are_left_out_where_nobody_wants_them) {
  const std::string text = "MATCH (n:Persn) RETURN n";
  const Map off{{"notifications_minimum_severity", "OFF"}};
  BoltClient one = client({5, 4});
  one.result(text, {}, off);
  BOOST_TEST(one.pulled["notifications"].is_null());
  one.result(text, {}, {{"notifications_disabled_categories", list_of({"GENERIC"})}});
  BOOST_TEST(one.pulled["notifications"].is_null());
  one.ask(Tag::begin, {off});
  one.result(text);
  BOOST_TEST(one.pulled["notifications"].is_null());
  one.ask(Tag::commit);
  one.result(text);
  BOOST_TEST(!one.pulled["notifications"].is_null());
  BoltClient quiet(shared, {5, 4});
  quiet.ask(Tag::hello, {off});
  quiet.ask(Tag::logon, {Map{{"scheme", "bearer"}, {"credentials", secret}}});
  quiet.result(text);
  BOOST_TEST(quiet.pulled["notifications"].is_null());
  quiet.result(text, {}, {{"notifications_minimum_severity", "WARNING"}});
  BOOST_TEST(!quiet.pulled["notifications"].is_null());
}

BOOST_AUTO_TEST_CASE(an_explained_statement_has_a_plan) {
  BoltClient one = client();
  one.result("CREATE (:Person {name: 'Ada'})-[:KNOWS]->(:Person {name: 'Bob'})");
  one.result("EXPLAIN MATCH (p:Person {name: 'Ada'})-[:KNOWS]->(q) RETURN q.name AS name");
  BOOST_TEST(one.pulled["profile"].is_null());
  const Value plan = one.pulled["plan"];
  BOOST_REQUIRE(plan.map() != nullptr);
  BOOST_TEST(plan.as_map().at("operatorType").as_string() == "Project");
  BOOST_TEST(plan.as_map().at("identifiers").to_text() == "[]");
  const Map& child = plan.as_map().at("children").as_list().at(0).as_map();
  BOOST_TEST(child.at("operatorType").as_string() == "Expand");
  BOOST_TEST(child.at("args").as_map().at("Details").as_string() == "(p)-[:KNOWS]->(q)");
  one.result("RETURN 1");
  BOOST_TEST(one.pulled["plan"].is_null());
}

BOOST_AUTO_TEST_CASE(a_profile_is_whole_even_if_nobody_reads_its_rows) {
  BoltClient one = client();
  one.result("UNWIND range(1, 20) AS i CREATE (:Person {age: i})");
  one.run("PROFILE MATCH (p:Person) WHERE p.age > 10 RETURN p.age AS age");
  const BoltAnswer end = one.ask(Tag::discard, {Map{{"n", -1}}});
  BOOST_TEST(end["plan"].is_null());
  const Value profile = end["profile"];
  BOOST_REQUIRE(profile.map() != nullptr);
  BOOST_TEST(profile.as_map().at("rows").as_integer() == 10);
  BOOST_TEST(profile.as_map().at("dbHits").as_integer() >= 0);
  BOOST_TEST(profile.as_map().at("time").as_integer() >= 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
