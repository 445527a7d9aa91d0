// System fields in the language: n@expires_at, (n @ {external_id: $id}), SET, MERGE and db.expire().

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <utility>

namespace cairn::test {
namespace {

// 2100-01-01T00:00Z: later than the system's clock, by which nothing of these tests expires.
constexpr std::int64_t now = 4'102'444'800'000'000;
constexpr std::int64_t day = 86'400'000'000;

struct Fixture {
  Fixture() { options.now = now; }

  std::string result(std::string_view text, const Parameters& parameters = {}) {
    return result_of(*database, text, parameters, options);
  }
  std::string plan(std::string_view text) {
    return plan_of(*database, "EXPLAIN " + std::string(text));
  }
  std::string error(std::string_view text) {
    return error_of(*database, text, {}, options).message;
  }
  void check() { BOOST_TEST(must(database->check()).empty()); }

  TemporaryDatabase database;
  StatementOptions options;
};

bool contains(const std::string& text, std::string_view part) {
  BOOST_TEST_MESSAGE(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(system_fields, Fixture)

BOOST_AUTO_TEST_CASE(a_node_is_made_with_them_and_they_are_no_properties) {
  BOOST_TEST(result("CREATE (n:Person {name: 'Ada'} @ {external_id: 'urn:ada', expires_at: "
                    "datetime() + duration('P30D')}) RETURN n@external_id, n@expires_at, "
                    "properties(n), n@namespace") ==
             "'urn:ada' | datetime('2100-01-31T00:00Z') | {name: 'Ada'} | ''");
  BOOST_TEST(result("MATCH (n:Person) RETURN n.external_id, externalId(n), "
                    "n@created_at <= n@updated_at, n@created_at < datetime()") ==
             "null | 'urn:ada' | true | true");
  check();
}

BOOST_AUTO_TEST_CASE(null_is_none_of_them) {
  BOOST_TEST(result("CREATE (n @ {external_id: null, expires_at: null}) "
                    "RETURN n@external_id, n@expires_at") == "null | null");
  BOOST_TEST(result("OPTIONAL MATCH (n:None) RETURN n@expires_at") == "null");
}

BOOST_AUTO_TEST_CASE(a_relationship_has_all_but_an_external_id) {
  BOOST_TEST(result("CREATE (a)-[r:R {w: 1} @ {expires_at: datetime('2101-01-01')}]->(b) "
                    "RETURN r@expires_at, r@namespace, r@created_at = r@updated_at") ==
             "datetime('2101-01-01T00:00Z') | '' | true");
  BOOST_TEST(result("MATCH ()-[r @ {expires_at: datetime('2101-01-01')}]->() RETURN r.w") == "1");
  BOOST_TEST(contains(error("MATCH ()-[r]->() RETURN r@external_id"), "no external id"));
  BOOST_TEST(contains(error("CREATE ()-[r:R @ {external_id: 'x'}]->()"), "no external id"));
}

BOOST_AUTO_TEST_CASE(an_external_id_is_looked_up_and_not_scanned_for) {
  run_all(*database, {"UNWIND range(1, 50) AS i CREATE (:Person {i: i} @ {external_id: 'p' + "
                      "toString(i)})-[:R]->(:Other)"});
  for (const char* text : {"MATCH (n @ {external_id: 'p7'}) RETURN n.i",
                           "MATCH (n:Person) WHERE n@external_id = 'p7' "
                           "RETURN n.i",
                           "MATCH (n) WHERE 'p7' = externalId(n) RETURN n.i",
                           "MATCH (n) WHERE n@external_id IN ['p7', null, 5, 'none'] RETURN n.i",
                           "MATCH (:Other)<-[:R]-(n:Person @ {external_id: 'p7'}) RETURN n.i",
                           "UNWIND ['p7'] AS id MATCH (n @ {external_id: id}) RETURN n.i"})
    BOOST_TEST(result(text) == "7", text);
  BOOST_TEST(result("MATCH (n @ {external_id: 7}) RETURN n") == "");
  BOOST_TEST(result("MATCH (n @ {external_id: null}) RETURN n") == "");
  BOOST_TEST(result("MATCH (n:Person) WHERE n@external_id <> 'p7' RETURN count(*)") == "49");
  BOOST_TEST(result("MATCH (n:Person) WHERE NOT n@external_id IN ['p7'] RETURN count(*)") == "49");
  BOOST_TEST(result("MATCH (n) WHERE n@external_id = 'p7' OR n.i = 8 RETURN count(*)") == "2");
  const std::string looked_up = plan("MATCH (n @ {external_id: $id}) RETURN n");
  BOOST_TEST(contains(looked_up, "n@external_id = $id"));
  BOOST_TEST(!contains(looked_up, "Select"));
}

BOOST_AUTO_TEST_CASE(times_are_conditions_like_others) {
  run_all(*database, {"CREATE (:A {x: 1} @ {expires_at: datetime('2101-01-01')}), (:A {x: 2})"});
  BOOST_TEST(result("MATCH (n:A @ {expires_at: datetime('2101-01-01')}) RETURN n.x") == "1");
  BOOST_TEST(result("MATCH (n:A) WHERE n@expires_at IS NULL RETURN n.x") == "2");
  BOOST_TEST(result("MATCH (n:A) RETURN n.x ORDER BY n@expires_at") == "1; 2");
  BOOST_TEST(result("MATCH (n:A) RETURN n {.x, until: n@expires_at} ORDER BY n.x LIMIT 1") ==
             "{until: datetime('2101-01-01T00:00Z'), x: 1}");
}

BOOST_AUTO_TEST_CASE(the_expiry_is_set_and_removed) {
  run_all(*database, {"CREATE (:A {x: 1})-[:R]->(:B)"});
  BOOST_TEST(result("MATCH (n:A)-[r]->() SET n@expires_at = datetime() + duration('P1D'), "
                    "r@expires_at = datetime() RETURN n@expires_at") ==
             "datetime('2100-01-02T00:00Z')");
  BOOST_TEST(result("MATCH ()-[r]->() RETURN count(*)") == "0");
  BOOST_TEST(result("MATCH (n:A) RETURN count(*)") == "1");
  options.now = now + day;
  BOOST_TEST(result("MATCH (n:A) RETURN count(*)") == "0");
  options.now = now + day - 1;
  BOOST_TEST(result("MATCH (n:A) REMOVE n@expires_at RETURN n@expires_at") == "null");
  options.now = now + 2 * day;
  BOOST_TEST(result("MATCH (n:A) SET n@expires_at = null RETURN n.x") == "1");
  check();
}

BOOST_AUTO_TEST_CASE(what_expires_within_a_statement_is_not_found_behind_it) {
  run_all(*database, {"CREATE (:A {x: 1}), (:A {x: 2})"});
  BOOST_TEST(result("MATCH (n:A {x: 1}) SET n@expires_at = datetime() WITH n MATCH (m:A) "
                    "RETURN m.x") == "2");
}

BOOST_AUTO_TEST_CASE(merge_puts_a_node_by_its_external_id) {
  const auto merge = [&](std::int64_t value) {
    return result(
        "MERGE (n:Person @ {external_id: $id}) ON CREATE SET n.made = $v "
        "ON MATCH SET n.seen = $v RETURN n.made, n.seen",
        {{"id", "urn:ada"}, {"v", value}});
  };
  BOOST_TEST(merge(1) == "1 | null");
  BOOST_TEST(merge(2) == "1 | 2");
  BOOST_TEST(result("MATCH (n:Person) RETURN n@external_id, count(*)") == "'urn:ada' | 1");
  BOOST_TEST(result("UNWIND ['a', 'b', 'a'] AS id MERGE (n:Person @ {external_id: id}) "
                    "RETURN count(DISTINCT n)") == "2");
  const std::string merged = plan("MERGE (n:Person @ {external_id: $id})");
  BOOST_TEST(contains(merged, "n@external_id = $id"));
  BOOST_TEST(contains(error("MERGE (n:Person @ {external_id: null})"), "null"));
  BOOST_TEST(contains(error("MERGE (n:Other @ {external_id: 'a'})"), "used by another node"));
  check();
}

BOOST_AUTO_TEST_CASE(merge_finds_no_expired_node_and_takes_over_its_external_id) {
  run_all(*database, {"CREATE (n:A {x: 1} @ {external_id: 'a'})-[:R]->(:B)"});
  BOOST_TEST(result("MATCH (n:A) SET n@expires_at = datetime() + duration('P1D')") == "");
  options.now = now + day;
  BOOST_TEST(result("MERGE (n:A @ {external_id: 'a'}) RETURN n.x") == "null");
  BOOST_TEST(result("MATCH (n @ {external_id: 'a'}) RETURN labels(n), n.x") == "['A'] | null");
  BOOST_TEST(must(database->statistics()).relationships == 0u);
  check();
}

BOOST_AUTO_TEST_CASE(each_namespace_has_its_own_external_ids) {
  StatementOptions tenant = options;
  tenant.name_space = "tenant";
  run_all(*database, {"CREATE (:A {x: 0} @ {external_id: 'a'})"});
  BOOST_TEST(result_of(*database, "MATCH (n @ {external_id: 'a'}) RETURN n.x", {}, tenant) == "");
  BOOST_TEST(result_of(*database,
                       "MERGE (n:A @ {external_id: 'a'}) ON CREATE SET n.x = 1 RETURN n.x, "
                       "n@namespace",
                       {}, tenant) == "1 | 'tenant'");
  BOOST_TEST(result_of(*database, "MATCH (n @ {external_id: 'a'}) RETURN n.x", {}, tenant) == "1");
  BOOST_TEST(result("MATCH (n @ {external_id: 'a'}) RETURN n.x") == "0");
}

BOOST_AUTO_TEST_CASE(mistakes_are_told_with_the_way_out) {
  BOOST_TEST(contains(error("MATCH (n) RETURN n@expire_at"), "did you mean @expires_at"));
  BOOST_TEST(contains(error("MATCH (n @ {extern_id: 1}) RETURN n"), "did you mean @external_id"));
  BOOST_TEST(contains(error("MATCH (n) RETURN n@zebra"), "@created_at, @expires_at"));
  BOOST_TEST(contains(error("MATCH (n) SET n@created_at = datetime()"), "read only"));
  BOOST_TEST(contains(error("MATCH (n) SET n@external_id = 'x'"), "when the node is created"));
  BOOST_TEST(contains(error("MATCH (n) REMOVE n@namespace"), "read only"));
  BOOST_TEST(contains(error("CREATE (n @ {created_at: datetime()})"), "read only"));
  BOOST_TEST(contains(error("MERGE (n @ {expires_at: datetime()})"), "ON CREATE SET"));
  BOOST_TEST(contains(error("RETURN 1@expires_at"), "a node or a relationship"));
  BOOST_TEST(contains(error("MATCH (n) RETURN n@"), "a system field"));
  BOOST_TEST(contains(error("CREATE (n @ {expires_at: '2101-01-01'})"), "takes a datetime"));
  BOOST_TEST(contains(error("CREATE (n @ {external_id: 5})"), "takes a text"));
  BOOST_TEST(contains(error("CREATE (n @ {external_id: ''})"), "not empty"));
}

BOOST_AUTO_TEST_CASE(expired_records_are_erased_by_a_call) {
  run_all(
      *database,
      {"UNWIND range(1, 5) AS i CREATE (:A @ {expires_at: datetime('2100-06-01')})-[:R]->(:B)"});
  BOOST_TEST(result("CALL db.expire() YIELD erased RETURN erased") == "0");
  options.now = now + 365 * day;
  BOOST_TEST(result("CALL db.expire(4) YIELD erased") == "4");
  BOOST_TEST(result("CALL db.expire() YIELD erased MATCH (n) RETURN erased, count(n)") == "6 | 5");
  BOOST_TEST(contains(error("CALL db.expire(0)"), "1 or more"));
  BOOST_TEST(must(database->statistics()).nodes == 5u);
  check();
}

// A caller who may use only one namespace is told only of records in it.
BOOST_AUTO_TEST_CASE(what_a_call_erases_is_counted_as_deleted) {
  const auto deleted_by = [&](std::string_view text) {
    Rows rows = must(must(Statement::parse(text)).run(*database, {}, options));
    must(rows.all());
    const Changes changes = rows.changes();
    return std::pair(changes.nodes_deleted, changes.relationships_deleted);
  };
  const auto create = [&](const char* name_space) {
    options.name_space = name_space;
    result(
        "UNWIND range(1, 3) AS i "
        "CREATE (:A @ {expires_at: datetime('2100-06-01')})-[:R]->(:B) "
        "CREATE (:B)-[:R @ {expires_at: datetime('2100-06-01')}]->(:B)");
  };
  for (const char* name_space : {"one", "two"}) create(name_space);
  options.now = now + 365 * day;
  options.listed_name_spaces = {"two"};
  BOOST_TEST((deleted_by("CALL db.expire()") == std::pair{3UL, 6UL}));
  options.listed_name_spaces.reset();
  BOOST_TEST((deleted_by("CALL db.expire(4)") == std::pair{0UL, 4UL}));
  BOOST_TEST((deleted_by("CALL db.expire() YIELD erased CREATE (:C)") == std::pair{3UL, 2UL}));
  BOOST_TEST((deleted_by("CALL db.expire()") == std::pair{0UL, 0UL}));
  check();
}

BOOST_AUTO_TEST_CASE(a_kept_plan_sees_the_clock_of_each_run) {
  run_all(*database, {"CREATE (:A @ {external_id: 'a', expires_at: datetime('2100-06-01')})"});
  const Statement statement = must(Statement::parse("MATCH (n:A @ {external_id: $id}) RETURN n"));
  const auto count = [&](std::int64_t at) {
    StatementOptions then;
    then.now = at;
    Rows rows = must(statement.run(*database, {{"id", "a"}}, then));
    return must(rows.all()).size();
  };
  BOOST_TEST(count(now) == 1u);
  BOOST_TEST(count(now + 365 * day) == 0u);
  BOOST_TEST(count(now) == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
