// A tenant does not learn of another one: all procedures and many statements answer as in a database without the other's
// records.

#include "tests/tools/mcp/tenants_world.hpp"

#include <cairn/tokens.hpp>

#include <map>
#include <optional>
#include <set>

namespace cairn::test {
namespace {

/// How each procedure is called; without a call where only an admin may.
const std::map<std::string, std::optional<Statements>> calls_of_procedures = {
    {"apoc.create.addLabels",
     Statements{"MATCH (n:Person {name: 'acme'}) CALL apoc.create.addLabels(n, ['More']) YIELD "
                "node RETURN labels(node)"}},
    {"apoc.merge.node",
     Statements{"CALL apoc.merge.node(['Person'], {name: 'P1'}, {age: 5}) YIELD node RETURN node",
                "CALL apoc.merge.node(['Person'], {name: 'Ada'}) YIELD node RETURN count(node)"}},
    {"apoc.merge.relationship",
     Statements{"MATCH (a:Person {name: 'Ada'}), (b:Doc {code: 8}) WHERE a@namespace = 'acme' AND "
                "b@namespace = 'acme' CALL apoc.merge.relationship(a, 'KEEPS', {}, {}, b) YIELD "
                "rel RETURN type(rel)"}},
    {"apoc.meta.data", Statements{"CALL apoc.meta.data()"}},
    {"apoc.meta.schema", Statements{"CALL apoc.meta.schema()"}},
    {"apoc.meta.graph", Statements{"CALL apoc.meta.graph()"}},
    {"apoc.meta.graphSample", Statements{"CALL apoc.meta.graphSample()"}},
    {"apoc.schema.nodes", Statements{"CALL apoc.schema.nodes()"}},
    {"apoc.schema.properties.distinct",
     Statements{"CALL apoc.schema.properties.distinct('Person', 'age')"}},
    {"db.awaitIndex", Statements{"CALL db.awaitIndex('texts')"}},
    {"db.awaitIndexes", Statements{"CALL db.awaitIndexes()"}},
    {"db.backup", std::nullopt},
    {"db.backups", std::nullopt},
    {"db.constraints", Statements{"CALL db.constraints()", "SHOW CONSTRAINTS"}},
    {"db.create.setNodeVectorProperty",
     Statements{"MATCH (n:Doc {code: 7}) WHERE n@namespace = 'acme' CALL "
                "db.create.setNodeVectorProperty(n, 'v', [3, 4])"}},
    {"db.create.setRelationshipVectorProperty",
     Statements{"MATCH ()-[r:NEAR]->() CALL db.create.setRelationshipVectorProperty(r, 'v', [3, "
                "4])"}},
    {"db.create.setVectorProperty",
     Statements{"MATCH (n:Doc {code: 8}) WHERE n@namespace = 'acme' CALL "
                "db.create.setVectorProperty(n, 'v', [3, 1]) YIELD node RETURN node"}},
    {"db.csv.load", std::nullopt},
    {"db.databases", Statements{"CALL db.databases()", "SHOW DATABASES", "SHOW HOME DATABASE",
                                "SHOW DEFAULT DATABASE", "SHOW DATABASE globex"}},
    {"db.users", Statements{"SHOW USERS", "SHOW CURRENT USER", "CALL db.users()"}},
    {"db.settings", Statements{"SHOW SETTINGS", "CALL db.settings()"}},
    {"db.aliases", Statements{"SHOW ALIASES FOR DATABASE", "CALL db.aliases()"}},
    {"db.expire", Statements{"CALL db.expire()", "CALL db.expire()"}},
    {"db.facets",
     Statements{"CALL db.facets([], ['user', 'age', 'globex1_key'])",
                "CALL db.facets({field: 'age', operator: 'greater_than', value: 5}, 'name')"}},
    {"db.functions", Statements{"CALL db.functions()"}},
    {"db.grammar", Statements{"CALL db.grammar('gbnf') YIELD text RETURN size(text)"}},
    {"db.index.fulltext.queryNodes",
     Statements{"CALL db.index.fulltext.queryNodes('texts', 'green tea')",
                "CALL db.index.fulltext.queryNodes('texts', 'lam* OR cake~')",
                "CALL db.index.fulltext.queryNodes('none', 'x')"}},
    {"db.index.fulltext.queryRelationships",
     Statements{"CALL db.index.fulltext.queryRelationships('ties', 'tea')"}},
    {"db.index.vector.createNodeIndex", std::nullopt},
    {"db.index.vector.createRelationshipIndex", std::nullopt},
    {"db.index.vector.queryNodes",
     Statements{"CALL db.index.vector.queryNodes('vectors', 3, [1, 2])"}},
    {"db.index.vector.queryRelationships",
     Statements{"CALL db.index.vector.queryRelationships('links', 3, [1, 2])"}},
    {"db.indexes", Statements{"CALL db.indexes()", "SHOW INDEXES"}},
    {"db.labels", Statements{"CALL db.labels()"}},
    {"db.namespaces", Statements{"CALL db.namespaces()", "SHOW NAMESPACES"}},
    {"db.ping", Statements{"CALL db.ping()"}},
    {"db.procedures", Statements{"CALL db.procedures()"}},
    {"db.propertyKeys", Statements{"CALL db.propertyKeys()"}},
    {"db.recall",
     Statements{"CALL db.recall('Who drinks green tea?', {index: 'texts'})",
                "CALL db.recall('green tea', {index: 'memory_contents', expand: 'session', "
                "max_tokens: 12})",
                "CALL db.recall('what does globex1 cut', {index: 'chunk_content'})",
                "CALL db.recall('x', {index: 'memory_contents', filter: {field: 'globex_key', "
                "operator: 'exists'}})"}},
    {"db.recall.describe", Statements{"CALL db.recall.describe({index: 'texts'})",
                                      "CALL db.recall.describe({index: 'chunk_content'})",
                                      "CALL db.recall.describe({index: 'memory_contents'})"}},
    {"db.relationshipTypes", Statements{"CALL db.relationshipTypes()"}},
    {"db.rules.apply", Statements{"CALL db.rules.apply()"}},
    {"db.rules.count", Statements{"CALL db.rules.count()"}},
    {"db.rules.drop", std::nullopt},
    {"db.rules.list", Statements{"CALL db.rules.list()"}},
    {"db.rules.preview", Statements{"CALL memory.add({content: 'cold tea', external_id: 'cold'})",
                                    "CALL db.rules.preview() YIELD node, tags "
                                    "RETURN node.content, tags"}},
    {"db.rules.put", std::nullopt},
    {"db.rules.undo", Statements{"MATCH (r:MemoryTagRun) WITH id(r) AS run CALL db.rules.undo(run) "
                                 "YIELD records RETURN records",
                                 "CALL db.rules.undo(1)"}},
    {"db.schema.nodeTypeProperties", Statements{"CALL db.schema.nodeTypeProperties()"}},
    {"db.schema.relTypeProperties", Statements{"CALL db.schema.relTypeProperties()"}},
    {"db.schema.visualization", Statements{"CALL db.schema.visualization()"}},
    {"db.scrub",
     Statements{"CALL db.scrub() YIELD caller, commit, names, namesUnknown, tables, tableBytes, "
                "vectorSegments, backups"}},
    {"db.segments", std::nullopt},
    {"db.transactions", std::nullopt},
    {"db.transactions.terminate", std::nullopt},
    {"db.warm", std::nullopt},
    {"dbms.components", Statements{"CALL dbms.components()"}},
    {"graph.betweenness", Statements{"CALL graph.betweenness()"}},
    {"graph.components", Statements{"CALL graph.components()"}},
    {"graph.kCore", Statements{"CALL graph.kCore()"}},
    {"graph.kShortest", Statements{"MATCH (a:Person), (b) CALL graph.kShortest(a, b, 3, "
                                   "{direction: 'both'}) YIELD path RETURN path"}},
    {"graph.labelPropagation", Statements{"CALL graph.labelPropagation()"}},
    {"graph.leiden", Statements{"CALL graph.leiden()"}},
    {"graph.louvain", Statements{"CALL graph.louvain()"}},
    {"graph.pagerank",
     Statements{"CALL graph.pagerank()",
                "CALL graph.pagerank({labels: 'Person', types: 'NONE', weight: 'globex_key'})"}},
    {"graph.personalizedPagerank", Statements{"MATCH (n:Person) CALL graph.personalizedPagerank(n) "
                                              "YIELD node, score RETURN node, score"}},
    {"graph.shortestPath", Statements{"MATCH (a:Person), (b) CALL graph.shortestPath(a, b, "
                                      "{direction: 'both'}) YIELD path RETURN path"}},
    {"graph.similarity",
     Statements{"MATCH (n) WITH collect(n) AS found CALL graph.similarity(found) "
                "YIELD node, other, common RETURN node, other, common"}},
    {"graph.stronglyConnected", Statements{"CALL graph.stronglyConnected()"}},
    {"graph.triangles", Statements{"CALL graph.triangles()"}},
    {"memory.add",
     Statements{"CALL memory.add({content: 'a new one', external_id: 'new', session: 's1'})",
                "CALL memory.add({content: 'again', external_id: 'tea'})"}},
    {"memory.describe",
     Statements{"CALL memory.describe()", "CALL memory.describe({field: 'user'})",
                "CALL memory.describe({field: 'globex1_kez'})"}},
    {"memory.file",
     Statements{"CALL memory.file({command: 'create', path: '/memories/a.txt', file_text: 'one'})",
                "CALL memory.file({command: 'view', path: '/memories'})"}},
    {"memory.view_file",
     Statements{"CALL memory.view_file({command: 'view', path: '/memories/a.txt'})",
                "CALL memory.view_file({command: 'view', path: '/memories/b.txt'})"}},
    {"memory.find", Statements{"CALL memory.find({external_id: 'tea'})",
                               "CALL memory.find({external_id: 'globex'})"}},
    {"memory.forget",
     Statements{"CALL memory.forget({external_id: 'new'})",
                "CALL memory.forget({selection: {kinds: ['task']}, dry_run: true})",
                "CALL memory.forget({selection: {kinds: ['task']}})"}},
    {"memory.history", Statements{"CALL memory.history({external_id: 'tea'})"}},
    {"memory.list",
     Statements{"CALL memory.list({of: 'tasks'})", "CALL memory.list({of: 'messages'})"}},
    {"memory.recall", Statements{"CALL memory.recall({query: 'green tea'})",
                                 "CALL memory.recall({query: 'green tea', strategy: 'text'})",
                                 "CALL memory.recall({query: 'green tea', expand: 'session', "
                                 "context: 1, max_tokens: 12})"}},
    {"memory.remember",
     Statements{"CALL memory.remember({content: 'Ada lives in London', metadata: {user: 'ada'}})"}},
    {"memory.restore", Statements{"CALL memory.restore({external_id: 'new'})"}},
    {"memory.search",
     Statements{"CALL memory.search()", "CALL memory.search({query: 'tea'})",
                "CALL memory.search({filter: {field: 'importanze', operator: 'exists'}})",
                "CALL memory.search({session: 's1'})"}},
    {"memory.update",
     Statements{"CALL memory.update({external_id: 'tea', changes: {seen: true}})",
                "CALL memory.update({selection: {kinds: ['note']}, changes: {seen: true}})"}},
};

/// Procedures that have neither rows nor changes here, even if they succeed.
const std::set<std::string> without_results = {"db.awaitIndex", "db.awaitIndexes", "db.users",
                                               "db.settings", "db.aliases"};

const Statements statements = {
    "MATCH (n) RETURN count(*)",
    "MATCH (n) RETURN id(n), labels(n), n@namespace ORDER BY id(n)",
    "MATCH (n:Person) RETURN n.name, n.age ORDER BY n.age DESC, id(n)",
    "MATCH (n:Person) WHERE n.age > 30 RETURN n.name",
    "MATCH (n:Person {age: 36}) RETURN n",
    "MATCH (n:Person)-[r]-(m) RETURN n.name, type(r), m.name",
    "MATCH (n {name: 'Ada'}) RETURN COUNT {(n)--()}, [(n)--(m) | m.name]",
    "MATCH p = shortestPath((a:Person {name: 'Ada'})-[*..3]-(b:Doc)) RETURN length(p)",
    "MATCH p = shortestPath((a:Person {name: 'Ada'})-[*..3]-(b:Person {name: 'acme'})) RETURN "
    "[r IN relationships(p) | type(r)]",
    "MATCH (a:Person {name: 'Ada'})-[*1..2]->(b) RETURN labels(b)",
    "MATCH (a)-[*1..3]-(b:Doc {code: 8}) RETURN count(*)",
    "MATCH (n @ {external_id: 'tea'}) RETURN n@namespace ORDER BY n@namespace",
    "MATCH (n:globex1Thing) RETURN n",
    "MATCH (n:acmeThinf) RETURN n.acme_secre",
    "MATCH (n) WHERE n.globex1_secret IS NOT NULL RETURN n",
    "MATCH (a)-[:SPIES_ON]->(b) RETURN a, b",
    "MATCH (n:Doc) SEARCH n IN (VECTOR INDEX vectors FOR [1, 2] LIMIT 5) SCORE AS s RETURN n.code, "
    "s",
    "MATCH (n:Doc) SEARCH n IN (FULLTEXT INDEX texts FOR 'green cake' LIMIT 5) SCORE AS s RETURN "
    "n.code, s",
    "MATCH (n:Doc) SEARCH n IN (HYBRID VECTOR INDEX vectors FOR [1, 2], FULLTEXT INDEX texts FOR "
    "'tea' LIMIT 5) SCORE AS s RETURN n.code, s",
    "MATCH (n:Doc) SEARCH n IN (RANKED INDEX texts FOR {question: 'who has green tea'} LIMIT 5) "
    "SCORE AS s RETURN n.code, s",
    "MATCH (n:Person) SEARCH n IN (FULLTEXT INDEX texts FOR 'tea' LIMIT 5) RETURN n",
    "MATCH (n:Memory) SEARCH n IN (FULLTEXT INDEX texts FOR 'tea' LIMIT 5) RETURN n",
    "MATCH (n:Person) RETURN n.age, count(*) ORDER BY n.age",
    "MATCH (n:Doc) RETURN max(n.code), avg(n.code), percentileCont(n.code, 0.5)",
    "MATCH (n:Doc) WHERE n.text CONTAINS 'tea' RETURN n.code ORDER BY n.code",
    "MATCH (n:Doc) WHERE n.text STARTS WITH 'green' RETURN count(*)",
    "MATCH (n) WHERE n.name IN ['Ada', 'P1', 'tea'] RETURN n.name, labels(n)",
    "MATCH (n) WHERE id(n) IN range(0, 20000) RETURN count(*)",
    "MATCH ()-[r]->() WHERE id(r) IN range(0, 20000) RETURN count(*)",
    "EXPLAIN MATCH (n:Person) WHERE n.age > 30 AND n.name = 'Ada' RETURN n",
    "EXPLAIN MATCH (a:Person)-[:KNOWS]->(b:Person {age: 40}) RETURN a, b",
    "EXPLAIN MATCH (d:Doc), (p:Person) WHERE d.code = p.age RETURN d, p",
    "EXPLAIN MATCH (n:Doc) WHERE n.text CONTAINS 'tea' AND n.code > 3 RETURN n",
    "EXPLAIN MATCH (n:Doc) WHERE n.code IN [7, 8, 1001] RETURN n ORDER BY n.code LIMIT 3",
    "PROFILE MATCH (n:Person) WHERE n.age = 36 RETURN n.name",
    "PROFILE MATCH (n:Person) WHERE n.age > 3 AND n.name = 'Ada' RETURN n.name",
    "PROFILE MATCH (n:Doc) SEARCH n IN (FULLTEXT INDEX texts FOR 'green tea' LIMIT 5) RETURN n",
    "PROFILE MATCH (n:Doc) SEARCH n IN (VECTOR INDEX vectors FOR [1, 2] LIMIT 2) RETURN n",
    "PROFILE MATCH (n:Doc) SEARCH n IN (VECTOR INDEX vectors FOR [1, 2] WHERE n.code = 7 LIMIT 2) "
    "RETURN n",
    "PROFILE MATCH (n:Doc) SEARCH n IN (RANKED INDEX texts FOR {question: 'who has green tea'} "
    "LIMIT 5) RETURN n",
    "PROFILE MATCH (a:Person)-[:KNOWS]->(b) RETURN b.name ORDER BY b.age LIMIT 1",
    "MATCH (n:Person {name: 'Ada'}) WHERE n@namespace = 'acme' CREATE (n)-[:HAS]->(m:Made) RETURN "
    "id(m), m@author",
    "MERGE (n:Person {name: 'P2'}) ON CREATE SET n.new = true RETURN n.new, n.age",
    "CREATE (:Doc {code: 7})",
    "CREATE (:Doc {code: 1001})",
    "CREATE (n @ {external_id: 'doc'})",
    "MATCH (n:Doc {code: 8}) WHERE n@namespace = 'acme' DELETE n",
    "MATCH (n:Person {name: 'Ada'}) WHERE n@namespace = 'acme' DELETE n",
    "MATCH (n:Person {name: 'Ada'}) WHERE n@namespace = 'acme' DETACH DELETE n",
    "MATCH (n:Person {name: 'Ada'}) SET n.x = 1",
    "MATCH (n) RETURN n.none +",
    "RETURN globex(1)",
    "MATCH (n:Doc) SEARCH n IN (VECTOR INDEX vectorz FOR [1, 2] LIMIT 5) RETURN n",
    "MATCH (n:Doc) SEARCH n IN (VECTOR INDEX vectors FOR [1, 2, 3] LIMIT 5) RETURN n"};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(tenants, Tenants)

BOOST_AUTO_TEST_CASE(statements_answer_as_without_the_others) {
  for (const std::string& statement : statements) {
    compare(statement);
    // Two parse errors are equal too, and compare nothing.
    const bool is_broken =
        statement == "MATCH (n) RETURN n.none +" || statement == "RETURN globex(1)";
    BOOST_TEST((is_broken || Statement::parse(statement)), statement);
  }
}

// The relationships and properties of all namespaces are packed together.
BOOST_AUTO_TEST_CASE(statements_over_segments_do_too) {
  for (World* world : {&with_others, &without_others})
    run_all(*world->database, {"CALL db.warm(['age', 'name', 'code', 'text'])"});
  for (const std::string& statement : statements) compare(statement);
}

// A scan omits rows that a later sort does not need, if that is cheaper than to read them. With many values of others it is
// not.
BOOST_AUTO_TEST_CASE(profiles_show_no_rows_that_are_omitted_because_of_others) {
  with_others.add("globex", {"UNWIND range(1, 400) AS i CREATE (:Many {rank: -i})"});
  for (World* world : {&with_others, &without_others}) {
    world->add("acme", {"UNWIND range(1, 14) AS i CREATE (:Many {rank: i})"});
    run_all(*world->database, {"CALL db.warm(['rank'])"});
  }
  for (const char* statement : {"PROFILE MATCH (n:Many) RETURN n.rank ORDER BY n.rank LIMIT 8",
                                "PROFILE MATCH (n:Many) RETURN n.rank ORDER BY n.rank DESC LIMIT 8",
                                "PROFILE MATCH (n:Many) RETURN max(n.rank), min(n.rank)"})
    compare(statement);
  const std::string shown =
      with_others.answer("PROFILE MATCH (n:Many) WITH n LIMIT 7 RETURN count(*)");
  BOOST_TEST(shown.find(" 7") != std::string::npos, shown);
}

// A new procedure has a call here, or is one of admins, or this fails.
BOOST_AUTO_TEST_CASE(procedures_answer_as_without_the_others) {
  std::set<std::string> known;
  for (const std::string& row : rows_of(*with_others.database, "CALL db.procedures() YIELD name"))
    known.insert(row.substr(1, row.size() - 2));
  for (const std::string& name : known) {
    const auto calls = calls_of_procedures.find(name);
    BOOST_REQUIRE_MESSAGE(calls != calls_of_procedures.end(),
                          name << " has no call in the test of tenants");
    if (!calls->second) continue;
    // Two errors are equal too, and so are two statements that call nothing.
    bool has_succeeded = false;
    for (const std::string& statement : *calls->second) {
      compare(statement);
      if (statement.find(name) == std::string::npos) continue;
      has_succeeded =
          has_succeeded || (without_results.contains(name) ? without_others.has_succeeded
                                                           : without_others.has_result);
    }
    BOOST_TEST(has_succeeded, "no call of " << name << " in the test of tenants has a result");
  }
  BOOST_TEST(known.size() == calls_of_procedures.size());
}

BOOST_AUTO_TEST_CASE(procedures_that_are_not_called_are_of_admins) {
  const std::map<std::string, std::string> arguments = {
      {"db.backup", "'x'"},
      {"db.csv.load", "'x'"},
      {"db.index.vector.createNodeIndex", "'i', 'L', 'p', 2, 'cosine'"},
      {"db.index.vector.createRelationshipIndex", "'i', 'T', 'p', 2, 'cosine'"},
      {"db.rules.drop", "'r'"},
      {"db.rules.put", "'r', 'p', ['t']"},
      {"db.transactions.terminate", "'x'"}};
  for (const auto& [name, calls] : calls_of_procedures) {
    if (calls) continue;
    const auto given = arguments.find(name);
    const Statement statement = must(Statement::parse(
        "CALL " + name + "(" + (given == arguments.end() ? "" : given->second) + ")"));
    BOOST_TEST((statement.needed_role() == Role::admin), name);
  }
}

// The test can fail: who may know all is told more.
BOOST_AUTO_TEST_CASE(the_owner_sees_both) {
  BOOST_TEST(result_of(*with_others.database, "SHOW NAMESPACES YIELD name") !=
             result_of(*without_others.database, "SHOW NAMESPACES YIELD name"));
  BOOST_TEST(must(with_others.database->check()).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
