// Hostile statements by operator. They exceed a limit by rows in memory, by rows that they produce,
// by one row that is too large, or by work that produces no row.
#include "tests/query/execute/hostile/hostile_graph.hpp"

namespace cairn::test {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// Repeats `text` with the numbers 1, 2, ... in place of each #.
std::string numbered(const std::string& text, int times) {
  std::string all;
  for (int i = 1; i <= times; ++i)
    for (const char c : text)
      if (c == '#')
        all += std::to_string(i);
      else
        all += c;
  return all;
}

using Statements = std::vector<HostileStatement>;

Statements patterns() {
  const std::string row = "MATCH (a:K)";
  return {
      {"pattern", "MATCH (a:K)--(b)--(c)--(d)--(e)--(f)--(g) RETURN count(*)"},
      {"pattern", "MATCH (a:K)" + repeated("--()", 60) + " RETURN count(*)", true},
      {"pattern", "MATCH (a:K)" + repeated("--()", 400) + " RETURN count(*)", true},
      {"pattern", "MATCH (a:K)" + repeated("--()", 900) + " RETURN count(*)", true},
      {"pattern", "MATCH (a:K)" + numbered("-[r#]-(n#)", 300) + " RETURN a, n300", true},
      {"pattern", "MATCH (a:K)" + repeated("--(:K)", 200) + " RETURN count(*)", true},
      {"pattern", "MATCH p = (a:K)" + repeated("--()", 200) + " RETURN p", true},
      {"pattern", "MATCH (a:C)" + repeated("-->()", 900) + " RETURN count(*)", true},
      {"pattern", "MATCH " + numbered("(a#:Spoke), ", 30) + "(z:Spoke) RETURN count(*)"},
      {"pattern", "MATCH " + numbered("(a#:K), ", 300) + "(z:K) RETURN count(z)", true},
      {"pattern", "MATCH (h:Hub)-->(a), (h)-->(b), (h)-->(c) RETURN a, b, c"},
      {"pattern", "MATCH (a:Spoke)<--(h)-->(b) WHERE a.i + b.i < 0 RETURN count(*)"},
      {"pattern", "MATCH (a:Spoke), (b:Spoke) WHERE (a)-->(b) RETURN count(*)"},
      {"pattern", "MATCH (l:Long) WITH l.text AS t MATCH (s:Spoke) RETURN count(t + s.i)", true},
      {"pattern", "MATCH (l:Long) WITH l.text AS t MATCH (a:K)--(b)--(c) RETURN t, c", true},
      {"pattern",
       "MATCH (l:Long) WITH l.text AS t MATCH (h:Hub)-->(s) WITH t, s ORDER BY s.i "
       "RETURN count(t)",
       true},
      {"pattern", "MATCH (l:Long) WITH l.text AS t MATCH ()-[r]->() RETURN t, r", true},
      {"pattern", "MATCH ()-[r]-(), ()-[q]-() WHERE id(r) + id(q) < 0 RETURN count(*)"},
  };
}

Statements paths() {
  return {
      {"path", "MATCH (:K)-[:L*]-(:K) RETURN count(*)"},
      {"path", "MATCH p = (:K)-[:L*]-(:K) RETURN p"},
      {"path", "MATCH p = (:K)-[:L*1..9]-() RETURN max(length(p))"},
      {"path", "MATCH p = (:K)-[*]-() RETURN collect(p)", true},
      {"path", "MATCH (:K)-[r*1..6]-(:K) RETURN collect(r)", true},
      {"path", "MATCH (:K)-[r*4..6]-(:K) RETURN r ORDER BY size(r)", true},
      {"path", "MATCH p = (:C {i: 1})-[*]->() RETURN p", true},
      {"path", "MATCH p = (:C)-[*]->() RETURN count(p)", true},
      {"path", "MATCH (:C)-[r*]->() RETURN count(r)", true},
      {"path", "MATCH p = (:C)-[*]->() RETURN collect(length(p))", true},
      {"path", "MATCH p = (:C)-[*]-() RETURN collect(nodes(p))", true},
      {"path", "MATCH (:C)-[r*4900..]->() RETURN collect(r)", true},
      {"path", "MATCH (h:Hub)-[*1..3]-(s) RETURN count(s)"},
      {"path", "MATCH (s:Spoke)-[*]-(t:Spoke) RETURN count(*)"},
      {"path", "MATCH (s:Spoke)-[*2]-(t) RETURN s, t"},
      {"path", "MATCH (a:K), (b:K) MATCH (a)-[*5..]-(b) RETURN count(*)"},
      {"path", "MATCH p = (:Layer {d: 1})-[:DOWN*]->(:Layer {d: 12}) RETURN count(p)"},
      {"path", "MATCH (:Layer {d: 1})-[r:DOWN*11]->() RETURN collect(r)", true},
      {"path", "MATCH (a:K) WHERE all(x IN [(a)-[*1..5]-(b) | b.i] WHERE x > 0) RETURN a"},
  };
}

Statements shortest_paths() {
  return {
      {"shortest",
       "MATCH (a:Layer {d: 1}), (b:Layer {d: 12}) MATCH p = allShortestPaths((a)-"
       "[:DOWN*]->(b)) RETURN count(p)",
       true},
      {"shortest",
       "MATCH (a:Layer {d: 1}), (b:Layer {d: 12}) MATCH p = allShortestPaths((a)-"
       "[:DOWN*]->(b)) RETURN p",
       true},
      {"shortest",
       "MATCH (a:K {i: 1}), (b:K {i: 2}) MATCH p = shortestPath((a)-[*]-(b)) WHERE "
       "length(p) > 6 RETURN p",
       true},
      {"shortest",
       "MATCH (a:K {i: 1}), (b:K {i: 2}) MATCH p = allShortestPaths((a)-[*]-(b)) WHERE "
       "any(n IN nodes(p) WHERE n.i > 99) RETURN p",
       true},
      {"shortest", "MATCH (a:C), (b:C) MATCH p = shortestPath((a)-[*]-(b)) RETURN count(p)"},
      {"shortest",
       "MATCH (a:C), (b:C) WHERE a.i < b.i MATCH p = shortestPath((a)-[*]->(b)) "
       "RETURN collect(p)",
       true},
      {"shortest", "MATCH (a:Spoke), (b:Spoke) MATCH p = shortestPath((a)-[*]-(b)) RETURN p"},
      {"shortest", "MATCH (a:Spoke), (b:K) MATCH p = shortestPath((a)-[*]-(b)) RETURN count(p)"},
      {"shortest",
       "MATCH (a:Layer {d: 1}), (b:Layer {d: 12}) MATCH p = shortestPath((a)-[*]-(b)) "
       "WHERE none(n IN nodes(p) WHERE n.d = 6) RETURN p"},
  };
}

Statements aggregates() {
  return {
      {"collect", "UNWIND range(1, 100000000) AS x RETURN collect(x)", true},
      {"collect", "UNWIND range(1, 100000000) AS x RETURN collect('some longer text ' + x)", true},
      {"collect", "UNWIND range(1, 100000000) AS x RETURN collect([x])", true},
      {"collect", "UNWIND range(1, 100000000) AS x RETURN collect({x: x, y: 'y'})", true},
      {"collect", "UNWIND range(1, 100000000) AS x RETURN collect(DISTINCT x)", true},
      {"collect", "UNWIND range(1, 100000000) AS x RETURN collect(DISTINCT toString(x))", true},
      {"collect", "UNWIND range(1, 100000000) AS x RETURN x % 5000 AS k, collect(x)", true},
      {"collect", "UNWIND range(1, 100000000) AS x RETURN x % 50000 AS k, collect(x), collect(-x)",
       true},
      {"collect", "WITH range(1, 100000) AS l UNWIND range(1, 1000000) AS x RETURN collect(l)"},
      {"collect", "MATCH (l:Long), (s:Spoke) RETURN collect(l.text)", true},
      {"collect", "MATCH (l:Long), (s:Spoke) RETURN collect(l.list)", true},
      {"collect", "MATCH (s:Spoke), (k:K) RETURN collect(s)", true},
      {"collect", "MATCH (s:Spoke), (k:K) RETURN collect({s: s, k: k})", true},
      {"aggregate", "UNWIND range(1, 100000000) AS x RETURN x, count(*)", true},
      {"aggregate", "UNWIND range(1, 100000000) AS x RETURN toString(x) AS k, sum(x), min(x)",
       true},
      {"aggregate", "UNWIND range(1, 100000000) AS x RETURN x, avg(x), max(x), stDev(x)", true},
      {"aggregate", "UNWIND range(1, 100000000) AS x RETURN x, max(range(1, 20000))", true},
      {"aggregate", "UNWIND range(1, 100000000) AS x RETURN count(DISTINCT x)", true},
      {"aggregate", "UNWIND range(1, 100000000) AS x RETURN x % 1000 AS k, count(DISTINCT x)",
       true},
      {"aggregate", "UNWIND range(1, 100000000) AS x RETURN percentileCont(x, 0.5)", true},
      {"aggregate", "UNWIND range(1, 100000000) AS x RETURN percentileDisc(-x, 0.5)", true},
      {"aggregate", "UNWIND range(1, 1000000000) AS x RETURN sum(x), count(*), avg(x)"},
      {"aggregate", "MATCH (a:Spoke), (b:Spoke) RETURN a.text + b.text AS k, count(*)", true},
      {"aggregate", "MATCH (a:Long), (b:Spoke) RETURN max(a.text + b.text)"},
      {"aggregate", "MATCH (a:Long), (b:Spoke) RETURN a.text + b.i AS k, min(b.text)", true},
      {"aggregate", "MATCH (a:Spoke), (b:Spoke) RETURN a, b, count(*)", true},
      {"aggregate", "MATCH (a:Spoke), (b:Spoke) RETURN b.group AS g, count(DISTINCT a.i * b.i)",
       true},
  };
}

Statements kept_rows() {
  return {
      {"distinct", "UNWIND range(1, 100000000) AS x RETURN DISTINCT x", true},
      {"distinct", "UNWIND range(1, 100000000) AS x RETURN DISTINCT toString(x) + ' is its name'",
       true},
      {"distinct", "UNWIND range(1, 100000000) AS x RETURN DISTINCT [x, x] AS l", true},
      {"distinct", "UNWIND range(1, 100000000) AS x WITH DISTINCT x, -x AS y RETURN count(*)",
       true},
      {"distinct", "UNWIND range(1, 1000000000) AS x RETURN DISTINCT x % 7 AS k"},
      {"distinct", "MATCH (a:Spoke), (b:Spoke) RETURN DISTINCT a, b", true},
      {"distinct", "MATCH (a:Long), (b:Spoke) RETURN DISTINCT a.text + b.i AS t", true},
      {"distinct", "MATCH (a:Long), (b:Spoke) RETURN DISTINCT a.list + b.i AS l", true},
      {"sort", "UNWIND range(1, 100000000) AS x RETURN x ORDER BY x DESC", true},
      {"sort", "UNWIND range(1, 100000000) AS x RETURN x ORDER BY toString(x)", true},
      {"sort", "UNWIND range(1, 100000000) AS x RETURN x, [x] AS l ORDER BY l DESC", true},
      {"sort", "UNWIND range(1, 1000000000) AS x RETURN x ORDER BY -x LIMIT 10"},
      {"sort", "UNWIND range(1, 100000000) AS x RETURN x ORDER BY -x LIMIT 100000000", true},
      {"sort", "UNWIND range(1, 100000000) AS x RETURN x ORDER BY x SKIP 50000000 LIMIT 5", true},
      {"sort", "MATCH (a:Spoke), (b:Spoke) RETURN a, b ORDER BY a.i + b.i", true},
      {"sort", "MATCH (a:Long), (b:Spoke) RETURN b.i ORDER BY a.text, b.i", true},
      {"sort", "MATCH (a:Long), (b:Spoke) RETURN a.text + b.i AS t ORDER BY t", true},
      {"sort", "MATCH (a:Long), (b:Spoke) WITH a.list AS l, b ORDER BY l, b.i RETURN count(*)"},
      {"sort", "MATCH (a:Long), (b:Spoke) RETURN b.i ORDER BY a.text + b.text LIMIT 3"},
      {"sort",
       "WITH range(1, 200000) AS l UNWIND range(1, 20000) AS x WITH l + [x] AS m "
       "ORDER BY m RETURN count(m)",
       true},
      {"union", "UNWIND range(1, 100000000) AS x RETURN x UNION RETURN 1 AS x", true},
      {"union",
       "UNWIND range(1, 100000000) AS x RETURN [x] AS x UNION UNWIND range(1, 100000000) AS "
       "x RETURN [x] AS x",
       true},
      {"union", "UNWIND range(1, 100000000) AS x RETURN toString(x) AS x UNION RETURN 'x' AS x",
       true},
      {"union", "MATCH (a:Long), (b:Spoke) RETURN a.text + b.i AS t UNION RETURN '' AS t", true},
      {"union", "UNWIND range(1, 1000000000) AS x RETURN x % 3 AS x UNION RETURN 1 AS x"},
      {"union", "UNWIND range(1, 100000000) AS x RETURN x UNION ALL RETURN 1 AS x"},
  };
}

Statements made_rows() {
  return {
      {"unwind",
       "UNWIND range(1, 1000000000) AS a UNWIND range(1, 1000000000) AS b WITH a, b WHERE "
       "a < 0 RETURN a"},
      {"unwind", "WITH range(1, 100000) AS l UNWIND l AS a UNWIND l AS b RETURN count(*)"},
      {"unwind",
       "MATCH (l:Long) UNWIND [l.text, l.text] AS t UNWIND range(1, 1000) AS i RETURN t, i", true},
      {"unwind",
       "MATCH (l:Long) WITH collect(l.text) AS ts UNWIND range(1, 1000) AS i UNWIND ts AS t "
       "RETURN t, i",
       true},
      {"unwind",
       "MATCH (l:Long) WITH collect(l.text) AS ts UNWIND ts AS a UNWIND ts AS b UNWIND ts "
       "AS c RETURN count(*)",
       true},
      {"unwind", "UNWIND range(1, 100000000) AS a WITH a AS b SKIP 99999999 RETURN b"},
      {"unwind", "UNWIND range(1, 5000000) AS a " + repeated("WITH a + 1 AS a ", 300) + "RETURN a",
       true},
      {"project", "MATCH (l:Long), (s:Spoke) RETURN l.text + s.i, l.text, l.list"},
      {"project",
       "MATCH (l:Long), (s:Spoke) WITH *, l.text AS a, l.text AS b, l.text AS c, l.text AS "
       "d ORDER BY s.i RETURN a, b, c, d",
       true},
      {"project", "UNWIND range(1, 1000) AS x WITH range(1, 100000) AS l RETURN l", true},
      {"project",
       "MATCH (s:Spoke) WITH collect(s) AS every RETURN every, [x IN every | x.text] AS texts"},
      {"project",
       "MATCH (s:Spoke) WITH collect(s) AS every UNWIND range(1, 1000) AS i RETURN every, i", true},
      {"project",
       "MATCH (l:Long) WITH collect(l) AS z RETURN z, z AS b, z AS c, z AS d, "
       "z AS e, z AS f, z AS g",
       true},
      {"optional",
       "MATCH (a:Spoke) OPTIONAL MATCH (b:Spoke) WHERE b.i = -a.i OR b.text = a.text + 'x' "
       "RETURN count(b)"},
      {"optional", "MATCH (l:Long) WITH l.text AS t OPTIONAL MATCH (a:K)--(b)--(c) RETURN t, c",
       true},
      {"optional", "MATCH (a:K) OPTIONAL MATCH (a)" + repeated("--()", 300) + " RETURN count(*)",
       true},
      {"subquery", "MATCH (a:Spoke) RETURN sum(count { (b:Spoke) WHERE b.i + 1 > a.i })"},
      {"subquery",
       "MATCH (a:Spoke) WHERE exists { MATCH (a)--(h)--(b) WHERE b.i < 0 RETURN b } "
       "RETURN a"},
      {"subquery", "RETURN collect { UNWIND range(1, 100000000) AS x RETURN DISTINCT x } AS l",
       true},
      {"subquery", "RETURN collect { UNWIND range(1, 100000000) AS x RETURN x ORDER BY -x } AS l",
       true},
      {"call", "UNWIND range(1, 100000000) AS x CALL db.labels() YIELD label RETURN count(label)"},
      {"call", "UNWIND range(1, 100000000) AS x CALL db.labels() YIELD label RETURN collect(label)",
       true},
      {"call",
       "UNWIND range(1, 1000000) AS x CALL db.indexes() YIELD name, options RETURN "
       "collect(options)",
       true},
      {"call",
       "UNWIND range(1, 100000) AS x CALL db.facets({field: 'i', operator: 'exists'}, ['text', "
       "'i']) YIELD value RETURN "
       "count(value)"},
      {"call",
       "UNWIND range(1, 100000) AS x CALL db.facets({field: 'i', operator: 'exists'}, 'text') "
       "YIELD value RETURN "
       "collect(value)",
       true},
      {"call",
       "MATCH (l:Long) WITH l.text AS t UNWIND range(1, 1000) AS x CALL db.propertyKeys() "
       "YIELD propertyKey RETURN t, propertyKey",
       true},
      {"call",
       "UNWIND range(1, 100000) AS x CALL db.rules.preview() YIELD node RETURN count(node)"},
      {"call",
       "CALL db.facets({field: 'i', operator: 'exists'}, [x IN range(1, 500) | 'text']) YIELD "
       "value RETURN count(value)",
       true},
      {"call",
       "CALL db.facets({field: 'i', operator: 'in', value: range(1, 200000)}, 'group') YIELD value "
       "RETURN count(value)",
       true},
      {"call",
       "CALL db.facets({operator: 'OR', filters: [x IN range(1, 100000) | {field: 'i', operator: "
       "'equals', value: x}]}, "
       "'group') YIELD value RETURN count(value)",
       true},
  };
}

/// Searches: hits of many words, of prefixes of thousands of words, of questions as long as texts, and of every vector.
Statements searches() {
  const std::string endless = "UNWIND range(1, 100000) AS x ";
  const std::string spokes = endless + "MATCH (s:Spoke) SEARCH s IN (";
  const std::string of_long =
      "MATCH (l:Long) MATCH (s) SEARCH s IN (FULLTEXT INDEX texts FOR left(l.text, 50000)";
  const std::string by_vector =
      "MATCH (a:Spoke) MATCH (b:Spoke) SEARCH b IN (VECTOR INDEX points FOR a.v ";
  const std::string hybrid =
      "MATCH (a:Spoke) MATCH (b:Spoke) SEARCH b IN (HYBRID VECTOR INDEX points FOR a.v, ";
  return {
      {"search", spokes + "FULLTEXT INDEX texts FOR 'a* n*' LIMIT 20000) RETURN count(s)"},
      {"search", spokes + "FULLTEXT INDEX texts FOR '1* 2* 3* t*' LIMIT 20000) RETURN collect(s)",
       true},
      {"search",
       spokes + "FULLTEXT INDEX texts FOR 'numbr~2 1999~2' LIMIT 20000) SCORE AS c RETURN sum(c)"},
      {"search", endless + "MATCH (l:Long) SEARCH l IN (FULLTEXT INDEX texts FOR '\"words "
                           "length\"~9' LIMIT 40) RETURN count(l)"},
      {"search", of_long + " PLAIN LIMIT 20000) RETURN count(s)", true},
      {"search", of_long + " LIMIT 20000) RETURN collect(s)", true},
      {"search",
       "MATCH (l:Long) MATCH (s) SEARCH s IN (FULLTEXT INDEX texts FOR replace(l.text, ' ', '~2 ') "
       "LIMIT 9) RETURN count(s)",
       true},
      {"search",
       "WITH reduce(q = '', x IN range(1, 9000) | q + ' ' + x + '*') AS q MATCH (s) SEARCH s IN "
       "(FULLTEXT INDEX texts FOR q LIMIT 20000) RETURN count(s)",
       true},
      {"search",
       "WITH reduce(q = 'text', x IN range(1, 9000) | '(' + q + ' AND n*)') AS q MATCH (s) SEARCH "
       "s IN (FULLTEXT INDEX texts FOR q LIMIT 20000) RETURN count(s)",
       true},
      {"search",
       endless + "CALL db.index.fulltext.queryNodes('texts', 'a* text') YIELD node, score RETURN "
                 "collect(node)",
       true},
      {"search",
       "MATCH (l:Long), (s:Spoke) RETURN count(text.snippet(l.text, 'w* ' + s.text, {index: "
       "'texts'}))",
       true},
      {"search", by_vector + "EXACT LIMIT 9000) RETURN count(b)"},
      {"search", by_vector + "EF 100000 LIMIT 9000) RETURN collect(b)", true},
      {"search", by_vector + "WITHIN 1000000) RETURN a, b"},
      {"search",
       by_vector + "WHERE exists { (b)--()--(c:Spoke) WHERE c.i < 0 } LIMIT 10) RETURN count(b)"},
      {"search", endless + "MATCH (s:Spoke {i: 7}) CALL db.index.vector.queryNodes('points', 9000, "
                           "s.v) YIELD node RETURN count(node)"},
      {"search",
       hybrid +
           "FULLTEXT INDEX texts FOR 'number a*' CANDIDATES 100000 LIMIT 20000) RETURN count(b)",
       true},
      {"search", hybrid + "GRAPH (b)-[*1..6]-() LIMIT 20000) RETURN count(b)", true},
      {"search", hybrid + "RANKED INDEX texts FOR a.text LIMIT 20000) RETURN collect(b)", true},
      {"recall",
       endless + "CALL db.recall('the text of numbers', {limit: 20000, hops: 2}) YIELD node RETURN "
                 "count(node)",
       true},
      {"recall",
       "MATCH (l:Long) CALL db.recall(l.text, {limit: 20000}) YIELD node RETURN collect(node)",
       true},
      {"recall",
       "CALL db.recall('words of number 7', {limit: 20000, context: 1000, max_tokens: 1000000000}) "
       "YIELD passage RETURN collect(passage)",
       true},
      {"recall",
       "MATCH (s:Spoke) CALL db.recall(s.text, {limit: 1000, vector_index: 'points', vector: s.v, "
       "expand: 'session', relationship_types: ['HAS']}) YIELD passage RETURN collect(passage)",
       true},
      {"recall",
       "CALL db.recall('text', {boosts: [x IN range(1, 9000) | {filter: {field: 'i', operator: "
       "'equals', value: x}, weight: 0.5}]}) YIELD node RETURN count(node)",
       true},
  };
}

/// Questions of megabytes, whose words are found before anything is searched: of many words, of one identifier with many
/// parts, beyond ASCII, and of a single word. No row limits them, and no posting is read.
Statements long_questions() {
  const std::string asked =
      "MATCH (l:Long {i: 1}) WITH l, l.text + l.text AS q WITH l, q + q AS q WITH l, q + q AS q ";
  const std::string parts = asked + "WITH l, replace(left(q, 800000), ' ', 'A') AS q ";
  const std::string beyond = asked + "WITH l, replace(left(q, 800000), 'o', '\u00f6') AS q ";
  const std::string word = asked + "WITH l, replace(left(q, 800000), ' ', '\u00f6') AS q ";
  const std::string humps =
      "MATCH (l:Long {i: 1}) WITH l, reduce(q = 'aBcD', i IN range(1, 19) | q + q) AS q ";
  const std::string search = "MATCH (s) SEARCH s IN (FULLTEXT INDEX texts FOR q ";
  const std::string call = "CALL db.index.fulltext.queryNodes('texts', ";
  const std::string recall = "CALL db.recall(q) YIELD node RETURN count(node)";
  Statements statements;
  for (const std::string& question : {asked, parts, beyond, word, humps}) {
    statements.push_back({"question", question + search + "PLAIN LIMIT 10) RETURN count(s)", true});
    statements.push_back({"question", question + search + "LIMIT 10) RETURN count(s)", true});
    statements.push_back({"question", question + call + "q) YIELD node RETURN count(node)", true});
    statements.push_back(
        {"question", question + call + "'\"' + q + '\"') YIELD node RETURN count(node)", true});
    statements.push_back({"question", question + recall, true});
    statements.push_back({"question", question + "RETURN text.snippet(l.text, q)", true});
    statements.push_back(
        {"question", question + "RETURN text.highlights(l.text, '\"' + q + '\"')", true});
  }
  return statements;
}

/// Algorithms on the whole graph, for each of many rows or with the most work that their options allow.
Statements algorithms() {
  const std::string endless = "UNWIND range(1, 100000) AS x CALL graph.";
  const std::string all = "MATCH (s:Spoke) WITH collect(s) AS spokes ";
  Statements statements{
      {"graph",
       "CALL graph.betweenness({exact: true, direction: 'both'}) YIELD score RETURN sum(score)"},
      {"graph",
       endless +
           "pagerank({tolerance: 0, damping: 0.999}) YIELD node, score RETURN collect(score)"},
      {"graph", all + "UNWIND range(1, 100000) AS x CALL graph.personalizedPagerank(spokes, "
                      "{direction: 'both', tolerance: "
                      "1e-12}) YIELD score RETURN sum(score)"},
      {"graph",
       "MATCH (s:Spoke) CALL graph.personalizedPagerank(s, {direction: 'both'}) YIELD node RETURN "
       "collect(node)",
       true},
      {"graph",
       all + "CALL graph.similarity(spokes, {limit: 20000, direction: 'both'}) YIELD node, other "
             "RETURN collect(other)",
       true},
      {"graph",
       "MATCH (a:K {i: 1}), (b:K {i: 2}) CALL graph.kShortest(a, b, 1000000, {direction: 'both'}) "
       "YIELD path RETURN count(path)",
       true},
      {"graph",
       "MATCH (a:Layer {d: 1}), (b:Layer {d: 12}) CALL graph.kShortest(a, b, 1000000) YIELD path "
       "RETURN collect(path)",
       true},
      {"graph",
       "MATCH (a:Spoke), (b:Spoke) CALL graph.shortestPath(a, b, {direction: 'both'}) YIELD path "
       "RETURN count(path)"},
  };
  for (const char* name : {"louvain", "leiden", "labelPropagation"})
    statements.push_back(
        {"graph", endless + name + "({seed: x}) YIELD node, community RETURN collect(community)",
         true});
  for (const char* name : {"components", "stronglyConnected", "kCore", "triangles"})
    statements.push_back({"graph", endless + name + "() YIELD node RETURN count(node)"});
  return statements;
}

Statements writes() {
  return {
      {"write", "UNWIND range(1, 100000000) AS i CREATE (:New {i: i})", true},
      {"write", "UNWIND range(1, 100000) AS i CREATE (:New {i: i, text: 'text ' + i})", true},
      {"write", "UNWIND range(1, 20000) AS i MATCH (l:Long {i: 1}) CREATE (:New {text: l.text})",
       true},
      {"write", "MATCH (l:Long), (s:Spoke) SET s.copy = l.text + s.i", true},
      {"write", "MATCH (l:Long), (s:Spoke) CREATE (l)-[:R {list: l.list}]->(s)", true},
      {"write", "MATCH (a:Spoke), (b:Spoke) CREATE (a)-[:R]->(b)", true},
      {"write", "MATCH (a:Spoke), (b:Spoke) SET a.touched = b.i", true},
      {"write", "MATCH (a:Spoke), (b:Spoke) MERGE (:New {i: a.i * b.i})", true},
      {"write", "MATCH (a:Spoke) MERGE (b:New {text: a.text}) ON CREATE SET b.i = a.i", true},
      {"write", "UNWIND range(1, 200) AS x MERGE (a:Spoke {group: x % 97}) ON MATCH SET a.seen = x",
       true},
      {"write",
       "MATCH (s:Spoke) WITH collect(s) AS every FOREACH (x IN every | FOREACH (y IN every | SET "
       "x.i = y.i))"},
      {"write", "FOREACH (i IN range(1, 900000) | CREATE (:New {i: i}))", true},
      {"write", "FOREACH (i IN range(1, 300000) | CREATE (:A)-[:B]->(:C {i: i, j: 'j'}))", true},
      {"write", "MATCH (n) DETACH DELETE n"},
      {"write", "MATCH (a:Spoke), (b:Spoke) DETACH DELETE a, b", true},
      {"write", "MATCH (s:Spoke) SET s:A, s:B, s:D SET s.a = 1, s.b = s.text, s += {c: 1, d: 2}"},
      {"write", "MATCH (s:Spoke), (k:K) SET s = {i: k.i, text: s.text + 'x', list: [1, 2, 3]}"},
      {"write",
       "UNWIND range(1, 100000) AS x CALL db.rules.count() YIELD records CREATE (:New {i: "
       "records})"},
  };
}

}  // namespace

Statements hostile_statements() {
  Statements all;
  for (Statements some : {patterns(), paths(), shortest_paths(), aggregates(), kept_rows(),
                          made_rows(), searches(), long_questions(), algorithms(), writes()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace cairn::test
