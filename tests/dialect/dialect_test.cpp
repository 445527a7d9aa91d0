// Statements in the forms that clients of Neo4j send, one statement for each form. Each file has the statements of one
// client, which run in order on one database. A comment that begins with "open:" precedes a statement that does not run
// yet. Once the statement runs, the test fails, so that the comment is removed. A comment "rows: 2" says how many rows the
// statement after it returns.

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
          {"ids", list_of({"a", "u1"})},
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
          {"words", "tea"},
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
    if (wanted && all) BOOST_TEST(all->size() == *wanted, statement << ": other rows");
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

}  // namespace

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
      {"RETURN point({x: 1, y: 2})", "; there is no type POINT"},
      {"CALL apoc.nothing.like()", "; of APOC there are only"},
      {"RETURN toUper('a')", ", did you mean toUpper()?"},
      {"CALL db.index.fulltext.queryNodes('texts', 'tea')",
       "; create it: CREATE FULLTEXT INDEX `texts` FOR (n:Label) ON EACH [n.property]"},
      {"CALL db.index.vector.queryRelationships('near', 1, [1.0])",
       "; create it: CREATE VECTOR INDEX `near` FOR ()-[n:TYPE]-() ON (n.property) OPTIONS"},
      {"CALL apoc.meta.data({includeLabels: ['A']})", "has no option `includeLabels`"},
      {"MATCH (n) CALL (n) { SET n.x = 1 } IN TRANSACTIONS ON ERROR CONTINUE",
       "write ON ERROR FAIL, or leave it out"}};
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
