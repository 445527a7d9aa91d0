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
    {"gds.",
     "Neo4j's library of graph algorithms is not here; SHOW PROCEDURES WHERE name STARTS WITH "
     "'graph.' "
     "lists those that are"},
    {"apoc.version",
     "APOC is not here, only the procedures that SHOW PROCEDURES WHERE name STARTS WITH 'apoc.' "
     "lists"},
    {"apoc.periodic.iterate", "use CALL (row) { ... } IN TRANSACTIONS OF 1000 ROWS"},
    {"apoc.periodic.commit", "use CALL (row) { ... } IN TRANSACTIONS OF 1000 ROWS"},
    {"apoc.create.relationship",
     "use apoc.merge.relationship(), or CREATE with the type written in the statement"},
    {"apoc.create.node", "use apoc.merge.node(), or CREATE and apoc.create.addLabels()"},
    {"apoc.",
     "of APOC there are only the functions and procedures that SHOW FUNCTIONS and SHOW PROCEDURES "
     "list"},
    {"genai.vector.encode",
     "use embed(text) if the database has an embedder, or pass the vector as a parameter"},
    {"db.index.vector.drop", "use DROP INDEX name"},
    {"db.index.fulltext.createnodeindex",
     "use CREATE FULLTEXT INDEX name FOR (n:Label) ON EACH [n.property]"},
    {"db.index.fulltext.createrelationshipindex",
     "use CREATE FULLTEXT INDEX name FOR ()-[r:TYPE]-() ON EACH [r.property]"},
    {"db.index.fulltext.drop", "use DROP INDEX name"},
    {"dbms.listconfig", "settings are options of the program that opens the database"},
    {"dbms.security.",
     "users and roles are those of tokens: see cairn token create, list and revoke"},
    {"dbms.showcurrentuser",
     "users and roles are those of tokens: see cairn token create, list and revoke"},
};

}  // namespace

std::string advice_for_foreign(std::string_view name) {
  for (const ForeignName& entry : foreign_names)
    if (name.starts_with(entry.prefix)) return std::string(entry.advice);
  return {};
}

}  // namespace cairn::query
