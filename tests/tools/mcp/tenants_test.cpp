// A tenant does not learn of another one: all tools, all procedures and many statements answer as in a database without
// the other's records. Times are left out; ids are the same, as each namespace has blocks of its own.

#include "tests/tools/mcp/memory_fixture.hpp"

#include <cairn/tokens.hpp>

#include <map>
#include <optional>
#include <regex>
#include <set>
#include <vector>

namespace cairn::test {
namespace {

namespace json = boost::json;
using Statements = std::vector<std::string>;

StatementOptions of_tenant(const std::string& name, std::vector<std::string> also_read = {}) {
  StatementOptions options;
  options.name_space = name;
  options.also_read = std::move(also_read);
  options.use_files = false;
  options.author = name + "'s agent";
  return options;
}

StatementOptions of_a() {
  StatementOptions options = of_tenant("acme", {"shared"});
  options.listed_name_spaces = {"acme", "shared"};
  return options;
}

tools::mcp::McpSettings settings_of_a() {
  tools::mcp::McpSettings settings;
  settings.name_space = "acme";
  settings.also_read = {"shared"};
  settings.name_spaces = {"acme", "shared"};
  settings.role = Role::forget;
  settings.allow_writes = true;
  return settings;
}

/// What any tenant of this test has, in words of its own.
Statements records_of(const std::string& word) {
  const std::string marked = "'" + word + "'";
  return {
      "CALL memory.add([{content: 'Ada drinks green tea " + word +
          "', external_id: 'tea', session: 's1', metadata: {user: 'ada', importance: 8, tags: "
          "['drink', " +
          marked + "], " + word + "_key: 1}}, {content: 'Bob drinks coffee " + word +
          "', metadata: {user: " + marked +
          ", importance: 3}}, {kind: 'task', content: 'buy tea', metadata: {title: " + marked +
          ", status: 'pending', priority: 'low'}}]) YIELD id RETURN count(id)",
      "CALL db.rules.put(" + marked + ", 'tea', ['" + word + "_tag'], {fields: ['content']})",
      "CREATE (:Chunk {content: 'A torn log is cut " + word + "', file_path: '/src/" + word +
          ".cpp', file_name: 'log.cpp', file_ext: '.cpp', file_type: 'code', language: 'cpp', "
          "chunk_index: 0, total_chunks: 1, modified_time: '2026-01-15T10:30:00Z'})",
      "CREATE (a:Person {name: 'Ada', age: 36, born: '1815-12-10'}), (b:Person {name: " + marked +
          ", age: 40}), (a)-[:KNOWS {since: 1999}]->(b), (b)-[:KNOWS {since: 2001}]->(a), "
          "(a)-[:LIKES]->(:Thing:" +
          word + "Thing {name: 'tea', " + word + "_secret: " + marked + "})",
      "CREATE (:Gone {of: " + marked +
          "} @ {expires_at: datetime('2000-01-01')})-[:WAS]->"
          "(:Gone {of: " +
          marked + "} @ {expires_at: datetime('2000-01-01')})",
      "CREATE (n:Doc {code: 7, text: 'green tea and cake of " + word +
          "', v: vector([1, 2], 2, FLOAT)} @ {external_id: 'doc'}), (:Doc {code: 8, text: 'tea', "
          "v: vector([2, 1], 2, FLOAT)})"};
}

/// A database in which the tenant acme and a shared namespace have records, and perhaps another tenant as well.
class World {
 public:
  explicit World(bool with_others)
      : database(options()), caller(*database, settings_of_a()), client(make_server()) {
    run_all(*database,
            {"CREATE VECTOR INDEX vectors FOR (n:Doc) ON (n.v) OPTIONS {indexConfig: "
             "{`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}",
             "CREATE VECTOR INDEX links FOR ()-[r:NEAR]-() ON (r.v) OPTIONS {indexConfig: "
             "{`vector.dimensions`: 2}}",
             "CREATE FULLTEXT INDEX texts FOR (n:Doc) ON EACH [n.text]",
             "CREATE FULLTEXT INDEX ties FOR ()-[r:NEAR]-() ON EACH [r.text]",
             "CREATE FULLTEXT INDEX chunk_content FOR (c:Chunk) ON EACH [c.content]",
             "CREATE INDEX ages FOR (n:Person) ON (n.age)",
             "CREATE CONSTRAINT codes FOR (n:Doc) REQUIRE n.code IS UNIQUE"});
    // Their blocks of ids first.
    add("shared", records_of("common"));
    add("acme", records_of("acme"));
    if (with_others) add_others();
    add("acme", {"MATCH (a:Person {name: 'Ada'}), (d:Doc {code: 7}) CREATE (a)-[:NEAR {text: 'tea "
                 "time', v: vector([1, 0], 2, FLOAT)}]->(d)",
                 "CALL memory.add({content: 'more green tea', metadata: {user: 'ada'}})"});
    if (with_others) add_others();
  }

  void add(const std::string& name, const Statements& statements,
           std::vector<std::string> also_read = {}) {
    for (const std::string& statement : statements)
      must(must(execute(*database, statement, {}, of_tenant(name, also_read))).all());
  }

  /// Rows, columns, warnings, changes and plan of a statement, or its error.
  std::string answer(const std::string& statement) {
    auto parsed = Statement::parse(statement, *database);
    if (!parsed) return error_text(parsed.error());
    BOOST_TEST((parsed->needed_role() != Role::admin), statement);
    auto rows = parsed->run(*database, {}, of_a());
    if (!rows) return error_text(rows.error());
    std::string text;
    for (const std::string& column : rows->columns()) text += column + " ";
    const auto all = rows->all();
    if (!all) return error_text(all.error());
    for (const auto& row : *all) {
      text += "\n";
      for (const Value& value : row) text += value.to_text() + " | ";
    }
    for (const std::string& warning : rows->warnings()) text += "\nwarning: " + warning;
    const Changes& made = rows->changes();
    text += "\nchanges " + std::to_string(made.nodes_created) + " " +
            std::to_string(made.nodes_deleted) + " " + std::to_string(made.relationships_created) +
            " " + std::to_string(made.relationships_deleted) + " " +
            std::to_string(made.properties_set) + " " + std::to_string(made.labels_added);
    return without_times(text + "\n" + rows->plan());
  }

  std::string tool_answer(const std::string& tool, const std::string& arguments) {
    return without_times(json::serialize(client.ask_stateless(
        "tools/call", R"({"name":")" + tool + R"(","arguments":)" + arguments + "}")));
  }

  static std::string error_text(const Error& error) {
    return without_times(std::string(to_string(error.code)) + ": " + error.message);
  }
  /// Moments, and how long something took.
  static std::string without_times(const std::string& text) {
    static const std::regex moment(R"(20[2-9]\d-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z?)");
    static const std::regex lasted(R"( +\d+\.\d{3}\n)");  // the last column of PROFILE
    return std::regex_replace(std::regex_replace(text, moment, "T"), lasted, " t\n");
  }

 private:
  // What expires goes when a statement says so, and not at some moment.
  static Options options() {
    Options chosen;
    chosen.expiry_interval = std::chrono::milliseconds(0);
    chosen.durability = Durability::async;
    return chosen;
  }
  tools::mcp::ServerDefinition make_server() { return tools::mcp::memory_server(caller, "1.0"); }

  /// Much of it, in words that acme has not, and relationships to what acme and the shared namespace have.
  void add_others() {
    if (others_++ == 0) {
      add("globex", records_of("globex1"));
      add("", records_of("nobody"));
    }
    add("globex",
        {"UNWIND range(1, 300) AS i CREATE (:Doc {code: 1000 * " + std::to_string(others_) +
             " + i, text: 'green tea ' + CASE WHEN i % 3 = 0 THEN 'cake' ELSE 'lamp' END, v: "
             "vector([1, i], 2, FLOAT)}), (:Person {name: 'P' + i, age: i % 50})",
         "MATCH (a:Person {name: 'P1'}), (b {name: 'Ada'}) CREATE (a)-[:SPIES_ON]->(b)",
         "MATCH (a:Person {name: 'P1'}), (d:Doc {code: 8}) CREATE (a)-[:SPIES_ON {v: vector([1, "
         "0], 2, FLOAT)}]->(d)"},
        {"acme", "shared"});
  }

  std::size_t others_ = 0;

 public:
  TemporaryDatabase database;
  tools::mcp::MemoryCaller caller;
  MachineClient client;
};

struct Tenants {
  void compare(const std::string& statement) {
    const std::string expected = without_others.answer(statement);
    const std::string found = with_others.answer(statement);
    BOOST_TEST(found == expected, statement << "\n--- without\n"
                                            << expected << "\n--- with\n"
                                            << found);
    // Nor a word of the others, unless it was asked for.
    for (const char* word : {"globex", "nobody", "SPIES"})
      BOOST_TEST(
          (statement.find(word) != std::string::npos || found.find(word) == std::string::npos),
          statement << "\n"
                    << found);
  }
  void compare_tool(const std::string& tool, const std::string& arguments) {
    const std::string expected = without_others.tool_answer(tool, arguments);
    const std::string found = with_others.tool_answer(tool, arguments);
    BOOST_TEST(found == expected, tool << " " << arguments << "\n--- without\n"
                                       << expected << "\n--- with\n"
                                       << found);
    BOOST_TEST((arguments.find("globex") != std::string::npos ||
                found.find("globex") == std::string::npos),
               found);
  }

  World with_others{true};
  World without_others{false};
};

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
    {"db.databases", Statements{"CALL db.databases()", "SHOW DATABASES", "SHOW HOME DATABASE"}},
    {"db.expire", Statements{"CALL db.expire()", "CALL db.expire()"}},
    {"db.facets",
     Statements{"CALL db.facets({}, ['user', 'age', 'globex1_key'])",
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
                "CALL db.recall('what does globex1 cut', {index: 'chunk_content'})",
                "CALL db.recall('x', {index: 'memory_contents', filter: {field: 'globex_key', "
                "operator: 'exists'}})"}},
    {"db.relationshipTypes", Statements{"CALL db.relationshipTypes()"}},
    {"db.rules.apply", Statements{"CALL db.rules.apply()"}},
    {"db.rules.count", Statements{"CALL db.rules.count()"}},
    {"db.rules.drop", std::nullopt},
    {"db.rules.list", Statements{"CALL db.rules.list()"}},
    {"db.rules.preview", Statements{"CALL db.rules.preview()"}},
    {"db.rules.put", std::nullopt},
    {"db.rules.undo", Statements{"MATCH (r:MemoryTagRun) WITH id(r) AS run CALL db.rules.undo(run) "
                                 "YIELD records RETURN records",
                                 "CALL db.rules.undo(1)"}},
    {"db.schema.nodeTypeProperties", Statements{"CALL db.schema.nodeTypeProperties()"}},
    {"db.schema.relTypeProperties", Statements{"CALL db.schema.relTypeProperties()"}},
    {"db.schema.visualization", Statements{"CALL db.schema.visualization()"}},
    {"db.scrub",
     Statements{"CALL db.scrub() YIELD caller, names, namesUnknown, tables, tableBytes, "
                "vectorSegments, backups"}},
    {"db.segments", std::nullopt},
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
    {"memory.list", Statements{"CALL memory.list({of: 'tasks'})",
                               "CALL memory.list({of: "
                               "'sessions'})"}},
    {"memory.recall", Statements{"CALL memory.recall({query: 'green tea'})",
                                 "CALL memory.recall({query: 'green tea', strategy: 'text'})"}},
    {"memory.remember",
     Statements{"CALL memory.remember({content: 'Ada lives in London', metadata: {user: 'ada'}})"}},
    {"memory.restore", Statements{"CALL memory.restore({external_id: 'new'})"}},
    {"memory.search",
     Statements{"CALL memory.search()", "CALL memory.search({query: 'tea'})",
                "CALL memory.search({filter: {field: 'importanze', operator: 'exists'}})",
                "CALL memory.search({session: 's1'})"}},
    {"memory.update",
     Statements{"CALL memory.update({external_id: 'tea', metadata: {seen: true}})",
                "CALL memory.update({selection: {kinds: ['note']}, metadata: {seen: true}})"}},
};

const Statements statements = {
    "MATCH (n) RETURN count(*)",
    "MATCH (n) RETURN id(n), labels(n), n@namespace ORDER BY id(n)",
    "MATCH (n:Person) RETURN n.name, n.age ORDER BY n.age DESC, id(n)",
    "MATCH (n:Person) WHERE n.age > 30 RETURN n.name",
    "MATCH (n:Person {age: 36}) RETURN n",
    "MATCH (n:Person)-[r]-(m) RETURN n.name, type(r), m.name",
    "MATCH (n {name: 'Ada'}) RETURN COUNT {(n)--()}, [(n)--(m) | m.name]",
    "MATCH p = shortestPath((a:Person {name: 'Ada'})-[*..3]-(b:Doc)) RETURN length(p)",
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
    "MATCH (n:Doc) SEARCH n IN (HYBRID VECTOR INDEX vectors FOR [1, 2] FULLTEXT INDEX texts FOR "
    "'tea' LIMIT 5) SCORE AS s RETURN n.code, s",
    "MATCH (n:Doc) SEARCH n IN (RANKED INDEX texts FOR {question: 'who has green tea'} LIMIT 5) "
    "SCORE AS s RETURN n.code, s",
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

const std::vector<std::pair<std::string, std::string>> tool_calls = {
    {"describe_memory", "{}"},
    {"describe_memory", R"j({"field":"user"})j"},
    {"describe_memory", R"j({"field":"globex1_kez"})j"},
    {"describe_memory", R"j({"nested":true,"sessionId":"s1"})j"},
    {"search_memory", R"j({"query":"green tea"})j"},
    {"search_memory", R"j({"query":"green tea","mode":"semantic"})j"},
    {"search_memory", R"j({"query":"green tea globex1","mode":"keyword","explore":false})j"},
    {"search_memory", R"j({"query":"tea","mode":"hybrid","facets":["user","tags"]})j"},
    {"search_memory", R"j({"page":1,"page_size":2})j"},
    {"search_memory", R"j({"tags":["globex1"]})j"},
    {"list_memories", "{}"},
    {"list_memories", R"j({"of":"tasks"})j"},
    {"list_memories", R"j({"sessionId":"s1","sortBy":"importanse"})j"},
    {"search_documents", R"j({"text":"torn log"})j"},
    {"search_documents", R"j({"text":"log","directories":["/src"]})j"},
    {"query", R"j({"statement":"MATCH (n:Persom) RETURN n.agee"})j"},
    {"query", R"j({"statement":"EXPLAIN MATCH (n:Person) WHERE n.age = 3 RETURN n"})j"},
    {"query", R"j({"statement":"CREATE (:Made)","dry_run":true})j"},
    {"query", R"j({"statement":"SHOW NAMESPACES"})j"},
    {"store_memory", R"j({"content":"I like tea","external_id":"mine","sessionId":"s1"})j"},
    {"store_memory", R"j({"content":"again","external_id":"tea"})j"},
    {"update_memories", R"j({"external_id":"mine","metadata":{"a":1}})j"},
    {"update_memories", R"j({"nodeTypes":["note"],"metadata":{"a":1},"dry_run":true})j"},
    {"update_memories", R"j({"external_id":"nothing","metadata":{"a":1}})j"},
    {"forget_memories", R"j({"external_ids":["mine"]})j"},
    {"forget_memories", R"j({"external_ids":["mine"],"action":"restore"})j"},
    {"forget_memories", R"j({"nodeTypes":["note"],"dry_run":true})j"},
    {"forget_memories", R"j({"external_ids":["mine"],"action":"erase"})j"},
    {"search_memory", R"j({"query":"I like tea"})j"}};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(tenants, Tenants)

BOOST_AUTO_TEST_CASE(statements_answer_as_without_the_others) {
  for (const std::string& statement : statements) compare(statement);
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
    if (calls->second)
      for (const std::string& statement : *calls->second) compare(statement);
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
      {"db.rules.put", "'r', 'p', ['t']"}};
  for (const auto& [name, calls] : calls_of_procedures) {
    if (calls) continue;
    const auto given = arguments.find(name);
    const Statement statement = must(Statement::parse(
        "CALL " + name + "(" + (given == arguments.end() ? "" : given->second) + ")"));
    BOOST_TEST((statement.needed_role() == Role::admin), name);
  }
}

// A new tool has a call here, or this fails.
BOOST_AUTO_TEST_CASE(tools_answer_as_without_the_others) {
  std::set<std::string> called;
  for (const auto& [tool, arguments] : tool_calls) {
    called.insert(tool);
    compare_tool(tool, arguments);
  }
  const json::value listed = with_others.client.ask_stateless("tools/list");
  for (const json::value& tool : listed.at("result").at("tools").as_array())
    BOOST_TEST(called.contains(std::string(tool.at("name").as_string())),
               json::serialize(tool.at("name")) << " has no call in the test of tenants");
  BOOST_TEST(json::serialize(listed) ==
             json::serialize(without_others.client.ask_stateless("tools/list")));
}

// The test can fail: who may know all is told more.
BOOST_AUTO_TEST_CASE(the_owner_sees_both) {
  BOOST_TEST(result_of(*with_others.database, "SHOW NAMESPACES YIELD name") !=
             result_of(*without_others.database, "SHOW NAMESPACES YIELD name"));
  BOOST_TEST(must(with_others.database->check()).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
