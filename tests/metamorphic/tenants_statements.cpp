#include "tests/metamorphic/tenants_statements.hpp"

#include "tests/metamorphic/tenants_memories.hpp"

#include <array>

namespace cairn::test {
namespace {

using Texts = std::vector<std::string>;

std::string number(Random& random, std::size_t bound) {
  return std::to_string(random.below(bound));
}

std::string search_text(Random& random) {
  static const Texts texts = {"green tea", "cup OR milk", "+tea -coffee",
                              "te*",       "grean~",      "globex"};
  return "'" + random.pick(texts) + "'";
}

std::string search_vector(Random& random) {
  static const Texts vectors = {"[0.0, 0.5]", "[1.0, -0.5]", "[-2.0, 3.0]"};
  return random.pick(vectors);
}

TenantStatement random_read(Questions& questions) {
  Random& random = questions.random();
  const Source source = questions.source();
  const std::string rows = source.where(questions.condition(source).text());
  switch (random.below(5)) {
    case 0:
      return {rows + " RETURN " + questions.columns(source, 3)};
    case 1:
      return {rows + " RETURN DISTINCT " + questions.columns(source, 2)};
    case 2:
      return {rows + " RETURN count(*) AS rows, count(DISTINCT " + questions.expression(source) +
              ") AS different, sum(" + questions.integer(source) + ") AS sum, avg(" +
              questions.integer(source) + ") AS mean, min(" + questions.property(source) +
              ") AS least, max(" + questions.property(source) + ") AS most, collect(" +
              questions.expression(source) + ") AS items"};
    case 3:
      return {rows + " RETURN " + questions.property(source) + " AS value, count(*) AS rows"};
    default:
      return {rows + " RETURN " + questions.columns(source, 2) + " ORDER BY " + source.ids() +
              " SKIP " + number(random, 3) + " LIMIT " + number(random, 6)};
  }
}

/// What a node's relationships of several types decide: the order of rows, and the choice among equal paths.
TenantStatement random_walk(Random& random) {
  static const Texts walks = {
      "MATCH (a)-[r]->(b) RETURN id(a), type(r), id(b)",
      "MATCH (a:A)-[r]-(b) RETURN type(r), id(b) LIMIT 3",
      "MATCH (a)-[r:W1|W2|W3|R]->(b) RETURN collect(id(r))",
      "MATCH (a)-[r]->(b) RETURN type(r), count(*)",
      "MATCH (a)-[r]->(b) WITH a, collect(type(r)) AS types RETURN id(a), types",
      "MATCH (a)-[r]->(b)-[s]->(c) RETURN id(r), id(s)",
      "MATCH (a)-[r]-(a) RETURN id(r)",
      "MATCH (a:A)-[r*1..2]-(b) RETURN [x IN r | id(x)] LIMIT 40",
      "MATCH (a:A)-[*1..3]-(b) RETURN DISTINCT id(b)",
      "MATCH (a:A) RETURN [(a)-[r]->() | id(r)], COUNT {(a)--()}",
      "MATCH (a:A), (b:B) WHERE id(a) < id(b) MATCH p = shortestPath((a)-[*..4]-(b)) RETURN "
      "[r IN relationships(p) | id(r)]",
      "MATCH (a:A), (b:B) WHERE id(a) < id(b) MATCH p = allShortestPaths((a)-[*..4]-(b)) RETURN "
      "[r IN relationships(p) | id(r)]",
      "MATCH p = ANY SHORTEST (a:A)-[r]-{1,3}(b:B) RETURN [r IN relationships(p) | id(r)]",
      "MATCH (a:A), (b:B) CALL graph.shortestPath(a, b, {direction: 'both'}) YIELD path RETURN "
      "[r IN relationships(path) | id(r)]",
      "MATCH (a:A), (b:B) WITH a, b LIMIT 4 CALL graph.kShortest(a, b, 3, {direction: 'both'}) "
      "YIELD path RETURN [r IN relationships(path) | id(r)]",
      "CALL graph.pagerank({weight: 'q', relationship_filter: {field: 'q', operator: "
      "'greater_than', value: 0}}) YIELD node, score RETURN id(node), score",
      "MATCH (a)-[r]->(b) SET r.v = 1"};
  return {random.pick(walks)};
}

TenantStatement random_search_of_relationships(Questions& questions) {
  Random& random = questions.random();
  const Texts retrievers = {"VECTOR INDEX ties FOR " + search_vector(random),
                            "FULLTEXT INDEX said FOR " + search_text(random)};
  const std::string p = questions.condition({"", {}, {"r"}}).text();
  return {"MATCH (a)-[r:R|S]->(b) SEARCH r IN (" + random.pick(retrievers) +
          (random.one_in(2) ? " WHERE " + p : "") + " LIMIT " +
          std::to_string(1 + random.below(6)) +
          ") SCORE AS score RETURN id(a), id(r), id(b), score ORDER BY score DESC, id(r)"};
}

TenantStatement random_search_of_tenant(Questions& questions) {
  Random& random = questions.random();
  const std::string vectors = "VECTOR INDEX vecs FOR " + search_vector(random);
  const std::string words = "FULLTEXT INDEX words FOR " + search_text(random);
  const std::string ranked = "RANKED INDEX ranked FOR " + search_text(random);
  if (random.one_in(4)) return random_search_of_relationships(questions);
  const Texts retrievers = {vectors, words, ranked, "HYBRID " + vectors + ", " + words};
  const std::string p = questions.condition({"", {"a"}}).text();
  return {"MATCH (a:A) SEARCH a IN (" + random.pick(retrievers) +
          (random.one_in(2) ? " WHERE " + p : "") + " LIMIT " +
          std::to_string(1 + random.below(6)) +
          ") SCORE AS score RETURN id(a), score ORDER BY score DESC, id(a)"};
}

TenantStatement random_call(Random& random) {
  static const Texts calls = {
      "CALL db.labels()",
      "CALL db.relationshipTypes()",
      "CALL db.propertyKeys()",
      "CALL db.schema.nodeTypeProperties()",
      "CALL db.schema.relTypeProperties()",
      "CALL db.schema.visualization()",
      "CALL apoc.meta.schema()",
      "SHOW INDEXES",
      "SHOW INDEXES YIELD *",
      "SHOW CONSTRAINTS",
      "SHOW NAMESPACES",
      "CALL db.facets({operator: 'has_label', value: 'A'}, ['v', 'k', 's'])",
      "CALL db.facets({field: 'v', operator: 'greater_than', value: 0}, ['k', 'globex_key'])",
      "CALL db.facets({field: 'globex_key', operator: 'exists'}, ['k'])",
      "CALL graph.components()",
      "CALL graph.triangles()",
      "CALL graph.kCore({labels: 'A'})",
      "CALL graph.pagerank()",
      "CALL graph.louvain()",
      "MATCH (a:A), (b:B) CALL graph.shortestPath(a, b, {direction: 'both'}) YIELD cost RETURN "
      "id(a), id(b), cost",
      "CALL db.recall('green tea', {index: 'ranked'}) YIELD node, score RETURN id(node), score",
      "CALL db.index.fulltext.queryNodes('words', 'tea') YIELD node, score RETURN id(node), score",
      "CALL db.index.vector.queryNodes('vecs', 4, [1.0, 0.5]) YIELD node, score RETURN id(node), "
      "score",
      "CALL db.index.vector.queryRelationships('ties', 3, [1.0, 0.5]) YIELD relationship, score "
      "RETURN id(relationship), score"};
  const std::string& call = random.pick(calls);
  TenantStatement statement{call};
  statement.lists_paths =
      call.starts_with("SHOW INDEXES") || call.find("db.propertyKeys") != std::string::npos;
  return statement;
}

/// Each fails for every row, or warns; most name what only the other tenant has, or nearly has.
TenantStatement random_mistake(Questions& questions) {
  Random& random = questions.random();
  static const Texts texts = {
      "MATCH (a:globexThing) RETURN a",
      "MATCH (a:globexThin) RETURN a.globex_ke",
      "MATCH (a) WHERE a.globex_key = 1 RETURN a",
      "MATCH ()-[r:SPIES]->() RETURN r",
      "MATCH (a) RETURN a.lst",
      "RETURN 1 / 0",
      "MATCH (a) RETURN 1 / 0 LIMIT 1",
      "MATCH (a) RETURN $none",
      "MATCH (a:A) RETURN a.v +",
      "MATCH (a:A) SEARCH a IN (VECTOR INDEX vec FOR [1.0, 2.0] LIMIT 2) RETURN a",
      "MATCH (a:A) SEARCH a IN (VECTOR INDEX vecs FOR [1.0, 2.0, 3.0] LIMIT 2) RETURN a",
      "MATCH (a:A) SEARCH a IN (FULLTEXT INDEX word FOR 'tea' LIMIT 2) RETURN a",
      "MATCH (a:B) SEARCH a IN (FULLTEXT INDEX words FOR 'tea' LIMIT 2) RETURN id(a)",
      "MATCH (a:Z) SEARCH a IN (FULLTEXT INDEX words FOR 'tea' LIMIT 2) RETURN id(a)",
      "CALL db.index.fulltext.queryNodes('memory_content', 'tea')",
      "CALL db.recall('tea', {index: 'ranke'})",
      "CALL db.facets({field: 'v', operator: 'equalz', value: 0}, ['k'])",
      "CALL db.label()",
      "DROP NAMESPACE globex",
      "TERMINATE TRANSACTION 'transaction-1'"};
  if (random.one_in(3)) {
    const std::string id = number(random, 20'000);
    return {"MATCH (a) WHERE id(a) = " + id + " RETURN a"};
  }
  return {.text = random.pick(texts), .may_fail = true};
}

/// Rows are sorted before a change, so that new ids do not depend on the order of a scan.
TenantStatement random_write(Questions& questions) {
  Random& random = questions.random();
  const Source source = questions.scan();
  const std::string some = source.where(questions.condition(source).text()) +
                           " WITH a ORDER BY id(a) LIMIT " + number(random, 4) + " ";
  const std::string v = number(random, 3);
  const Texts writes = {
      some + "SET a.v = " + v,
      some + "SET a:B, a.words = 'green cup'",
      some + "SET a.vec = [0.5, " + v + ".25]",
      some + "SET a.key = " + v,
      some + "REMOVE a:A, a.words",
      some + "DELETE a",
      some + "DETACH DELETE a",
      some + "SET a:K, a.code = " + v,
      some + "CREATE (a)-[r:T {since: " + v + "}]->(a) RETURN id(r)",
      some + "CREATE (a)-[r:S {v: " + v + ", words: 'green tea', vec: [1.0, " + v +
          ".0]}]->(b:B {v: " + v +
          "}) RETURN "
          "id(r), id(b)",
      some + "MATCH (b:B) WITH a, b ORDER BY id(a), id(b) LIMIT 4 CREATE (a)-[:W" + v +
          " {q: 0.1}]->(b)<-[:W2]-(a), (a)-[:W3]->(b)",
      some + "MERGE (a)-[r:R {v: " + v + "}]->(b:C {k: " + v + "}) RETURN id(r), id(b)",
      "MERGE (b:U {key: " + v + "}) ON MATCH SET b.v = 2 RETURN id(b), b.v",
      "CREATE (b:U {key: " + v + "}) RETURN id(b)",
      "MERGE (b:K {code: " + v + ", v: 1}) RETURN id(b)",
      "CREATE (b:K {code: " + v + "}) RETURN id(b)",
      "MATCH (b:K) REMOVE b.code",
      "MATCH ()-[r:T]->() SET r.since = null",
      "CREATE (b:A @ {external_id: 'e" + v + "'}) RETURN id(b)",
      "MATCH (b @ {external_id: 'e" + v + "'}) RETURN id(b)",
      "MATCH (a)-[r:R]->() WITH r ORDER BY id(r) LIMIT 2 DELETE r"};
  return {.text = random.pick(writes), .may_fail = true};
}

/// Both databases get the change. A constraint that the records of another tenant violate cannot be made, so none is.
TenantStatement random_schema_change(Random& random) {
  static const Texts changes = {
      "CREATE INDEX extra IF NOT EXISTS FOR (n:A) ON (n.k)",
      "DROP INDEX extra IF EXISTS",
      "CREATE FULLTEXT INDEX more IF NOT EXISTS FOR (n:B) ON EACH [n.words]",
      "DROP INDEX more IF EXISTS",
      "CREATE VECTOR INDEX around IF NOT EXISTS FOR (n:B) ON (n.vec) OPTIONS {indexConfig: "
      "{`vector.dimensions`: 2, `vector.similarity_function`: 'euclidean'}}",
      "DROP INDEX around IF EXISTS",
      "CREATE INDEX FOR (n:A) ON (n.v)",
      "CREATE CONSTRAINT values FOR (n:U) REQUIRE n.v IS UNIQUE",
      "DROP INDEX value",
      "DROP INDEX keys",
      "DROP INDEX memory_content",
      "DROP INDEX memory_embeddin IF EXISTS",
      "DROP INDEX `node.globex_key`",
      "DROP INDEX `node.globex_mood` IF EXISTS",
      "DROP CONSTRAINT key",
      "DROP CONSTRAINT values"};
  return {.text = random.pick(changes), .may_fail = true};
}

}  // namespace

TenantStatement statement_of_tenant(Questions& questions) {
  switch (questions.random().below(16)) {
    case 0:
      return random_mistake(questions);
    case 1:
      return random_call(questions.random());
    case 2:
    case 3:
      return random_search_of_tenant(questions);
    case 4:
      return random_write(questions);
    case 5: {
      TenantStatement read = random_read(questions);
      read.text.insert(0, questions.random().one_in(3) ? "PROFILE " : "EXPLAIN ");
      return read;
    }
    case 6: {
      TenantStatement search = random_search_of_tenant(questions);
      search.text.insert(0, questions.random().one_in(2) ? "PROFILE " : "EXPLAIN ");
      return search;
    }
    case 7:
      return memory_read_of_tenant(questions.random());
    case 8:
      return memory_write_of_tenant(questions.random(), questions.flavour());
    case 9:
      return questions.random().one_in(3) ? random_schema_change(questions.random())
                                          : memory_read_of_tenant(questions.random());
    case 10:
    case 11:
      return random_walk(questions.random());
    default:
      return random_read(questions);
  }
}

std::string write_of_another(Random& random) {
  if (random.one_in(4)) return memory_write_of_another(random);
  const std::string v = number(random, 3);
  const std::string own = "MATCH (a) WHERE a@namespace = 'globex' WITH a ORDER BY id(a) LIMIT 5 ";
  const Texts writes = {
      "UNWIND range(1, 40) AS i CREATE (:A:U {v: i % 3, k: i, globex_key: i, words: 'green tea "
      "globex', vec: "
      "[0.5, i / 10.0]})",
      "CREATE (:globexThing:A {v: " + v + ", globex_" + v + ": 1, list: [1, 2]})",
      "CREATE (:U {key: " + v + "})",
      "CREATE (:A @ {external_id: 'e" + v + "'})",
      "MATCH (a:A) WITH a ORDER BY id(a) LIMIT 3 CREATE (a)-[:SPIES {globex_key: 1}]->(:B {v: " +
          v + "})",
      "MATCH (a:A), (b:B) WITH a, b LIMIT 6 CREATE (a)-[:R {v: " + v +
          ", words: 'green globex', vec: [1.0, 0.5]}]->(b)-[:S]->(a)",
      own + "SET a.v = " + v + ", a.words = 'green green cup'",
      "CREATE (:A)-[:W3]->(:B)-[:W" + v + "]->(:A)",
      own + "SET a:A:B:C:U",
      own + "SET a:K, a.code = " + v,
      "CREATE (:K {code: " + v + ", v: 1})-[:T {since: " + v + "}]->(:U)",
      own + "DETACH DELETE a",
      "MATCH (a) WHERE a@namespace = 'globex' DETACH DELETE a"};
  return random.pick(writes);
}

std::vector<std::string> create_tenant_indexes() {
  return {
      "CREATE FULLTEXT INDEX ranked FOR (n:A) ON EACH [n.words, n.s] OPTIONS {indexConfig: "
      "{`fulltext.features`: true}}",
      "CREATE VECTOR INDEX ties FOR ()-[r:R|S]-() ON (r.vec) OPTIONS {indexConfig: "
      "{`vector.dimensions`: 2, `vector.similarity_function`: 'euclidean'}}",
      "CREATE INDEX values FOR (n:A) ON (n.v)",
      "CREATE CONSTRAINT keys FOR (n:U) REQUIRE n.key IS UNIQUE",
      "CREATE CONSTRAINT codes FOR (n:K) REQUIRE (n.code, n.v) IS NODE KEY",
      "CREATE CONSTRAINT times FOR ()-[r:T]-() REQUIRE r.since IS NOT NULL",
      "CREATE INDEX weights FOR ()-[r:R]-() ON (r.v)",
      "CREATE INDEX pairs FOR (n:B) ON (n.k, n.q)",
      "CREATE FULLTEXT INDEX said FOR ()-[r:S|R]-() ON EACH [r.words]",
  };
}

}  // namespace cairn::test
