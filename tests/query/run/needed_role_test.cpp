// The least role that may run a statement.
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/functions.hpp>
#include <cairn/statement.hpp>
#include <cairn/tokens.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <map>
#include <ostream>

namespace cairn::test {
namespace {

struct RoleCase {
  const char* role;
  const char* statement;
  friend std::ostream& operator<<(std::ostream& out, const RoleCase& one) {
    return out << one.statement;
  }
};

const std::vector<RoleCase> role_cases = {
    {"read", "MATCH (n) RETURN n"},
    {"read", "RETURN 1"},
    {"read", "UNWIND [1] AS x WITH x RETURN x UNION RETURN 2 AS x"},
    {"read", "MATCH (n) SEARCH n IN (VECTOR INDEX v FOR [1.0] LIMIT 3) RETURN n"},
    {"read", "RETURN EXISTS { MATCH (n) }, COUNT { MATCH (n) }, COLLECT { MATCH (n) RETURN n }"},
    {"read", "MATCH (n) CALL (n) { MATCH (n)--(m) RETURN m } RETURN m"},
    {"read", "SHOW INDEXES"},
    {"read", "SHOW PROCEDURES"},
    {"admin", "SHOW BACKUPS"},
    {"admin", "SHOW TRANSACTIONS"},
    {"admin", "TERMINATE TRANSACTIONS 'x'"},
    {"read", "SHOW NAMESPACES"},
    {"read", "CALL db.labels()"},
    {"read", "CALL DB.RECALL('tea')"},
    {"write", "CREATE (n:A {x: 1})"},
    {"write", "CREATE (n @ {expires_at: datetime()})"},
    {"write", "MERGE (n:A {x: 1})"},
    {"write", "MERGE (n:A) ON CREATE SET n@expires_at = datetime() ON MATCH SET n.x = 1"},
    {"write", "MATCH (n) SET n.x = 1, n:B"},
    {"write", "MATCH (n) SET n = {}"},
    {"write", "MATCH (n) SET n += {x: 1}"},
    {"write", "MATCH (n) REMOVE n.x, n:B"},
    {"write", "MATCH (n) REMOVE n@expires_at"},
    {"write", "FOREACH (x IN [1] | CREATE (:A))"},
    {"write", "PROFILE CREATE (n)"},
    {"write", "RETURN 1 AS x UNION CREATE (n) RETURN 2 AS x"},
    {"write", "CALL db.rules.apply()"},
    {"write", "MATCH (n) CALL db.create.setNodeVectorProperty(n, 'v', [1.0]) RETURN n"},
    {"write", "CALL { CREATE (n) RETURN n } RETURN n"},
    {"write", "CALL { RETURN 1 AS x UNION CREATE (n) RETURN 2 AS x } RETURN x"},
    {"forget", "MATCH (n) CALL (n) { CALL (n) { DETACH DELETE n } } IN TRANSACTIONS"},
    {"admin", "CALL { LOAD CSV FROM 'x' AS row RETURN row } RETURN row"},
    {"forget", "MATCH (n) DELETE n"},
    {"forget", "MATCH (n) DETACH DELETE n"},
    {"forget", "MATCH (n) SET n.x = 1 WITH n SET n@expires_at = datetime()"},
    {"forget", "MERGE (n:A) ON MATCH SET n@expires_at = datetime()"},
    {"forget", "MATCH (n) FOREACH (x IN [1] | FOREACH (y IN [2] | DELETE n))"},
    {"forget", "CREATE (n) WITH n DELETE n"},
    {"forget", "RETURN 1 AS x UNION MATCH (n) DELETE n RETURN 2 AS x"},
    {"forget", "CALL db.expire()"},
    {"forget", "CALL db.scrub()"},
    {"forget", "PROFILE MATCH (n) DELETE n"},
    {"admin", "CREATE INDEX i FOR (n:A) ON (n.x)"},
    {"admin", "CREATE VECTOR INDEX v FOR (n:A) ON (n.x) OPTIONS {dimension: 3}"},
    {"admin", "DROP INDEX i"},
    {"admin", "DROP NAMESPACE acme"},
    {"admin", "CREATE DATABASE acme"},
    {"admin", "CREATE LOOKUP INDEX FOR (n) ON EACH labels(n)"},
    {"write", "USE acme CREATE (n)"},
    {"admin", "BACKUP TO 'x'"},
    {"admin", "CALL db.backup('x')"},
    {"admin", "LOAD CSV FROM 'x' AS row RETURN row"},
    {"admin", "LOAD CSV FROM 'x' AS row CREATE (:A)"},
    {"admin", "CALL db.rules.put('r', 'tea', ['t'])"},
    {"admin", "CALL db.rules.drop('r')"},
    {"read", "CALL nobody.knows()"},
    {"admin", "RETURN EXISTS { LOAD CSV FROM 'x' AS row RETURN row }"},
    {"admin", "MATCH (n) WHERE COUNT { CALL db.csv.load('x') YIELD row RETURN row } > 1 RETURN n"},
    {"admin", "RETURN COLLECT { CALL db.backup('x') YIELD commit RETURN commit } AS c"},
    {"admin", "CREATE (n {x: COLLECT { LOAD CSV FROM 'x' AS row RETURN row }})"},
    {"forget",
     "MATCH (n) RETURN n ORDER BY EXISTS { CALL db.expire() YIELD erased RETURN erased }"},
    {"forget",
     "MATCH (n {x: COUNT { MATCH (m) WHERE EXISTS { CALL db.expire() YIELD erased RETURN erased } "
     "}}) RETURN n"},
    {"read", "EXPLAIN MATCH (n) DETACH DELETE n"},
    {"read", "EXPLAIN DROP INDEX i"},
    {"read", "EXPLAIN LOAD CSV FROM 'x' AS row RETURN row"},
    {"read", "EXPLAIN CALL nobody.knows()"},
};

std::string_view role_of(std::string_view text) {
  return to_string(must(Statement::parse(text)).needed_role());
}

/// The role that each procedure of the language needs. A new procedure must be added here
/// deliberately.
const std::map<std::string, std::string> procedure_roles = {
    {"db.labels", "read"},
    {"db.relationshipTypes", "read"},
    {"db.propertyKeys", "read"},
    {"db.indexes", "read"},
    {"db.procedures", "read"},
    {"db.functions", "read"},
    {"db.expire", "forget"},
    {"db.backups", "admin"},
    {"db.backup", "admin"},
    {"db.scrub", "forget"},
    {"db.segments", "admin"},
    {"db.warm", "admin"},
    {"db.transactions", "admin"},
    {"db.transactions.terminate", "admin"},
    {"db.namespaces", "read"},
    {"db.facets", "read"},
    {"db.csv.load", "admin"},
    {"db.grammar", "read"},
    {"db.recall", "read"},
    {"db.recall.describe", "read"},
    {"db.index.fulltext.queryNodes", "read"},
    {"db.index.fulltext.queryRelationships", "read"},
    {"db.rules.list", "read"},
    {"db.rules.put", "admin"},
    {"db.rules.drop", "admin"},
    {"db.rules.preview", "read"},
    {"db.rules.count", "read"},
    {"db.rules.apply", "write"},
    {"db.rules.undo", "write"},
    {"db.create.setNodeVectorProperty", "write"},
    {"db.create.setRelationshipVectorProperty", "write"},
    {"db.create.setVectorProperty", "write"},
    {"db.constraints", "read"},
    {"db.databases", "read"},
    {"db.users", "read"},
    {"db.settings", "read"},
    {"db.aliases", "read"},
    {"db.index.vector.queryNodes", "read"},
    {"db.index.vector.queryRelationships", "read"},
    {"db.index.vector.createNodeIndex", "admin"},
    {"db.index.vector.createRelationshipIndex", "admin"},
    {"db.schema.nodeTypeProperties", "read"},
    {"db.schema.relTypeProperties", "read"},
    {"db.schema.visualization", "read"},
    {"db.ping", "read"},
    {"db.awaitIndex", "read"},
    {"db.awaitIndexes", "read"},
    {"dbms.components", "read"},
    {"apoc.meta.data", "read"},
    {"apoc.meta.schema", "read"},
    {"apoc.meta.graph", "read"},
    {"apoc.meta.graphSample", "read"},
    {"apoc.schema.nodes", "read"},
    {"apoc.schema.properties.distinct", "read"},
    {"graph.pagerank", "read"},
    {"graph.personalizedPagerank", "read"},
    {"graph.components", "read"},
    {"graph.stronglyConnected", "read"},
    {"graph.louvain", "read"},
    {"graph.leiden", "read"},
    {"graph.labelPropagation", "read"},
    {"graph.betweenness", "read"},
    {"graph.kCore", "read"},
    {"graph.triangles", "read"},
    {"graph.shortestPath", "read"},
    {"graph.kShortest", "read"},
    {"graph.similarity", "read"},
    {"memory.add", "write"},
    {"memory.remember", "write"},
    {"memory.find", "read"},
    {"memory.recall", "read"},
    {"memory.search", "read"},
    {"memory.list", "read"},
    {"memory.update", "write"},
    {"memory.forget", "forget"},
    {"memory.restore", "write"},
    {"memory.file", "write"},
    {"memory.view_file", "read"},
    {"memory.history", "read"},
    {"memory.describe", "read"},
    {"apoc.merge.node", "write"},
    {"apoc.merge.relationship", "write"},
    {"apoc.create.addLabels", "write"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(needed_role)

BOOST_DATA_TEST_CASE(a_statement_needs_the_role_of_its_highest_part,
                     boost::unit_test::data::make(role_cases), one) {
  BOOST_TEST(role_of(one.statement) == one.role);
}

BOOST_AUTO_TEST_CASE(every_procedure_has_its_role) {
  TemporaryDatabase database;
  std::map<std::string, std::string> roles;
  Rows rows = must(execute(*database, "SHOW PROCEDURES YIELD name RETURN name"));
  for (const auto& row : must(rows.all())) {
    const std::string& name = row[0].as_string();
    roles[name] = role_of("CALL " + name);
  }
  BOOST_TEST((roles == procedure_roles));
  for (const auto& [name, role] : roles)
    BOOST_TEST((procedure_roles.contains(name) && procedure_roles.at(name) == role),
               name + " needs " + role);
}

// Whoever may only read cannot run what takes the writer lock.
BOOST_AUTO_TEST_CASE(what_writes_needs_more_than_to_read) {
  for (const RoleCase& one : role_cases) {
    const Statement statement = must(Statement::parse(one.statement));
    if (statement.is_writing()) BOOST_TEST((statement.needed_role() > Role::read), one.statement);
  }
  for (const auto& [name, role] : procedure_roles)
    if (must(Statement::parse("CALL " + name)).is_writing()) BOOST_TEST(role != "read", name);
}

BOOST_AUTO_TEST_CASE(a_procedure_of_the_program_needs_admin_and_a_function_nothing) {
  TemporaryDatabase database;
  const auto rows = [](std::span<const Value>, ProcedureRows&) -> Status { return {}; };
  must(database->register_procedure("app.work() :: (x :: INTEGER)", rows));
  must(database->register_function(
      "app.half(x :: FLOAT) :: FLOAT",
      [](std::span<const Value> arguments) -> Result<Value> { return arguments[0]; }));
  const auto role = [&](std::string_view text) {
    return to_string(must(Statement::parse(text, *database)).needed_role());
  };
  BOOST_TEST(role("CALL app.work()") == "admin");
  BOOST_TEST(role("RETURN EXISTS { CALL app.work() YIELD x RETURN x }") == "admin");
  BOOST_TEST(role("RETURN app.half(2.0)") == "read");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
