#pragma once
// Statements whose rows do not depend on segments, over nodes :N of k, v and w and relationships :R and :S of x.

#include <string>
#include <vector>

namespace cairn::test {

inline const std::vector<std::string>& questions() {
  static const std::vector<std::string> all = {
      "MATCH (n:N) RETURN n.k AS k, n.v AS v, n.w AS w",
      "MATCH (n:N) RETURN n.v AS v, count(*) AS c",
      "MATCH (n:N) WHERE n.v > 5 RETURN n.k AS k",
      "MATCH (a:N)-[r:R]->(b) RETURN a.k AS a, r.x AS x, b.k AS b",
      "MATCH (a:N)<-[r:R|S]-(b) RETURN a.k AS a, type(r) AS t, b.k AS b",
      "MATCH (a:N)-[r]-(b) RETURN a.k AS a, type(r) AS t, b.k AS b",
      "MATCH (a:N {k: 3})-[:R*1..3]->(b) RETURN count(*) AS c, count(DISTINCT b) AS d",
      "MATCH (a:N)-[:R]->(b)-[:R]->(c), (a)-[:R]->(c) RETURN count(*) AS c",
      "MATCH (a:N {k: 1}), (b:N {k: 7}), p = shortestPath((a)-[:R*]-(b)) RETURN length(p) AS l",
      // Conditions on all rows of a batch, and those that are evaluated row by row.
      "MATCH (n:N) WHERE n.v = 1 OR n.w STARTS WITH 'w1' RETURN n.k AS k",
      "MATCH (n:N) WHERE NOT (n.v > 3 AND n.k < 20) RETURN n.k AS k",
      "MATCH (n:N) WHERE n.v IS NULL OR n.w IS NOT NULL AND n.v <> 7 RETURN n.k AS k",
      "MATCH (n:N) WHERE n.w = 'w3' OR 30 <= n.k OR n.v = n.k RETURN n.k AS k, n.w AS w",
      "MATCH (n) WHERE n:N AND n.v >= 1.0 OR n:M RETURN count(*) AS c",
      "MATCH (a:N)-[r:R]->(b:N) WHERE a <> b AND r.x = b.v RETURN a.k AS a, b.k AS b",
      "MATCH (a:N)-[r]->(b) WHERE r:S OR r.x = 1 RETURN count(*) AS c",
      // Groups, different values and sums.
      "MATCH (n:N) RETURN n.v AS v, n.w AS w, count(*) AS c, sum(n.k) AS s",
      "MATCH (n:N) RETURN count(DISTINCT n.v) AS v, count(DISTINCT n.w) AS w, min(n.v) AS least, "
      "max(n.w) AS most, avg(n.k) AS a, sum(n.k) AS s, sum(DISTINCT n.k) AS d",
      "MATCH (n:N) RETURN sum(n.v) AS s",
      "MATCH (n:N) WITH n.v AS v, count(n.w) AS c WHERE c > 1 RETURN v, c ORDER BY c DESC, v LIMIT "
      "5",
      "MATCH (a:N)-[:R]->(b) WITH a, count(b) AS d RETURN d, count(*) AS c, sum(d) AS s",
      "MATCH (a:N)-[:R]->(b) RETURN DISTINCT b.v AS v, a.v AS w",
      "MATCH (a:N)-[r:R]->(b) RETURN b, count(DISTINCT a) AS c, collect(r.x) AS x",
      "MATCH (a:N)-[:R]->(b) WITH a, sum(b.k) AS s, count(b.k) AS c RETURN a.k AS a, s, c",
      "MATCH (a:N)-[:R]->(b:N) WITH b, sum(a.k) AS s RETURN b.k AS k, s ORDER BY s DESC, k LIMIT 5",
      // Expansions of which only the number is used.
      "MATCH (a:N)-[:R]->(b) RETURN a.k AS a, count(*) AS c, count(b) AS b",
      "MATCH (a:N)-[r:R|S]-(b) RETURN a.v AS v, count(r) AS c, max(a.k) AS k",
      "MATCH (a:N)--(b) RETURN count(*) AS c, count(DISTINCT a.v) AS v, count(a.v) AS n",
      "MATCH (a:N)<--(b)--(c) RETURN a.k AS a, count(*) AS c",
      "MATCH (a:N)-[]-(b)-[]-(c)-[]-(d) RETURN count(*) AS c, count(d) AS d",
      "MATCH (a:N)-[r]-(a) RETURN a.k AS a, count(*) AS c",
      "MATCH (a:N {k: 3}), (b:N) MATCH (a)-[r]-(b) RETURN b.k AS b, count(*) AS c",
      "MATCH (a:N)-[:R]->(b) WITH a, count(*) AS d WHERE d > 1 RETURN a.k AS k, d",
      "MATCH (a:N) CALL (a) { MATCH (a)-[:S]-() RETURN count(*) AS c } RETURN a.k AS k, c",
      // Paths whose elements are tested during the expansion, and paths of which only the ends are
      // used.
      "MATCH (:N {k: 1})-[r:R*1..4]->(b) WHERE all(x IN r WHERE x.x <> 3) RETURN count(DISTINCT b) "
      "AS c",
      "MATCH (:N {k: 1})-[r:R*1..3]->(b) WHERE none(x IN r WHERE x.x > 3) RETURN count(*) AS c",
      "MATCH p = (:N {k: 2})-[:R|S*0..3]->(b) WHERE none(x IN relationships(p) WHERE x.x = 1) AND "
      "all(n IN nodes(p) WHERE n.k < 35) RETURN DISTINCT b.k AS k",
      "MATCH p = (:N {k: 2})-[:R*1..3]->(b) WHERE all(n IN nodes(p) WHERE n.v > 2) RETURN "
      "length(p) AS l",
      "MATCH p = (:N {k: 2})-[:R*1..3]->(b) WHERE all(r IN relationships(p) WHERE r.x + 1 > 2) "
      "RETURN count(DISTINCT b) AS c",
      "MATCH (a:N)-[:R*1..2]->(a) RETURN DISTINCT a.k AS k",
      "MATCH (a:N {k: 4})-[:R*0..2 {x: 1}]->(b) RETURN max(b.k) AS most, min(b.k) AS least",
      "MATCH (a:N {k: 4})-[:R*2..3]->(b) RETURN count(DISTINCT b) AS c",
      "MATCH (a:N {k: 4})-[:R*1..2]-(b) RETURN count(DISTINCT b) AS c",
      "MATCH (a:N {k: 4})-[:R]->(), (a)-[:R*1..2]->(b) RETURN count(DISTINCT b) AS c",
      // Cycles, which use no relationship twice.
      "MATCH (a:N)-[r]->(b)-[s]->(c), (a)-[t]->(c) RETURN count(*) AS n, count(DISTINCT a) AS a",
      "MATCH (a:N)-[]-(b)-[]-(c), (a)-[]-(c) RETURN count(*) AS n",
      "MATCH (a:N)-[:R]->(b)<-[:R|S]-(c), (c)-[:R]->(a) WHERE a.k < 20 RETURN a.k AS a, count(*) "
      "AS n",
      // Rows of other clauses.
      "MATCH (a:N) OPTIONAL MATCH (a)-[r:R]->(b) WHERE b.k > 20 RETURN a.k AS k, count(r) AS c, "
      "collect(b.k) AS b",
      "MATCH (a:N {k: 1}) OPTIONAL MATCH (a)-[:Z]->(b) MATCH (b)-[:R]->(c) RETURN count(*) AS c",
      "UNWIND [1, 3, 3, 50] AS k MATCH (n:N {k: k})-[:R]->(m) RETURN k, m.k AS m",
      "MATCH (a:N)-[:R]->(b) WITH a, b LIMIT 3 RETURN count(*) AS c",
      "MATCH (a:N) WHERE EXISTS { (a)-[:R]->(:N {v: 1}) } RETURN a.k AS k, COUNT { (a)--() } AS c",
      "MATCH (a:N) CALL (a) { MATCH (a)-[:R]->(b) RETURN sum(b.k) AS s } RETURN a.k AS k, s",
  };
  return all;
}

}  // namespace cairn::test
