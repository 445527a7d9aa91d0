// Procedures that programs written for Neo4j call: about the server, about the graph's schema, for
// vectors, and the few of APOC that frameworks use.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

struct Shop {
  TemporaryDatabase database;

  Shop() {
    run_all(
        *database,
        {"CREATE (:Person {name: 'Ada', age: 36})-[:KNOWS {since: 2020}]->(:Person {name: 'Bob'}), "
         "(:Chunk {n: 1, e: vector([1, 0])}), (:Chunk {n: 2, e: vector([0, 1])})",
         "MATCH (p:Person {name: 'Bob'}), (c:Chunk {n: 1}) CREATE (p)-[:READ]->(c)",
         "CREATE VECTOR INDEX near FOR (c:Chunk) ON (c.e) OPTIONS {indexConfig: "
         "{`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}"});
  }
  std::string result(std::string_view statement, const Parameters& parameters = {}) {
    return result_of(*database, statement, parameters);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(neo4j_procedures, Shop)

BOOST_AUTO_TEST_CASE(a_client_learns_what_it_is_connected_to) {
  BOOST_TEST(result("CALL dbms.components() YIELD name, versions WITH name, versions LIMIT 1 "
                    "RETURN name, versions[0]") == "'Neo4j Kernel' | '5.26.0'");
  BOOST_TEST(result("CALL db.ping()") == "true");
  BOOST_TEST(result("CALL db.awaitIndexes(300)").empty());
}

BOOST_AUTO_TEST_CASE(vectors_are_searched_by_a_call) {
  BOOST_TEST(result("CALL db.index.vector.queryNodes('near', 1, [1.0, 0.1]) YIELD node, score "
                    "RETURN node.n, score > 0.9") == "1 | true");
  BOOST_TEST(result("CALL db.index.vector.queryNodes('near', $k, [0, 1]) YIELD node RETURN node.n",
                    {{"k", 2.0}}) == "2; 1");
  BOOST_TEST(error_of(*database, "CALL db.index.vector.queryNodes('near', 1.5, [0, 1])").message ==
             "the number of neighbours must be a whole number of 1 or more, got 1.5");
  BOOST_TEST((error_of(*database, "CALL db.index.vector.queryNodes('nar', 1, [0, 1])").code ==
              ErrorCode::not_found));
  BOOST_TEST(error_of(*database, "CALL db.index.vector.queryRelationships('near', 1, [0, 1])")
                 .message.ends_with("call db.index.vector.queryNodes"));
}

BOOST_AUTO_TEST_CASE(show_lists_what_a_server_of_neo4j_would) {
  run_all(*database, {"CREATE FULLTEXT INDEX words FOR (c:Chunk) ON EACH [c.text]"});
  BOOST_TEST(result("SHOW VECTOR INDEXES YIELD name") == "'near'");
  BOOST_TEST(result("SHOW FULLTEXT INDEX YIELD name") == "'words'");
  BOOST_TEST(result("SHOW RANGE INDEXES YIELD type RETURN DISTINCT type") == "'RANGE'");
  BOOST_TEST(result("SHOW ALL INDEXES YIELD name, type WHERE type <> 'RANGE' RETURN name") ==
             "'near'; 'words'");
  BOOST_TEST(result("SHOW CONSTRAINTS").empty());
  BOOST_TEST(result("SHOW DATABASES YIELD name, currentStatus") == "'neo4j' | 'online'");
  BOOST_TEST(result("SHOW HOME DATABASE YIELD home RETURN home") == "true");
  BOOST_TEST((error_of(*database, "SHOW VECTOR CONSTRAINTS").code == ErrorCode::parse_error));
}

BOOST_AUTO_TEST_CASE(how_neo4j_is_to_run_a_statement_is_passed_over) {
  BOOST_TEST(result("CYPHER 5 RETURN 1") == "1");
  BOOST_TEST(result("CYPHER runtime = parallel parallelRuntimeSupport=all RETURN 1") == "1");
  BOOST_TEST(
      plan_of(*database, "CYPHER 25 planner = cost EXPLAIN RETURN 1").starts_with("Project"));
  BOOST_TEST((error_of(*database, "CYPHER planner RETURN 1").code == ErrorCode::parse_error));
}

// A search for k hits returns k nodes of the namespace, however many nearer nodes another namespace
// has.
BOOST_AUTO_TEST_CASE(a_search_by_a_call_sees_its_namespace_alone) {
  StatementOptions other;
  other.name_space = "other";
  BOOST_TEST(result_of(*database, "CREATE (:Chunk {n: 3, e: vector([1, 1])})", {}, other).empty());
  constexpr auto nearest =
      "CALL db.index.vector.queryNodes('near', 9, [1, 1]) YIELD node RETURN collect(node.n)";
  BOOST_TEST(result_of(*database, nearest, {}, other) == "[3]");
  BOOST_TEST(result("CALL db.index.vector.queryNodes('near', 9, [1, 1]) YIELD node "
                    "WITH node ORDER BY node.n RETURN collect(node.n)") == "[1, 2]");
}

BOOST_AUTO_TEST_CASE(vector_indexes_and_vectors_are_made_by_calls) {
  BOOST_TEST(
      result("CALL db.index.vector.createNodeIndex('faces', 'Person', 'face', 2, 'euclidean')")
          .empty());
  BOOST_TEST(result("MATCH (p:Person {name: 'Ada'}) CALL db.create.setVectorProperty(p, 'face', "
                    "[3, 4]) YIELD node RETURN node.name") == "'Ada'");
  BOOST_TEST(result("CALL db.index.vector.queryNodes('faces', 1, [3, 4]) YIELD node, score RETURN "
                    "node.name, score") == "'Ada' | 1.0");
  BOOST_TEST(
      (error_of(*database, "CALL db.index.vector.createNodeIndex('x', 'P', 'v', 2, 'manhattan')")
           .code == ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_CASE(types_of_properties_are_read_from_records) {
  BOOST_TEST(result("CALL db.schema.nodeTypeProperties() YIELD nodeType, propertyName, "
                    "propertyTypes, mandatory WHERE nodeType = ':`Person`' "
                    "RETURN propertyName, propertyTypes, mandatory") ==
             "'age' | ['Long'] | false; 'name' | ['String'] | true");
  BOOST_TEST(result("CALL db.schema.relTypeProperties()") ==
             "':`KNOWS`' | 'since' | ['Long'] | true; ':`READ`' | null | null | false");
  run_all(*database, {"CREATE (:Person {age: 'young'})"});
  BOOST_TEST(result("CALL db.schema.nodeTypeProperties() YIELD nodeType, propertyName, "
                    "propertyTypes WHERE propertyName = 'age' RETURN propertyTypes") ==
             "['Long', 'String']");
}

BOOST_AUTO_TEST_CASE(properties_of_many_records_are_all_told) {
  run_all(*database, {"UNWIND range(1, 1500) AS i CREATE (:Many {n: i})-[:LINKS {n: i}]->()",
                      "MATCH (m:Many {n: 1400}) SET m.late = 'text'",
                      "MATCH ()-[l:LINKS {n: 1400}]->() SET l.late = 1.5"});
  BOOST_TEST(result("CALL db.schema.nodeTypeProperties() YIELD nodeType, propertyName, "
                    "propertyTypes, mandatory WHERE nodeType = ':`Many`' "
                    "RETURN propertyName, propertyTypes, mandatory") ==
             "'late' | ['String'] | false; 'n' | ['Long'] | true");
  BOOST_TEST(result("CALL db.schema.relTypeProperties() YIELD relType, propertyName, "
                    "propertyTypes, mandatory WHERE relType = ':`LINKS`' "
                    "RETURN propertyName, propertyTypes, mandatory") ==
             "'late' | ['Double'] | false; 'n' | ['Long'] | true");
}

BOOST_AUTO_TEST_CASE(a_picture_has_a_node_a_label_and_a_relationship_a_connection) {
  BOOST_TEST(result("CALL db.schema.visualization() YIELD nodes, relationships "
                    "RETURN size(nodes), size(relationships)") == "2 | 2");
  BOOST_TEST(result("CALL db.schema.visualization() YIELD nodes RETURN nodes[0]") ==
             "(:Chunk {constraints: [], indexes: ['e'], name: 'Chunk'})");
}

// Rules of the tests below: an index and three constraints of persons, and one of relationships.
void make_rules(Shop& shop) {
  run_all(*shop.database,
          {"MATCH (c:Chunk) SET c.m = c.n", "CREATE INDEX ages FOR (p:Person) ON (p.age)",
           "CREATE CONSTRAINT names FOR (p:Person) REQUIRE p.name IS UNIQUE",
           "CREATE CONSTRAINT named FOR (p:Person) REQUIRE p.name IS NOT NULL",
           "CREATE CONSTRAINT numbers FOR (c:Chunk) REQUIRE (c.n, c.m) IS NODE KEY",
           "CREATE CONSTRAINT years FOR ()-[k:KNOWS]-() REQUIRE k.since IS NOT NULL"});
}

BOOST_AUTO_TEST_CASE(a_picture_has_indexes_and_constraints) {
  make_rules(*this);
  BOOST_TEST(
      result("CALL db.schema.visualization() YIELD nodes UNWIND nodes AS n "
             "WITH properties(n) AS n RETURN n.name, n.indexes, n.constraints") ==
      "'Chunk' | ['e'] | ['Constraint( name=\\'numbers\\', type=\\'NODE_KEY\\', schema=(:Chunk "
      "{n, m}) )']; "
      "'Person' | ['age'] | ['Constraint( name=\\'names\\', type=\\'UNIQUENESS\\', "
      "schema=(:Person {name}) )', 'Constraint( name=\\'named\\', "
      "type=\\'NODE_PROPERTY_EXISTENCE\\', schema=(:Person {name}) )']");
}

BOOST_AUTO_TEST_CASE(a_description_of_apoc_has_indexes_and_constraints) {
  constexpr auto described =
      "CALL apoc.meta.data() YIELD label, property, index, unique, existence, type "
      "WHERE type <> 'RELATIONSHIP' RETURN label, property, index, unique, existence";
  BOOST_TEST(result(described) ==
             "'Chunk' | 'e' | true | false | false; 'Chunk' | 'n' | false | false | false; "
             "'Person' | 'age' | false | false | false; 'Person' | 'name' | false | false | false; "
             "'KNOWS' | 'since' | false | false | false");
  make_rules(*this);
  BOOST_TEST(result(described) ==
             "'Chunk' | 'e' | true | false | false; 'Chunk' | 'm' | true | false | true; "
             "'Chunk' | 'n' | true | false | true; "
             "'Person' | 'age' | true | false | false; 'Person' | 'name' | true | true | true; "
             "'KNOWS' | 'since' | false | false | true");
  BOOST_TEST(result("CALL apoc.meta.schema() YIELD value RETURN value.Person.properties.name, "
                    "value.KNOWS.properties.since") ==
             "{existence: true, indexed: true, type: 'STRING', unique: true} | "
             "{existence: true, indexed: false, type: 'INTEGER', unique: false}");
}

BOOST_AUTO_TEST_CASE(apoc_lists_the_indexes_and_constraints_of_labels) {
  make_rules(*this);
  run_all(*database, {"CREATE (:Person {name: 'Eve', age: 36}), (:Person {name: 'Tom', age: 7})",
                      "CREATE FULLTEXT INDEX words FOR (c:Chunk|Page) ON EACH [c.text, c.title]"});
  BOOST_TEST(result("CALL apoc.schema.nodes() YIELD name, label, properties, status, type, size, "
                    "valuesSelectivity RETURN name, label, properties, status, type, size, "
                    "round(valuesSelectivity, 2)") ==
             "':Chunk(e)' | 'Chunk' | ['e'] | 'ONLINE' | 'VECTOR' | 2 | null; "
             "':Chunk(n,m)' | 'Chunk' | ['n', 'm'] | 'ONLINE' | 'NODE_KEY' | 2 | 1.0; "
             "':Chunk|Page(text,title)' | ['Chunk', 'Page'] | ['text', 'title'] | 'ONLINE' | "
             "'FULLTEXT' | 0 | null; "
             "':Person(age)' | 'Person' | ['age'] | 'ONLINE' | 'RANGE' | 3 | 0.67; "
             "':Person(name)' | 'Person' | ['name'] | 'ONLINE' | 'UNIQUENESS' | 4 | 1.0; "
             "':Person(name)' | 'Person' | ['name'] | 'ONLINE' | 'NODE_PROPERTY_EXISTENCE' | 4 | "
             "null");
  BOOST_TEST(result("CALL apoc.schema.nodes({labels: ['Person']}) YIELD type, failure, "
                    "populationProgress, userDescription WHERE type = 'RANGE' "
                    "RETURN failure, populationProgress, userDescription") ==
             "'NO FAILURE' | 100.0 | 'Index( name=\\'ages\\', type=\\'RANGE\\', schema=(:Person "
             "{age}) )'");
  BOOST_TEST(result("CALL apoc.schema.nodes({excludeLabels: ['Chunk']}) YIELD label "
                    "RETURN DISTINCT label") == "'Person'");
  BOOST_TEST((error_of(*database, "CALL apoc.schema.nodes({label: 'Person'})").code ==
              ErrorCode::invalid_argument));
  BOOST_TEST(
      (error_of(*database, "CALL apoc.schema.nodes({labels: ['A'], excludeLabels: ['B']})").code ==
       ErrorCode::invalid_argument));
}

// What neo4j-graphrag sends.
BOOST_AUTO_TEST_CASE(the_different_values_of_an_index_are_counted_in_a_namespace) {
  run_all(*database, {"CREATE INDEX `odd.ages` FOR (p:Person) ON (p.`it's.age`)"});
  StatementOptions other;
  other.name_space = "other";
  must(must(execute(*database, "UNWIND [1, 1, 2, 3] AS i CREATE (:Person {`it's.age`: i})", {},
                    other))
           .all());
  constexpr auto counted =
      "CALL apoc.schema.nodes() YIELD label, properties, type, size, valuesSelectivity "
      "WHERE type = 'RANGE' RETURN *, size * valuesSelectivity AS distinctValues";
  BOOST_TEST(result(counted) == "'Person' | ['it\\'s.age'] | 0 | 'RANGE' | 1.0 | 0.0");
  BOOST_TEST(result_of(*database, counted, {}, other) ==
             "'Person' | ['it\\'s.age'] | 4 | 'RANGE' | 0.75 | 3.0");
}

BOOST_AUTO_TEST_CASE(a_picture_of_apoc_has_counts) {
  run_all(*database, {"UNWIND range(1, 1499) AS i CREATE (:Many)-[:LINKS]->(:End)"});
  for (const std::string name : {"apoc.meta.graph", "apoc.meta.graphSample"}) {
    BOOST_TEST(result("CALL " + name +
                      "() YIELD nodes UNWIND nodes AS n WITH properties(n) AS n "
                      "RETURN n.name, n.count") ==
               "'Chunk' | 2; 'End' | 1499; 'Many' | 1499; 'Person' | 2");
    BOOST_TEST(result("CALL " + name +
                      "({sample: 100}) YIELD relationships UNWIND [r IN relationships | "
                      "{name: apoc.any.property(r, 'type'), count: apoc.any.property(r, 'count')}] "
                      "AS r RETURN r.name, r.count ORDER BY r.name") ==
               "'KNOWS' | 1; 'LINKS' | 1499; 'READ' | 1");
  }
}

BOOST_AUTO_TEST_CASE(what_leads_to_hidden_nodes_is_no_part_of_a_picture) {
  run_all(*database, {"MATCH (c:Chunk) SET c@expires_at = datetime('2020-01-01')"});
  BOOST_TEST(result("CALL db.schema.visualization() YIELD nodes, relationships "
                    "RETURN size(nodes), size(relationships)") == "1 | 1");
  BOOST_TEST(result("CALL apoc.meta.data() YIELD property, type WHERE type = 'RELATIONSHIP' "
                    "RETURN DISTINCT property ORDER BY property") == "'KNOWS'; 'Person'");
}

BOOST_AUTO_TEST_CASE(what_frameworks_ask_of_a_graph) {
  constexpr auto nodes =
      "CALL apoc.meta.data() YIELD label, elementType, type, property "
      "WHERE type <> 'RELATIONSHIP' AND elementType = 'node' AND label <> 'Chunk' "
      "WITH label, property, type ORDER BY property "
      "RETURN label, collect({property: property, type: type})";
  BOOST_TEST(result(nodes) ==
             "'Person' | [{property: 'age', type: 'INTEGER'}, {property: 'name', type: 'STRING'}]");
  constexpr auto relationships =
      "CALL apoc.meta.data() YIELD label, other, elementType, type, property "
      "WHERE type = 'RELATIONSHIP' AND elementType = 'node' UNWIND other AS target "
      "RETURN label, property, target";
  BOOST_TEST(result(relationships) == "'Person' | 'KNOWS' | 'Person'; 'Person' | 'READ' | 'Chunk'");
  BOOST_TEST(result("CALL apoc.meta.schema() YIELD value RETURN value.Person.count, "
                    "value.Person.relationships.READ, value.KNOWS.properties.since.type") ==
             "2 | {direction: 'out', labels: ['Chunk']} | 'INTEGER'");
  BOOST_TEST(result("CALL apoc.schema.properties.distinct('Person', 'name')") == "['Ada', 'Bob']");
  BOOST_TEST(result("CALL apoc.schema.properties.distinct('Nobody', 'name')") == "[]");
}

BOOST_AUTO_TEST_CASE(a_node_is_found_or_made_by_its_identifying_properties) {
  constexpr auto merge =
      "CALL apoc.merge.node(['Person', 'Friend'], {name: $name}, {made: 1}, {met: 1}) YIELD node "
      "RETURN labels(node), node.made, node.met";
  BOOST_TEST(result(merge, {{"name", "Eve"}}) == "['Friend', 'Person'] | 1 | null");
  BOOST_TEST(result(merge, {{"name", "Eve"}}) == "['Friend', 'Person'] | 1 | 1");
  BOOST_TEST(result("MATCH (n:Friend) RETURN count(n)") == "1");
  BOOST_TEST((error_of(*database, merge, {{"name", Value()}}).code == ErrorCode::invalid_argument));
  BOOST_TEST(result("CALL apoc.merge.node(['Odd'], {`a.b`: 1}) YIELD node RETURN node.`a.b`") ==
             "1");
  BOOST_TEST(result("CALL apoc.merge.node(['Odd'], {`a.b`: 1}) YIELD node RETURN count(node)") ==
             "1");
}

BOOST_AUTO_TEST_CASE(a_relationship_is_found_or_made_by_its_identifying_properties) {
  constexpr auto merge =
      "MATCH (a:Person {name: 'Ada'}), (b:Person {name: 'Bob'}) "
      "CALL apoc.merge.relationship(a, $type, {since: 2020}, {made: 1}, b, {met: 1}) YIELD rel "
      "RETURN type(rel), rel.made, rel.met";
  BOOST_TEST(result(merge, {{"type", "KNOWS"}}) == "'KNOWS' | null | 1");
  BOOST_TEST(result(merge, {{"type", "LIKES"}}) == "'LIKES' | 1 | null");
  BOOST_TEST(result(merge, {{"type", "LIKES"}}) == "'LIKES' | 1 | 1");
  BOOST_TEST(result("MATCH (:Person)-[r]->(:Person) RETURN count(r)") == "2");
}

BOOST_AUTO_TEST_CASE(labels_are_added_by_value) {
  BOOST_TEST(result("MATCH (p:Person {name: 'Ada'}) CALL apoc.create.addLabels([p], ['A', 'B']) "
                    "YIELD node RETURN labels(node)") == "['A', 'B', 'Person']");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
