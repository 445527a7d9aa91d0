#include "tests/query/execute/hostile/hostile_graph.hpp"

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
       "group: i % 97, text: 'the text of number ' + toString(i)})",
       "UNWIND range(1, 12) AS d UNWIND range(1, 8) AS i CREATE (:Layer {d: d, i: i})",
       "MATCH (a:Layer) MATCH (b:Layer {d: a.d + 1}) CREATE (a)-[:DOWN]->(b)",
       "UNWIND range(1, 40) AS i WITH i, reduce(s = toString(i) + ' words of no length at all', "
       "x IN range(1, 13) | s + s) AS text CREATE (:Long {i: i, text: text, "
       "list: range(i, i + 10000)})"});
}

}  // namespace cairn::test
