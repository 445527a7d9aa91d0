// Advice for names of Neo4j's libraries, by prefix. The first matching prefix wins, so longer prefixes come first.
#include "query/builtins/foreign_names.hpp"

namespace cairn::query {
namespace {

struct ForeignName {
  std::string_view prefix;  ///< of a name, in lower case
  std::string_view advice;
};

// Graph algorithms run on the graph that the statement reads, so no advice mentions a projection to make first.
constexpr ForeignName foreign_names[] = {
    {"gds.graph.",
     "call graph.* without a projection: labels, types and filters are options of each call"},
    {"gds.wcc.", "call graph.components() YIELD node, component"},
    {"gds.scc.", "call graph.stronglyConnected()"},
    {"gds.alpha.scc.", "call graph.stronglyConnected()"},
    {"gds.pagerank.",
     "call graph.pagerank() YIELD node, score, or graph.personalizedPagerank(seeds)"},
    {"gds.articlerank.", "call graph.pagerank() YIELD node, score"},
    {"gds.louvain.", "call graph.louvain()"},
    {"gds.leiden.", "call graph.leiden()"},
    {"gds.labelpropagation.", "call graph.labelPropagation()"},
    {"gds.betweenness.", "call graph.betweenness() YIELD node, score"},
    {"gds.kcore.", "call graph.kCore() YIELD node, core"},
    {"gds.trianglecount.", "call graph.triangles()"},
    {"gds.localclusteringcoefficient.", "call graph.triangles()"},
    {"gds.shortestpath.yens.", "call graph.kShortest(source, target, k)"},
    {"gds.shortestpath.", "call graph.shortestPath(source, target)"},
    {"gds.allshortestpaths.", "call graph.shortestPath(source, target) for each target"},
    {"gds.nodesimilarity.", "call graph.similarity(nodes)"},
    {"gds.knn.", "search a vector index with SEARCH"},
    {"gds.similarity.cosine", "use vector.similarity.cosine(a, b)"},
    {"gds.similarity.euclidean", "use vector.similarity.euclidean(a, b)"},
    {"apoc.periodic.iterate", "use CALL (row) { ... } IN TRANSACTIONS OF 1000 ROWS"},
    {"apoc.periodic.commit", "use CALL (row) { ... } IN TRANSACTIONS OF 1000 ROWS"},
    {"apoc.create.relationship",
     "use apoc.merge.relationship(), or CREATE with the type written in the statement"},
    {"apoc.create.node*", "use apoc.merge.node(), or CREATE and apoc.create.addLabels()"},
    {"apoc.create.uuid", "use randomUUID()"},
    {"apoc.create.vnode*", "there are no virtual nodes; return a map"},
    {"apoc.create.setpropert*", "use SET n += $map"},
    {"apoc.create.removelabels*", "use REMOVE n:Label, or REMOVE n:$(labels)"},
    {"apoc.create.setlabels", "use SET n:$(labels), and REMOVE n:$(labels) for the others"},
    {"apoc.schema.relationships", "use SHOW INDEXES and SHOW CONSTRAINTS"},
    {"apoc.schema.assert", "use CREATE and DROP of INDEX and CONSTRAINT"},
    {"apoc.cypher.", "run the statement itself; CALL { ... } runs a subquery for each row"},
    {"apoc.do.", "use CASE, or CALL (row) { WITH row WHERE condition ... }"},
    {"apoc.when", "use CASE, or CALL (row) { WITH row WHERE condition ... }"},
    {"apoc.case", "use CASE, or CALL (row) { WITH row WHERE condition ... }"},
    {"apoc.refactor.mergenodes",
     "match both nodes, move properties by SET and relationships by "
     "MERGE, and DETACH DELETE one"},
    {"apoc.path.", "use a pattern with a length, as in (a)-[:TYPE*1..3]-(b)"},
    {"apoc.neighbors.", "use a pattern with a length, as in (a)-[:TYPE*1..3]-(b)"},
    {"apoc.load.csv", "use LOAD CSV"},
    {"apoc.load.json*", "pass the data as a parameter, or use cairn import"},
    {"apoc.import.", "use cairn import"},
    {"apoc.export.", "use cairn export"},
    {"apoc.text.join", "use reduce(text = '', part IN parts | text + part)"},
    {"apoc.text.regreplace", "use replace() for plain texts"},
    {"apoc.text.levenshtein", "use a fuzzy word in a full-text search, as in tea~1"},
    {"apoc.coll.toset", "use UNWIND and collect(DISTINCT value)"},
    {"apoc.coll.contains", "use value IN list"},
    {"apoc.coll.max", "use UNWIND and max(value)"},
    {"apoc.coll.min", "use UNWIND and min(value)"},
    {"apoc.coll.sum", "use reduce(sum = 0, value IN list | sum + value)"},
    {"apoc.coll.flatten", "use UNWIND twice and collect(value)"},
    {"apoc.coll.sort*", "use UNWIND, ORDER BY and collect(value)"},
    {"apoc.map.merge", "use a map projection, or SET n += map"},
    {"apoc.date.format", "use toString(datetime.fromEpochMillis(ms))"},
    {"apoc.date.parse", "use datetime(text)"},
    {"apoc.date.currenttimestamp", "use timestamp()"},
    {"apoc.node.degree", "use COUNT { (n)--() }"},
    {"apoc.convert.tojson", "return the map itself, or use format.json(nodes)"},
    {"apoc.convert.fromjson*", "pass the value as a parameter instead of JSON"},
    {"genai.vector.encode",
     "use embed(text) if the database has an embedder, or pass the vector as a parameter"},
    {"db.index.vector.drop", "use DROP INDEX name"},
    {"db.index.fulltext.createnodeindex",
     "use CREATE FULLTEXT INDEX name FOR (n:Label) ON EACH [n.property]"},
    {"db.index.fulltext.createrelationshipindex",
     "use CREATE FULLTEXT INDEX name FOR ()-[r:TYPE]-() ON EACH [r.property]"},
    {"db.index.fulltext.drop", "use DROP INDEX name"},
    {"db.index.fulltext.listavailableanalyzers",
     "the option fulltext.analyzer of CREATE FULLTEXT INDEX takes names of languages"},
    {"db.createindex", "use CREATE INDEX name FOR (n:Label) ON (n.property)"},
    {"db.createuniquepropertyconstraint",
     "use CREATE CONSTRAINT name FOR (n:Label) REQUIRE n.property IS UNIQUE"},
    {"db.createlabel", "a label begins with its first node"},
    {"db.createproperty", "a property begins with its first value"},
    {"db.createrelationshiptype", "a type begins with its first relationship"},
    {"db.info", "use SHOW DATABASES"},
    {"db.resampleindex", "indexes need no samples here; leave it out"},
    {"db.resampleoutdatedindexes", "indexes need no samples here; leave it out"},
    {"db.stats.", "use apoc.meta.data() or PROFILE"},
    {"dbms.procedures", "use SHOW PROCEDURES"},
    {"dbms.functions", "use SHOW FUNCTIONS"},
    {"dbms.queryjmx", "this is no Java program"},
    {"dbms.listtransactions", "use SHOW TRANSACTIONS"},
    {"dbms.listqueries", "use SHOW TRANSACTIONS"},
    {"dbms.killtransaction*", "use TERMINATE TRANSACTIONS id"},
    {"dbms.killquer*", "use TERMINATE TRANSACTIONS id"},
    {"dbms.info", "use CALL dbms.components()"},
    {"point", "there is no type POINT; store the coordinates as numbers"},
    {"point.", "there is no type POINT; store the coordinates as numbers, and use haversin()"},
    {"distance", "there is no type POINT; store the coordinates as numbers, and use haversin()"},
    {"dbms.listconfig", "settings are options of the program that opens the database"},
    {"dbms.security.",
     "users and roles are those of tokens: see cairn token create, list and revoke"},
    {"dbms.showcurrentuser",
     "users and roles are those of tokens: see cairn token create, list and revoke"},
};

constexpr ForeignName libraries[] = {
    {"gds.",
     "Neo4j's library of graph algorithms is not here; SHOW PROCEDURES WHERE name STARTS WITH "
     "'graph.' "
     "lists those that are"},
    {"apoc.version",
     "APOC is not here, only the procedures that SHOW PROCEDURES WHERE name STARTS WITH 'apoc.' "
     "lists"},
    {"apoc.",
     "of APOC there are only the functions and procedures that SHOW FUNCTIONS and SHOW PROCEDURES "
     "list"},
};

/// A prefix ends with a dot or a star; without one it is a whole name.
bool is_meant(const ForeignName& entry, std::string_view name) {
  const std::string_view prefix = entry.prefix;
  if (prefix.ends_with('*')) return name.starts_with(prefix.substr(0, prefix.size() - 1));
  return prefix.ends_with('.') ? name.starts_with(prefix) : name == prefix;
}

}  // namespace

std::string_view advice_for_foreign(std::string_view name) {
  for (const ForeignName& entry : foreign_names)
    if (is_meant(entry, name)) return entry.advice;
  return {};
}

std::string_view advice_for_library(std::string_view name) {
  for (const ForeignName& entry : libraries)
    if (is_meant(entry, name)) return entry.advice;
  return {};
}

}  // namespace cairn::query
