// Statements in the forms that clients of Neo4j send, one statement for each form. Each file has the statements of one
// client, which run in order on one database. A comment that begins with "open:" precedes a statement that does not run
// yet. Once the statement runs, the test fails, so that the comment is removed. A comment "rows: 2" says how many rows the
// statement after it returns. Without this comment, a statement with columns must return a row.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>

namespace cairn::test {
namespace {

const char* const clients[] = {"cognee", "graphiti", "langchain", "llamaindex", "neo4j_tools"};

std::string statements_of(const std::string& client) {
  std::ifstream file(std::string(CAIRN_DIALECT_DIR "/") + client + ".cypher");
  return {std::istreambuf_iterator<char>(file), {}};
}

Value vector_of_three() { return list_of({0.6, 0.8, 0.0}); }

/// Values for all parameters of the statements, as drivers send them: lists of numbers for vectors, floats for
/// integers.
Parameters parameters() {
  const Value row = Map{{"id", "a"},
                        {"text", "green tea"},
                        {"label", "Entity"},
                        {"embedding", vector_of_three()},
                        {"metadata", Map{{"topic", "tea"}}}};
  const auto entity = [](const char* uuid, const char* name) {
    return Value(Map{{"uuid", uuid},
                     {"name", name},
                     {"group_id", "g"},
                     {"labels", list_of({"Entity", "Person"})},
                     {"name_embedding", vector_of_three()}});
  };
  const Value fact = Map{{"uuid", "f2"},    {"source", "u1"},
                         {"target", "u2"},  {"fact", "Ada knows Bob"},
                         {"group_id", "g"}, {"fact_embedding", vector_of_three()}};
  const Value edge =
      Map{{"source", "a"}, {"target", "b"}, {"type", "LINKS"}, {"properties", Map{}}};
  return {{"data", List{row}},
          {"item", Map{{"id", "a"}, {"name", "Ada"}}},
          {"edges", List{edge}},
          {"entities", List{entity("u1", "Ada"), entity("u2", "Bob")}},
          {"facts", List{fact}},
          {"vector", vector_of_three()},
          {"ids", list_of({"a", "u1", "u2"})},
          {"excluded", list_of({"_Bloom_Perspective_"})},
          {"groups", list_of({"g"})},
          {"group", "g"},
          {"least", 0.5},
          {"limit", 10.0},
          {"k", 3.0},
          {"dimension", 3.0},
          {"similarity", "cosine"},
          {"index", "chunks"},
          {"words_index", "words"},
          {"words", "tea OR Ada"},
          {"topic", "tea"},
          {"topics", list_of({"coffee"})},
          {"label", "Chunk"},
          {"property", "embedding"},
          {"text_properties", list_of({"text"})},
          {"now", DateTime{1'790'000'000, 0, 0, ""}}};
}

/// Returns the line before the statement. Comments are not part of a statement.
std::string_view line_before(std::string_view text, std::string_view statement) {
  const std::string_view before =
      text.substr(0, static_cast<std::size_t>(statement.data() - text.data()));
  const std::size_t end = before.empty() ? 0 : before.size() - 1;
  const std::size_t line = before.substr(0, end).rfind('\n');
  return before.substr(line == std::string_view::npos ? 0 : line + 1);
}

bool is_open(std::string_view text, std::string_view statement) {
  return line_before(text, statement).starts_with("// open:");
}

/// Returns the number of rows that a comment demands of the statement.
std::optional<std::size_t> rows_wanted(std::string_view text, std::string_view statement) {
  constexpr std::string_view mark = "// rows: ";
  const std::string_view line = line_before(text, statement);
  if (!line.starts_with(mark)) return std::nullopt;
  return std::stoul(std::string(line.substr(mark.size())));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dialect)

BOOST_DATA_TEST_CASE(statements_of_clients_run, clients, client) {
  TemporaryDatabase database;
  const std::string text = statements_of(client);
  std::size_t sent = 0;
  std::size_t passed = 0;
  for (const std::string_view statement : split_statements(text)) {
    auto rows = execute(*database, statement, parameters());
    const auto all = rows ? rows->all() : Result<std::vector<std::vector<Value>>>(rows.error());
    ++sent;
    passed += all ? 1 : 0;
    BOOST_TEST(all.has_value() != is_open(text, statement),
               statement << ": " << (all ? "runs by now" : all.error().message));
    const auto wanted = rows_wanted(text, statement);
    if (!all) continue;
    if (wanted) BOOST_TEST(all->size() == *wanted, statement << ": other rows");
    if (!wanted && !rows->columns().empty()) BOOST_TEST(!all->empty(), statement << ": no row");
  }
  BOOST_TEST(sent >= 15U);
  std::cout << client << ": " << passed << " / " << sent << "\n";
}

// Without a row no procedure is called, and EXPLAIN calls none.
BOOST_AUTO_TEST_CASE(names_of_procedures_are_checked_before_any_row) {
  TemporaryDatabase database;
  const auto place = [&](std::string_view statement, std::string_view message) {
    const Error error = error_of(*database, statement);
    BOOST_TEST((error.code == ErrorCode::not_found), statement);
    BOOST_TEST(error.message == message, statement << ": " << error.message);
    BOOST_REQUIRE(error.where);
    return std::to_string(error.where->line) + ":" + std::to_string(error.where->column);
  };
  constexpr auto missing = "there is no procedure DB.Lables(); did you mean db.labels()?";
  BOOST_TEST(place("CALL DB.Lables()", missing) == "1:6");
  BOOST_TEST(place("EXPLAIN CALL DB.Lables()", missing) == "1:14");
  BOOST_TEST(place("MATCH (n:None)\nCALL DB.Lables() YIELD label RETURN label", missing) == "2:6");
  BOOST_TEST(place("RETURN COLLECT { CALL DB.Lables() YIELD label RETURN label }", missing) ==
             "1:23");
  BOOST_TEST(place("UNWIND [] AS x CALL gds.Graph.project(x) YIELD y RETURN y",
                   "there is no procedure gds.Graph.project(); call graph.* without a projection: "
                   "labels, types and filters are options of each call") == "1:21");
  constexpr auto column = "db.labels() gives no column lable; did you mean label? it has label";
  BOOST_TEST(place("CALL db.labels() YIELD lable", column) == "1:24");
  BOOST_TEST(place("EXPLAIN UNWIND [] AS x CALL db.labels() YIELD label, lable RETURN x", column) ==
             "1:54");
  BOOST_TEST(place("CALL db.ping() YIELD success AS ok, colour",
                   "db.ping() gives no column colour; it has success") == "1:37");
  BOOST_TEST(place("SHOW INDEXES YIELD name, lables",
                   "db.indexes() gives no column lables; it has id, name, state, "
                   "populationPercent, type, entityType, labelsOrTypes, properties, "
                   "indexProvider, owningConstraint, lastRead, readCount, trackedSince, options, "
                   "failureMessage, createStatement, entries, memoryBytes, bytesPerEntry, memory, "
                   "mappedBytes, pending") == "1:26");
}

namespace {

/// The warnings of a statement that must succeed, joined by " / ".
std::string warnings_of(Database& database, std::string_view statement,
                        const StatementOptions& options = {}) {
  Rows rows = must(execute(database, statement, {}, options));
  static_cast<void>(must(rows.all()));
  std::string text;
  for (const std::string& warning : rows.warnings()) text += (text.empty() ? "" : " / ") + warning;
  return text;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// A caller that may use the namespace "acme" alone.
StatementOptions tenant() {
  StatementOptions options;
  options.name_space = "acme";
  options.caller = "ada";
  options.listed_name_spaces = {{"acme"}};
  return options;
}

}  // namespace

BOOST_AUTO_TEST_CASE(show_takes_the_forms_of_neo4j) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE INDEX b FOR (n:A) ON (n.b)", "CREATE INDEX a FOR (n:A) ON (n.a)",
                      "CREATE INDEX c FOR (n:A) ON (n.c)"});
  const auto result = [&](std::string_view statement) { return result_of(*database, statement); };
  BOOST_TEST(result("SHOW INDEXES YIELD name ORDER BY name") == "'a'; 'b'; 'c'");
  BOOST_TEST(result("SHOW INDEXES YIELD name AS n ORDER BY n DESC SKIP 1 LIMIT 1") == "'b'");
  BOOST_TEST(result("SHOW INDEXES YIELD name, type ORDER BY name LIMIT 2 WHERE name <> 'a'") ==
             "'b' | 'RANGE'");
  BOOST_TEST(result("SHOW INDEXES YIELD * ORDER BY name DESC LIMIT 2 WHERE type = 'RANGE' "
                    "RETURN name, state") == "'c' | 'ONLINE'; 'b' | 'ONLINE'");
  BOOST_TEST(result("SHOW INDEXES YIELD name SKIP 2 RETURN count(*)") == "1");
  BOOST_TEST(result("CALL { SHOW INDEXES YIELD name ORDER BY name LIMIT 1 } RETURN name") == "'a'");
  for (const char* none : {"SHOW TEXT INDEXES", "SHOW POINT INDEX", "SHOW LOOKUP INDEXES YIELD *",
                           "SHOW USER DEFINED FUNCTIONS", "SHOW ALIASES FOR DATABASE",
                           "SHOW DATABASE nobody", "SHOW SETTINGS YIELD name, value"})
    BOOST_TEST(result(none).empty(), none);
  BOOST_TEST(result("SHOW BUILT IN FUNCTIONS YIELD name RETURN count(*)") ==
             result("SHOW ALL FUNCTIONS YIELD name RETURN count(*)"));
  BOOST_TEST(has(warnings_of(*database, "SHOW BUILT IN FUNCTIONS EXECUTABLE"), "rolesExecution"));
  BOOST_TEST(has(warnings_of(*database, "SHOW SETTINGS"), "options of the program"));
  BOOST_TEST(has(warnings_of(*database, "SHOW USERS"), "cairn token list"));
  BOOST_TEST(warnings_of(*database, "SHOW CURRENT USER").empty());
  const std::string unknown = error_of(*database, "SHOW ROLES").message;
  for (const char* known : {"INDEXES", "CONSTRAINTS", "HOME DATABASE", "SETTINGS", "CURRENT USER"})
    BOOST_TEST(has(unknown, known), unknown);
}

// A name after DATABASE is no word of the next clause.
BOOST_AUTO_TEST_CASE(databases_are_shown_one_by_one) {
  TemporaryDatabase database;
  StatementOptions acme = tenant();
  run_all(*database, {"CREATE (:A)"});
  const auto result = [&](std::string_view statement, const StatementOptions& options = {}) {
    return result_of(*database, statement, {}, options);
  };
  BOOST_TEST(result("SHOW HOME DATABASE YIELD name, home", acme) == "'acme' | true");
  BOOST_TEST(result("CREATE (:A)", acme).empty());
  BOOST_TEST(result("SHOW DATABASE acme YIELD name") == "'acme'");
  BOOST_TEST(result("SHOW DATABASE `neo4j` YIELD name, default") == "'neo4j' | true");
  BOOST_TEST(result("SHOW DEFAULT DATABASE YIELD name") == "'neo4j'");
  BOOST_TEST(result("SHOW HOME DATABASE YIELD name") == "'neo4j'");
  BOOST_TEST(result("SHOW DATABASE YIELD name") == "'neo4j'; 'acme'");
  BOOST_TEST(result("SHOW DATABASE YIELD name", acme) == "'acme'");
  BOOST_TEST(result("SHOW DATABASE neo4j", acme).empty());
  BOOST_TEST(result("SHOW DEFAULT DATABASE", acme).empty());
  for (const char* users : {"SHOW USERS", "SHOW CURRENT USER"})
    BOOST_TEST(result(users, acme) == "'ada' | null | false | false | 'acme'");
  BOOST_TEST(has(result("CALL db.databases('ALL')"), "'HOME', 'DEFAULT', or 'NAME' and a name"));
}

BOOST_AUTO_TEST_CASE(indexes_of_neo4j_are_mapped_or_refused) {
  TemporaryDatabase database;
  BOOST_TEST(has(warnings_of(*database,
                             "CREATE TEXT INDEX words IF NOT EXISTS FOR (n:A) ON (n.w) "
                             "OPTIONS {indexProvider: 'text-2.0'}"),
                 "made a range index"));
  BOOST_TEST(result_of(*database, "SHOW INDEXES YIELD name, type") == "'words' | 'RANGE'");
  BOOST_TEST(
      warnings_of(*database, "CREATE TEXT INDEX words IF NOT EXISTS FOR (n:A) ON (n.w)").empty());
  BOOST_TEST((error_of(*database, "CREATE TEXT INDEX words FOR (n:A) ON (n.w)").code ==
              ErrorCode::already_exists));
  BOOST_TEST(has(error_of(*database, "CREATE TEXT INDEX FOR (n:A) ON (n.v) OPTIONS {a: 1}").message,
                 "a text index has no option `a`"));
  run_all(*database, {"DROP INDEX words"});
  BOOST_TEST(has(warnings_of(*database,
                             "CREATE LOOKUP INDEX l IF NOT EXISTS FOR (n) ON EACH "
                             "labels(n) OPTIONS {indexProvider: 'token-lookup-1.0'}"),
                 "labels are always indexed"));
  BOOST_TEST(has(warnings_of(*database, "CREATE LOOKUP INDEX FOR ()-[r]-() ON EACH type(r)"),
                 "types are always indexed"));
  BOOST_TEST(has(error_of(*database, "CREATE LOOKUP INDEX FOR (n) ON EACH type(n)").message,
                 "is over labels(n), not type()"));
  BOOST_TEST(has(error_of(*database, "CREATE LOOKUP INDEX FOR (n) ON EACH labels(m)").message,
                 "`m` is not the variable of FOR, `n`"));
  BOOST_TEST(has(error_of(*database, "CREATE POINT INDEX p FOR (n:A) ON (n.place)").message,
                 "store the coordinates as numbers"));
  run_all(*database, {"CREATE text = (:A)-[:R]->(:B), point = (:C), database = (:D)"});
  BOOST_TEST(result_of(*database, "SHOW INDEXES YIELD name WHERE NOT name CONTAINS '.'").empty());
}

BOOST_AUTO_TEST_CASE(use_names_the_database_of_the_statement) {
  TemporaryDatabase database;
  BOOST_TEST(result_of(*database, "USE neo4j RETURN 1") == "1");
  BOOST_TEST(result_of(*database, "USE acme CREATE (n:A) RETURN labels(n)", {}, tenant()) ==
             "['A']");
  BOOST_TEST(result_of(*database, "MATCH (n) RETURN count(n)") == "0");
  for (const char* other :
       {"USE acme MATCH (n) RETURN n", "EXPLAIN USE acme MATCH (n) RETURN n",
        "USE acme CREATE (:A)", "USE acme CREATE INDEX i FOR (n:A) ON (n.x)",
        "USE acme DROP NAMESPACE acme", "USE acme CALL db.scrub()", "USE nobody RETURN 1"}) {
    const Error error = error_of(*database, other);
    BOOST_TEST((error.code == ErrorCode::unsupported), other);
    BOOST_TEST(has(error.message, "runs in the database neo4j; choose the database in"), other);
    BOOST_TEST(error.where.has_value(), other);
  }
  BOOST_TEST(has(error_of(*database, "USE neo4j RETURN 1", {}, tenant()).message, "database acme"));
  BOOST_TEST(result_of(*database, "SHOW INDEXES").empty());
  BOOST_TEST(result_of(*database, "MATCH (n) RETURN count(n)", {}, tenant()) == "1");
}

BOOST_AUTO_TEST_CASE(databases_are_made_by_their_first_record) {
  TemporaryDatabase database;
  BOOST_TEST(has(warnings_of(*database, "CREATE DATABASE acme"), "begins with its first record"));
  BOOST_TEST(has(warnings_of(*database, "CREATE DATABASE acme WAIT"), "first record"));
  // The namespace of a writing statement counts as there.
  BOOST_TEST(warnings_of(*database, "CREATE DATABASE acme IF NOT EXISTS WAIT", tenant()).empty());
  run_all(*database, {"CREATE (:A)"});
  BOOST_TEST(result_of(*database, "CREATE (:A)", {}, tenant()).empty());
  BOOST_TEST(warnings_of(*database, "CREATE DATABASE acme IF NOT EXISTS NOWAIT").empty());
  BOOST_TEST((error_of(*database, "CREATE DATABASE acme").code == ErrorCode::already_exists));
  BOOST_TEST((error_of(*database, "CREATE DATABASE neo4j").code == ErrorCode::already_exists));
  for (const char* other : {"CREATE DATABASE globex", "CREATE DATABASE acme2 IF NOT EXISTS"})
    BOOST_TEST((error_of(*database, other, {}, tenant()).code == ErrorCode::unsupported), other);
  for (const char* drop : {"DROP DATABASE acme", "DROP DATABASE acme IF EXISTS"})
    BOOST_TEST(has(error_of(*database, drop).message, "write DROP NAMESPACE acme, which erases"));
  BOOST_TEST(result_of(*database, "MATCH (n) RETURN count(n)", {}, tenant()) == "1");
}

// A similar name does something else; advice for the name itself comes before it.
BOOST_AUTO_TEST_CASE(names_of_libraries_get_what_to_use) {
  TemporaryDatabase database;
  const std::pair<const char*, const char*> names[] = {
      {"CALL apoc.create.node(['A'], {})", "(); use apoc.merge.node(), or CREATE"},
      {"CALL apoc.schema.relationships()", "(); use SHOW INDEXES and SHOW CONSTRAINTS"},
      {"CALL db.index.fulltext.createNodeIndex('i', ['A'], ['x'])",
       "(); use CREATE FULLTEXT INDEX name FOR (n:Label)"},
      {"CALL toUpper('a')", "; it is a function: RETURN toUpper(...)"},
      {"RETURN db.labels()", "; it is a procedure: CALL db.labels(...) YIELD ..."},
      {"RETURN apoc.create.uuid()", "; use randomUUID()"},
      {"RETURN apoc.coll.toSet([1])", "; use UNWIND and collect(DISTINCT value)"},
      {"RETURN apoc.coll.containsAll([1], [1])", "; of APOC there are only"},
      {"RETURN apoc.coll.sortNodes([], 'x')", "; use UNWIND, ORDER BY and collect(value)"},
      {"RETURN point({x: 1, y: 2})", "; there is no type POINT"},
      {"CALL apoc.nothing.like()", "; of APOC there are only"},
      {"RETURN toUper('a')", ", did you mean toUpper()?"},
      {"CALL db.index.fulltext.queryNodes('texts', 'tea')",
       "; create it: CREATE FULLTEXT INDEX `texts` FOR (n:Label) ON EACH [n.property]"},
      {"CALL db.index.vector.queryRelationships('near', 1, [1.0])",
       "; create it: CREATE VECTOR INDEX `near` FOR ()-[n:TYPE]-() ON (n.property) OPTIONS"},
      {"CALL apoc.meta.data({includeLabels: ['A']})", "has no option `includeLabels`"},
      {"MATCH (n) CALL (n) { SET n.x = 1 } IN TRANSACTIONS REPORT STATUS AS s RETURN s",
       "write ON ERROR CONTINUE or ON ERROR BREAK before it"}};
  for (const auto& [statement, fix] : names) {
    const std::string message = error_of(*database, statement).message;
    BOOST_TEST(has(message, fix), statement << ": " << message);
  }
  for (const char* name : {"apoc.meta.data", "apoc.meta.schema", "apoc.meta.graph"})
    BOOST_TEST(has(warnings_of(*database, "CALL " + std::string(name) + "({sample: 10})"),
                   "the option `sample` of " + std::string(name) + "() has no effect"));
}

BOOST_AUTO_TEST_CASE(forms_of_lucene_that_are_not_read_are_told) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE FULLTEXT INDEX words FOR (n:A) ON EACH [n.text]",
                      "CREATE (:A {text: 'green tea'})"});
  const auto warning = [&](const std::string& text) {
    return warnings_of(*database, "CALL db.index.fulltext.queryNodes('words', '" + text + "')");
  };
  BOOST_TEST(has(warning("gre?n t?a"), "'?' inside of a word"));
  BOOST_TEST(has(warning("[a TO z]"), "has a range"));
  BOOST_TEST(has(warning("text:{a TO z}"), "has a range"));
  for (const char* plain : {"what is tea?", "tea??", "[a to z]", "[tea] TO", "green AND tea"})
    BOOST_TEST(warning(plain).empty(), plain << ": " << warning(plain));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
