// Creating indexes by statement, procedures for indexes, and the search in vector indexes.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

constexpr const char* create_index =
    "CREATE VECTOR INDEX memories FOR (m:Memory) ON (m.embedding) "
    "OPTIONS {indexConfig: {`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}";

struct Fixture {
  std::string result(std::string_view statement, const Parameters& parameters = {}) {
    return result_of(*database, statement, parameters);
  }
  TemporaryDatabase database;
};

// Ten memories around a quarter circle; the nearest to [1, 0] is 0, then 1, and so on.
struct SearchFixture : Fixture {
  SearchFixture() {
    run_all(*database, {create_index,
                        "UNWIND range(0, 9) AS i CREATE (m:Memory {i: i, odd: i % 2 = 1, "
                        "text: 'memory ' + toString(i), "
                        "embedding: [cos(i * 0.1), sin(i * 0.1)]})",
                        "MATCH (m:Memory) WHERE m.i > 5 CREATE (:Owner {v: m.i})-[:HAS]->(m)"});
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(schema_command, Fixture)

BOOST_AUTO_TEST_CASE(the_grammar_is_given_in_each_format) {
  BOOST_TEST(
      result("CALL db.grammar() YIELD format, text RETURN format, text CONTAINS 'statement ::= ', "
             "text STARTS WITH 'root ::= '") == "'ebnf' | true | false; 'gbnf' | false | true");
  BOOST_TEST(result("CALL db.grammar('gbnf') YIELD format") == "'gbnf'");
  BOOST_TEST(result("CALL db.grammar('bnf')") ==
             "invalid_argument: there is no grammar in the format \"bnf\"; the formats are "
             "\"ebnf\" and \"gbnf\"");
}

BOOST_AUTO_TEST_CASE(indexes_are_made_shown_and_dropped) {
  run_all(*database, {create_index, "CREATE INDEX names FOR (n:Person) ON (n.name)"});
  BOOST_TEST(result("CALL db.indexes() YIELD name, type, labelsOrTypes, properties "
                    "RETURN name, type, labelsOrTypes, properties ORDER BY name") ==
             "'memories' | 'VECTOR' | ['Memory'] | ['embedding']; "
             "'names' | 'RANGE' | ['Person'] | ['name']");
  BOOST_TEST(result("SHOW INDEXES") ==
             "1 | 'memories' | 'ONLINE' | 100.0 | 'VECTOR' | 'NODE' | ['Memory'] | ['embedding'] | "
             "'vector-2.0' | null | null | null; "
             "2 | 'names' | 'ONLINE' | 100.0 | 'RANGE' | 'NODE' | ['Person'] | ['name'] | "
             "'range-1.0' | null | null | null");
  BOOST_TEST(result("SHOW INDEXES WHERE type = 'RANGE'") ==
             "2 | 'names' | 'ONLINE' | 100.0 | 'RANGE' | 'NODE' | ['Person'] | ['name'] | "
             "'range-1.0' | null | null | null");
  BOOST_TEST(result("SHOW INDEXES YIELD name, trackedSince, failureMessage, createStatement "
                    "WHERE name = 'names' RETURN trackedSince, failureMessage, createStatement") ==
             "null | '' | 'CREATE INDEX `names` IF NOT EXISTS FOR (n:`Person`) ON (n.`name`)'");
  BOOST_TEST(result("show index yield name, entries where entries = 0") ==
             result("CALL db.indexes() YIELD name, entries WHERE entries = 0"));
  BOOST_TEST(result("SHOW INDEXES YIELD *") == result("CALL db.indexes()"));
  for (const auto& [what, procedure] : {std::pair{"CONSTRAINTS", "constraints"},
                                        {"DATABASES", "databases"},
                                        {"PROCEDURES", "procedures"},
                                        {"FUNCTIONS", "functions"},
                                        {"BACKUPS", "backups"},
                                        {"NAMESPACES", "namespaces"}})
    BOOST_TEST(result(std::string("SHOW ") + what + " YIELD *") ==
               result(std::string("CALL db.") + procedure + "()"));
  BOOST_TEST(result("CALL db.indexes() YIELD name, state, populationPercent "
                    "RETURN state, populationPercent") == "'ONLINE' | 100.0; 'ONLINE' | 100.0");
  run_all(*database, {"DROP INDEX names"});
  BOOST_TEST(result("CALL db.indexes() YIELD name WHERE name = 'names' RETURN name") == "");
}

// Each error of a name of Neo4j's libraries says what to use.
BOOST_AUTO_TEST_CASE(a_name_of_another_library_is_refused_with_what_to_use) {
  const std::pair<const char*, const char*> names[] = {
      {"CALL gds.wcc.stream('g') YIELD nodeId, componentId", "graph.components()"},
      {"CALL gds.wcc.stats('g') YIELD componentCount", "graph.components()"},
      {"CALL GDS.pageRank.stream('g', {})", "graph.pagerank()"},
      {"CALL gds.graph.project('g', '*', '*')", "without a projection"},
      {"CALL gds.knn.stream('g')", "SEARCH"},
      {"CALL gds.list()", "STARTS WITH 'graph.'"},
      {"CALL dbms.listConfig()", "options of the program"},
      {"CALL apoc.periodic.iterate('a', 'b', {})", "IN TRANSACTIONS"},
      {"RETURN apoc.version()", "STARTS WITH 'apoc.'"},
      {"RETURN gds.similarity.cosine([1], [2])", "vector.similarity.cosine("}};
  for (const auto& [statement, fix] : names)
    BOOST_TEST(error_of(*database, statement).message.find(fix) != std::string::npos, statement);
  // A name that is nearly one of ours is a misspelling.
  BOOST_TEST(error_of(*database, "CALL apoc.meta.dat()").message ==
             "there is no procedure apoc.meta.dat(); did you mean apoc.meta.data()?");
}

// The statement does not know the role of its caller.
BOOST_AUTO_TEST_CASE(what_is_executable_is_all_with_a_warning) {
  BOOST_TEST(result("SHOW PROCEDURES EXECUTABLE YIELD name RETURN count(*)") ==
             result("SHOW PROCEDURES YIELD name RETURN count(*)"));
  for (const char* text : {"SHOW FUNCTION EXECUTABLE BY CURRENT USER YIELD name RETURN count(*)",
                           "SHOW PROCEDURES EXECUTABLE"}) {
    Rows rows = must(execute(*database, text));
    BOOST_TEST(must(rows.all()).size() > 0U);
    BOOST_REQUIRE(rows.warnings().size() == 1U);
    BOOST_TEST(rows.warnings()[0].find("rolesExecution") != std::string::npos);
  }
  BOOST_TEST(
      (error_of(*database, "SHOW PROCEDURES EXECUTABLE BY ada").code == ErrorCode::parse_error));
}

BOOST_AUTO_TEST_CASE(procedures_and_functions_are_shown) {
  BOOST_TEST(result("SHOW PROCEDURES WHERE name = 'db.recall'") ==
             "'db.recall' | 'db.recall(question, options?) :: (node, score, breakdown, passage, "
             "left_out)' | 'READ' | false");
  BOOST_TEST(result("SHOW PROCEDURES YIELD name, signature, admin, rolesExecution, isDeprecated, "
                    "option, columns WHERE name = 'db.expire' RETURN signature, admin, "
                    "rolesExecution, isDeprecated, option, columns") ==
             "'db.expire(limit?)' | false | ['forget', 'admin'] | false | {deprecated: false} | "
             "['erased']");
  BOOST_TEST(result("SHOW PROCEDURES YIELD name, mode, argumentDescription, returnDescription "
                    "WHERE name = 'db.ping' OR name = 'db.index.vector.createNodeIndex' "
                    "RETURN mode, [a IN argumentDescription | a.name], "
                    "[r IN returnDescription | r.description]") ==
             "'SCHEMA' | ['index', 'label', 'property', 'dimension', 'similarity'] | []; "
             "'READ' | [] | ['success :: ANY']");
  BOOST_TEST(result("SHOW FUNCTIONS YIELD * WHERE name = 'substring' RETURN category, signature, "
                    "isBuiltIn, [a IN argumentDescription | a.name], aggregating") ==
             "'Scalar' | 'substring(text, start, length?)' | true | ['text', 'start', 'length?'] | "
             "false");
  BOOST_TEST(result("SHOW FUNCTIONS WHERE name = 'sum'") == "'sum' | 'Aggregating' | 'sum(value)'");
  BOOST_TEST(result("SHOW FUNCTIONS YIELD name, isAggregating WHERE name IN ['sum', 'size']") ==
             "'size' | false; 'sum' | true");
  BOOST_TEST(result("SHOW FUNCTIONS YIELD name WHERE toLower(name) = 'tolower'") == "'toLower'");
  BOOST_TEST(rows_of(*database, "SHOW PROCEDURES").size() > 10U);
  BOOST_TEST(rows_of(*database, "SHOW FUNCTIONS").size() > 100U);
}

BOOST_AUTO_TEST_CASE(an_automatic_index_is_not_dropped_and_is_told_from_none) {
  run_all(*database, {"CREATE (:Person {age: 3})-[:KNOWS {since: 1}]->()"});
  for (const std::string name : {"node.age", "relationship.since"}) {
    const std::string message = error_of(*database, "DROP INDEX `" + name + "`").message;
    BOOST_TEST(message.find("\"" + name + "\" is automatic") != std::string::npos, message);
  }
  BOOST_TEST(error_of(*database, "DROP INDEX `node.size`").message.find("there is no index") == 0);
}

BOOST_AUTO_TEST_CASE(indexes_tell_what_memory_they_take) {
  run_all(*database, {create_index, "CREATE INDEX names FOR (n:Person) ON (n.name)"});
  const std::string shown =
      "CALL db.indexes() YIELD name, entries, memoryBytes, bytesPerEntry "
      "WHERE name IN ['memories', 'names'] RETURN name, entries, memoryBytes > 0, bytesPerEntry > "
      "0, "
      "abs(memoryBytes - bytesPerEntry * entries) <= entries ORDER BY name";
  BOOST_TEST(result(shown) ==
             "'memories' | 0 | null | null | null; 'names' | 0 | null | null | null");
  run_all(*database, {"CREATE (:Memory {embedding: [1.0, 2.0]}), "
                      "(:Memory {embedding: [3.0, 2.0]})"});
  BOOST_TEST(result(shown) ==
             "'memories' | 2 | true | true | true; 'names' | 0 | null | null | null");
}

BOOST_AUTO_TEST_CASE(indexes_tell_their_memory_by_part) {
  run_all(*database, {create_index, "CREATE (:Memory {embedding: [1.0, 2.0]})"});
  BOOST_TEST(result("CALL db.indexes() YIELD name, memory, memoryBytes, mappedBytes "
                    "WHERE name = 'memories' RETURN memory.delta.bytes > 0, "
                    "memory.delta.bytesPerEntry = memory.delta.bytes, memory.rows.bytes, "
                    "memory.rows.bytesPerEntry, mappedBytes, memoryBytes = "
                    "reduce(sum = 0, part IN keys(memory) | sum + memory[part].bytes)") ==
             "true | true | 0 | null | 0 | true");
  run_all(*database, {"CREATE INDEX names FOR (n:Person) ON (n.name)"});
  BOOST_TEST(result("CALL db.indexes() YIELD name, memory, mappedBytes WHERE name = 'names' "
                    "RETURN memory, mappedBytes") == "null | null");
}

BOOST_AUTO_TEST_CASE(what_of_its_vectors_an_index_holds_is_an_option) {
  const auto create = [](const std::string& name, const std::string& storage) {
    return "CREATE VECTOR INDEX " + name + " FOR (m:" + name +
           ") ON (m.v) OPTIONS {indexConfig: {`vector.dimensions`: 2, `vector.storage`: " +
           storage + "}}";
  };
  for (const std::string storage : {"float32", "float16", "int8", "mapped"})
    run_all(*database, {create("by_" + storage, "'" + storage + "'")});
  BOOST_TEST(result("CALL db.indexes() YIELD name, options WITH name, "
                    "options.indexConfig['vector.storage'] AS storage WHERE storage IS NOT NULL "
                    "RETURN name, storage ORDER BY name") ==
             "'by_float16' | 'float16'; 'by_float32' | 'float32'; 'by_int8' | 'int8'; "
             "'by_mapped' | 'mapped'");
  for (const std::string storage : {"'bfloat16'", "16", "''"})
    BOOST_TEST(error_of(*database, create("x", storage))
                   .message.find("`vector.storage` must be 'float32', 'float16', 'int8' or "
                                 "'mapped'") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_there_already_is_an_error_unless_that_is_fine) {
  run_all(*database, {create_index});
  BOOST_TEST((error_of(*database, create_index).code == ErrorCode::already_exists));
  run_all(*database, {"CREATE VECTOR INDEX memories IF NOT EXISTS FOR (m:Memory) ON (m.embedding) "
                      "OPTIONS {indexConfig: {`vector.dimensions`: 2}}"});
  BOOST_TEST((error_of(*database, "DROP INDEX nobody").code == ErrorCode::not_found));
  run_all(*database, {"DROP INDEX nobody IF EXISTS"});
}

BOOST_AUTO_TEST_CASE(bad_options_are_named) {
  const Error error = error_of(*database,
                               "CREATE VECTOR INDEX x FOR (m:M) ON (m.e) OPTIONS {indexConfig: "
                               "{`vector.dimensions`: 2, `vector.similarity_function`: 'round'}}");
  BOOST_TEST(error.message.find("vector.similarity_function") != std::string::npos);
}

// If unknown options were ignored, the index would silently differ from the one that was asked for.
BOOST_AUTO_TEST_CASE(an_unknown_option_is_named_with_those_there_are) {
  const auto refused = [&](const std::string& kind, const std::string& options,
                           const std::string& part) {
    const Error error =
        error_of(*database, "CREATE " + kind + (kind[0] == 'V' ? "(m.e)" : "EACH [m.e]") +
                                " OPTIONS {" + options + "}");
    BOOST_TEST((error.code == ErrorCode::invalid_argument), options);
    BOOST_TEST(error.message.find(part) != std::string::npos, options << ": " << error.message);
  };
  const std::string vectors = "VECTOR INDEX x FOR (m:M) ON ";
  const std::string texts = "FULLTEXT INDEX x FOR (m:M) ON ";
  const std::string size = "`vector.dimensions`: 2, ";
  for (const std::string name : {"vector.similarity", "fooBar", "vector.quantization.enabled"}) {
    const std::string options = "indexConfig: {" + size + "`" + name + "`: 1}";
    refused(vectors, options, "a vector index has no option `" + name + "`");
    refused(vectors, options, "`vector.similarity_function`");
  }
  refused(vectors, "indexConfig: {" + size + "`vector.hnsw.mm`: 8}",
          "did you mean `vector.hnsw.m`?");
  refused(vectors, "indexConfig: {`Vector.Dimensions`: 2}", "did you mean `vector.dimensions`?");
  refused(texts, "indexConfig: {`fulltext.analyser`: 'german'}",
          "did you mean `fulltext.analyzer`?");
  refused(vectors, "indexConfg: {`vector.dimensions`: 2}", "did you mean `indexConfig`?");
  refused(vectors, "indexConfig: {" + size + "indexConfig: {}}", "has no option `indexConfig`");
  refused(vectors, size + "indexProvider: 'fulltext-1.0'", "must be 'vector-' and a version");
  refused(vectors, size + "indexConfig: {`vector.dimensions`: 3}",
          "OPTIONS have `vector.dimensions` twice");
  BOOST_TEST(rows_of(*database, "SHOW INDEXES").empty());
}

// Clients of Neo4j read the settings of an index in the column where Neo4j shows them.
BOOST_AUTO_TEST_CASE(options_are_shown_as_they_are_made) {
  run_all(*database,
          {create_index, "CREATE FULLTEXT INDEX words FOR (m:M) ON EACH [m.text]",
           "CREATE INDEX names FOR (n:Person) ON (n.name)", "CREATE (:Person {age: 3})"});
  BOOST_TEST(result("SHOW INDEXES YIELD name, options RETURN name, options.indexProvider, "
                    "options.automatic, options.indexConfig['vector.dimensions'], "
                    "options.indexConfig['vector.similarity_function'], "
                    "options.indexConfig['fulltext.analyzer'] ORDER BY name") ==
             "'memories' | 'vector-2.0' | null | 2 | 'cosine' | null; "
             "'names' | 'range-1.0' | null | null | null | null; "
             "'node.age' | 'range-1.0' | true | null | null | null; "
             "'words' | 'fulltext-1.0' | null | null | null | 'english'");
  BOOST_TEST(result("SHOW INDEXES YIELD name, options WHERE name = 'names' "
                    "RETURN options.indexConfig") == "{}");
  const std::string shown = "SHOW VECTOR INDEXES YIELD options RETURN options";
  const auto options = [&] { return Value(must(must(execute(*database, shown)).all())[0][0]); };
  const Value before = options();
  run_all(*database, {"DROP INDEX memories"});
  BOOST_TEST(result("CREATE VECTOR INDEX again FOR (m:Memory) ON (m.embedding) OPTIONS "
                    "{indexConfig: $config, indexProvider: $provider}",
                    {{"config", before.as_map().at("indexConfig")},
                     {"provider", before.as_map().at("indexProvider")}}) == "");
  BOOST_TEST((options() == before));
}

BOOST_AUTO_TEST_CASE(settings_may_stand_beside_their_map) {
  run_all(*database,
          {"CREATE VECTOR INDEX v FOR (m:M) ON (m.e) OPTIONS {`vector.dimensions`: 2, "
           "indexProvider: 'vector-1.0', indexConfig: {`vector.hnsw.m`: 8}}",
           "CREATE FULLTEXT INDEX t FOR (m:M) ON EACH [m.text] OPTIONS {`fulltext.analyzer`: "
           "'german', indexConfig: null}"});
  BOOST_TEST(result("SHOW INDEXES YIELD name, options WHERE name = 'v' RETURN "
                    "options.indexConfig['vector.dimensions'], "
                    "options.indexConfig['vector.hnsw.m']") == "2 | 8");
  BOOST_TEST(result("SHOW INDEXES YIELD name, options WHERE name = 't' RETURN "
                    "options.indexConfig['fulltext.analyzer']") == "'german'");
}

BOOST_AUTO_TEST_CASE(procedures_list_names) {
  run_all(*database, {"CREATE (:B {x: 1})-[:R {y: 2}]->(:A)"});
  BOOST_TEST(result("CALL db.labels()") == "'A'; 'B'");
  BOOST_TEST(result("CALL db.relationshipTypes() YIELD relationshipType AS t RETURN t") == "'R'");
  BOOST_TEST(result("CALL db.propertyKeys() YIELD propertyKey RETURN collect(propertyKey)") ==
             "['x', 'y']");
  BOOST_TEST(
      (error_of(*database, "CALL db.lables()").message.find("db.labels") != std::string::npos));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(search, SearchFixture)

BOOST_AUTO_TEST_CASE(the_nearest_come_first_with_their_score) {
  BOOST_TEST(result("MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memories FOR [1, 0] LIMIT 3) "
                    "SCORE AS s RETURN m.i, s > 0.9") == "0 | true; 1 | true; 2 | true");
}

BOOST_AUTO_TEST_CASE(a_filter_inside_the_search_leaves_the_full_number_of_hits) {
  BOOST_TEST(result("MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memories FOR [1, 0] "
                    "WHERE m.i > 6 OR m.odd LIMIT 4) SCORE AS s RETURN m.i") == "1; 3; 5; 7");
  BOOST_TEST(result("MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memories FOR $q "
                    "WHERE m.text ENDS WITH '8' LIMIT 4) SCORE AS s RETURN m.i",
                    {{"q", Vector({1, 0})}}) == "8");
}

BOOST_AUTO_TEST_CASE(a_condition_behind_the_search_loses_hits_and_says_so) {
  const char* statement =
      "MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memories FOR [1, 0] LIMIT 4) SCORE AS s "
      "WHERE m.i > 2 RETURN m.i";
  Rows rows = must(execute(*database, statement));
  BOOST_TEST(must(rows.all()).size() == 1U);
  BOOST_REQUIRE(rows.warnings().size() == 1U);
  BOOST_TEST(rows.warnings()[0].find("3 of 4 hits") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(variables_bound_before_may_stand_in_the_search) {
  BOOST_TEST(result("UNWIND [3, 7] AS least MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memories "
                    "FOR [1, 0] WHERE m.i >= least LIMIT 2) SCORE AS s "
                    "RETURN least, m.i") == "3 | 3; 3 | 4; 7 | 7; 7 | 8");
}

BOOST_AUTO_TEST_CASE(patterns_in_the_filter_hold_before_the_search) {
  BOOST_TEST(result("MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memories FOR [1, 0] "
                    "WHERE exists { (:Owner)-[:HAS]->(m) } LIMIT 2) SCORE AS s RETURN m.i") ==
             "6; 7");
}

BOOST_AUTO_TEST_CASE(hits_are_where_a_pattern_goes_on) {
  BOOST_TEST(result("MATCH (m:Memory)<-[:HAS]-(o) SEARCH m IN (VECTOR INDEX memories FOR [1, 0] "
                    "WHERE m.i > 5 LIMIT 2) SCORE AS s RETURN o.v") == "6; 7");
}

BOOST_AUTO_TEST_CASE(an_unknown_index_is_named_with_the_nearest) {
  const Error error = error_of(*database,
                               "MATCH (m) SEARCH m IN (VECTOR INDEX memorie FOR [1, 0] "
                               "LIMIT 1) SCORE AS s RETURN m");
  BOOST_TEST((error.code == ErrorCode::not_found));
  BOOST_TEST(error.message.find("memories") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_procedure_sets_vectors) {
  run_all(*database, {"MATCH (m:Memory {i: 9}) CALL db.create.setNodeVectorProperty(m, "
                      "'embedding', [1.0, 0.0]) RETURN m"});
  BOOST_TEST(result("MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memories FOR [1, 0] WHERE m.i > 0 "
                    "LIMIT 1) SCORE AS s RETURN m.i") == "9");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
