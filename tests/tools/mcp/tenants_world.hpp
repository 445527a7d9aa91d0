#pragma once
// Two databases in which a tenant has the same records: in one of them another tenant has records as well. What the tenant
// is answered must be the same in both. Times are left out; ids are the same, as each namespace has blocks of its own.

#include "tests/tools/mcp/memory_fixture.hpp"

#include <regex>
#include <string>
#include <vector>

namespace cairn::test {

using Statements = std::vector<std::string>;

inline StatementOptions of_tenant(const std::string& name,
                                  std::vector<std::string> also_read = {}) {
  StatementOptions options;
  options.name_space = name;
  options.also_read = std::move(also_read);
  options.use_files = false;
  options.author = name + "'s agent";
  return options;
}

inline StatementOptions of_a() {
  StatementOptions options = of_tenant("acme", {"shared"});
  options.listed_name_spaces = {"acme", "shared"};
  return options;
}

inline tools::mcp::McpSettings settings_of_a(tools::mcp::ToolSet tools) {
  tools::mcp::McpSettings settings;
  settings.tools = tools;
  settings.all_tools = true;
  settings.name_space = "acme";
  settings.also_read = {"shared"};
  settings.name_spaces = {"acme", "shared"};
  settings.role = Role::forget;
  settings.allow_writes = true;
  return settings;
}

/// What any tenant of this test has, in words of its own.
inline Statements records_of(const std::string& word) {
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

/// What a database has at the beginning, other tenants aside.
enum class Start {
  records,  ///< indexes made by hand, and records of the tenant acme and of a shared namespace
  empty,    ///< nothing
  bare      ///< nothing, and nothing of others either
};

/// A database of the tenant acme, and perhaps of another tenant as well.
class World {
 public:
  explicit World(bool with_others, tools::mcp::ToolSet tools = tools::mcp::ToolSet::memory,
                 Start start = Start::records)
      : database(options()), caller(*database, settings_of_a(tools)), client(make_server()) {
    if (start == Start::records)
      add_records(with_others);
    else if (with_others && start == Start::empty)
      add_others_alone();
  }

  void add(const std::string& name, const Statements& statements,
           std::vector<std::string> also_read = {}) {
    for (const std::string& statement : statements)
      must(must(execute(*database, statement, {}, of_tenant(name, also_read))).all());
  }

  /// Rows, columns, warnings, changes and plan of a statement, or its error. The caller may be an admin of its namespaces
  /// if `most` says so.
  std::string answer(const std::string& statement, Role most = Role::forget) {
    has_succeeded = has_result = false;
    auto parsed = Statement::parse(statement, *database);
    if (!parsed) return error_text(parsed.error());
    BOOST_TEST((most == Role::admin || parsed->needed_role() != Role::admin), statement);
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
    has_succeeded = true;
    has_result = !all->empty() || made != Changes();
    text += "\nchanges " + std::to_string(made.nodes_created) + " " +
            std::to_string(made.nodes_deleted) + " " + std::to_string(made.relationships_created) +
            " " + std::to_string(made.relationships_deleted) + " " +
            std::to_string(made.properties_set) + " " + std::to_string(made.labels_added) + " " +
            std::to_string(made.indexes_added) + " " + std::to_string(made.indexes_removed) + " " +
            std::to_string(made.constraints_added) + " " + std::to_string(made.constraints_removed);
    return without_times(text + "\n" + rows->plan());
  }

  /// What the server answers to a request of any method.
  std::string reply(const std::string& method, const std::string& params) {
    return without_times(boost::json::serialize(client.ask_stateless(method, params)));
  }

  static std::string error_text(const Error& error) {
    return without_times(std::string(to_string(error.code)) + ": " + error.message);
  }
  /// Without moments, durations, and the estimates of tokens, which follow the digits of moments.
  static std::string without_times(std::string text) {
    static const std::regex moment(R"(20[2-9]\d-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z?)");
    static const std::regex lasted(R"( +\d+\.\d{3}\n)");  // the last column of PROFILE
    static const std::regex tokens(R"((about \d+ tokens|"tokens":\d+))");
    text = std::regex_replace(text, moment, "T");
    text = std::regex_replace(text, lasted, " t\n");
    return std::regex_replace(text, tokens, "tokens");
  }

 private:
  // Expired records are erased only by CALL db.expire(), not in the background.
  static Options options() {
    Options chosen;
    chosen.expiry_interval = std::chrono::milliseconds(0);
    chosen.durability = Durability::async;
    return chosen;
  }
  tools::mcp::ServerDefinition make_server() { return tools::mcp::memory_server(caller, "1.0"); }

  void add_records(bool with_others) {
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
    // Their blocks of ids first. Then the others use types of relationships before acme does, and in another order.
    for (const char* name : {"shared", "acme"})
      add(name, {"CREATE (:Early)-[:EARLY]->(:Early)", "MATCH (n:Early) DETACH DELETE n"});
    if (with_others) add("globex", {"CREATE (:A)-[:WAS]->(:B)-[:LIKES]->(:A)-[:KNOWS]->(:B)"});
    add("shared", records_of("common"));
    add("acme", records_of("acme"));
    if (with_others) add_others();
    add("acme",
        {"MATCH (a:Person {name: 'Ada'}), (d:Doc {code: 7}) CREATE (a)-[:NEAR {text: 'tea "
         "time', v: vector([1, 0], 2, FLOAT)}]->(d)",
         "MATCH (a:Person {name: 'Ada'}), (b:Person {name: 'acme'}) CREATE (a)-[:LIKES]->(b)",
         "CALL memory.add({content: 'more green tea', metadata: {user: 'ada'}})",
         "MATCH (m:Memory {user: 'ada'}) WHERE m@namespace = 'acme' SET "
         "m.embedding_pending = true"});
    if (with_others) add_others();
  }
  /// With the indexes that `cairn ingest` makes, and no others.
  void add_others_alone() {
    add("globex", records_of("globex1"));
    run_all(*database, {"CREATE FULLTEXT INDEX chunk_content FOR (c:Chunk) ON EACH [c.content]",
                        "CREATE VECTOR INDEX chunk_embedding FOR (c:Chunk) ON (c.embedding) "
                        "OPTIONS {indexConfig: {`vector.dimensions`: 2}}"});
  }

  /// Much of it, in words that acme has not, and relationships to what acme and the shared namespace have.
  void add_others() {
    if (others_++ == 0) {
      add("globex", records_of("globex1"));
      add("", records_of("nobody"));
    }
    add("globex",
        {"MATCH (m:Memory) WHERE m@namespace = 'globex' SET m.embedding_pending = true",
         "UNWIND range(1, 300) AS i CREATE (:Doc {code: 1000 * " + std::to_string(others_) +
             " + i, text: 'green tea ' + CASE WHEN i % 3 = 0 THEN 'cake' ELSE 'lamp' END, v: "
             "vector([1, i], 2, FLOAT)}), (:Person {name: 'P' + i, age: i % 50}), (:Doc:Person)",
         "MATCH (a:Person {name: 'P1'}), (b {name: 'Ada'}) CREATE (a)-[:SPIES_ON]->(b)",
         "MATCH (a:Person {name: 'P1'}), (d:Doc {code: 8}) CREATE (a)-[:SPIES_ON {v: vector([1, "
         "0], 2, FLOAT)}]->(d)"},
        {"acme", "shared"});
  }

  std::size_t others_ = 0;

 public:
  bool has_succeeded = false;  ///< whether the last answer() is no error
  bool has_result = false;     ///< whether it also has rows or changes
  TemporaryDatabase database;
  tools::mcp::MemoryCaller caller;
  MachineClient client;
};

struct Tenants {
  explicit Tenants(tools::mcp::ToolSet tools = tools::mcp::ToolSet::memory,
                   Start start = Start::records)
      : with_others(true, tools, start), without_others(false, tools, start) {}

  void compare(const std::string& statement, Role most = Role::forget) {
    const std::string expected = without_others.answer(statement, most);
    const std::string found = with_others.answer(statement, most);
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
    compare_reply("tools/call", R"({"name":")" + tool + R"(","arguments":)" + arguments + "}");
  }
  void compare_reply(const std::string& method, const std::string& params) {
    const std::string expected = without_others.reply(method, params);
    const std::string found = with_others.reply(method, params);
    BOOST_TEST(found == expected, method << " " << params << "\n--- without\n"
                                         << expected << "\n--- with\n"
                                         << found);
    BOOST_TEST(
        (params.find("globex") != std::string::npos || found.find("globex") == std::string::npos),
        found);
  }

  World with_others;
  World without_others;
};

}  // namespace cairn::test
