#include "tests/query/execute/hostile/hostile_graph.hpp"

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

namespace cairn::test {

void build_hostile_graph(Database& database) {
  run_all(
      database,
      {"UNWIND range(1, 60) AS i CREATE (:K {i: i})",
       "MATCH (a:K), (b:K) WHERE a.i < b.i CREATE (a)-[:L]->(b)",
       "UNWIND range(1, 5000) AS i CREATE (:C {i: i})",
       "MATCH (a:C) MATCH (b:C {i: a.i + 1}) CREATE (a)-[:NEXT]->(b)",
       "CREATE (h:Hub) WITH h UNWIND range(1, 20000) AS i CREATE (h)-[:HAS]->(:Spoke {i: i, "
       "group: i % 97, text: 'the text of number ' + toString(i), "
       "v: CASE WHEN i <= 9000 THEN [i % 7, i % 11, i % 13, 1.0] END})",
       "UNWIND range(1, 12) AS d UNWIND range(1, 8) AS i CREATE (:Layer {d: d, i: i})",
       "MATCH (a:Layer) MATCH (b:Layer {d: a.d + 1}) CREATE (a)-[:DOWN]->(b)",
       "UNWIND range(1, 40) AS i WITH i, reduce(s = toString(i) + ' words of no length at all', "
       "x IN range(1, 13) | s + s) AS text CREATE (:Long {i: i, text: text, "
       "list: range(i, i + 10000)})",
       "CREATE FULLTEXT INDEX texts FOR (n:Spoke|Long) ON EACH [n.text]",
       "CREATE VECTOR INDEX points FOR (n:Spoke) ON (n.v) OPTIONS {indexConfig: "
       "{`vector.dimensions`: 4, `vector.similarity_function`: 'euclidean'}}"});
  // No segment of vectors is built beside a statement, whose memory is measured.
  must(database.checkpoint());
}

}  // namespace cairn::test
