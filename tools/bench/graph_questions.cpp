// The questions of `cairn-bench graph`: single reads, paths, triangles, aggregations and writes,
// each in Cairn's language and in SQL.
#include "tools/bench/graph_peer.hpp"

#include <array>

namespace cairn::tools {
namespace {

using enum GraphOperands;

// A path in Cairn's language uses no relationship twice. The SQL texts follow only the ends of
// relationships if the result is the same; otherwise they also compare the relationships.
constexpr std::array questions{
    GraphQuestion{"point", "a property of one person", person,
                  "MATCH (p:Person {id: $id}) RETURN p.name AS name",
                  "SELECT name FROM person WHERE id = ?1"},
    GraphQuestion{"hop1", "whom a person knows", person,
                  "MATCH (:Person {id: $id})-[:KNOWS]->(f) RETURN f.id AS id",
                  "SELECT b AS id FROM knows WHERE a = ?1"},
    GraphQuestion{"hop2", "different persons two steps away", person,
                  "MATCH (:Person {id: $id})-[:KNOWS]->()-[:KNOWS]->(g) "
                  "RETURN count(DISTINCT g) AS n",
                  "SELECT count(DISTINCT k2.b) AS n FROM knows k1 JOIN knows k2 ON k2.a = k1.b "
                  "WHERE k1.a = ?1"},
    GraphQuestion{"hop3", "ways of three steps to others", person,
                  "MATCH (p:Person {id: $id})-[:KNOWS]->(f)-[:KNOWS]->(g)-[:KNOWS]->(h) "
                  "WHERE h <> p AND h <> f RETURN count(*) AS n",
                  "SELECT count(*) AS n FROM knows k1 JOIN knows k2 ON k2.a = k1.b "
                  "JOIN knows k3 ON k3.a = k2.b WHERE k1.a = ?1 AND k3.b <> k1.a "
                  "AND k3.b <> k1.b"},
    GraphQuestion{"reach3", "different persons within three steps", person,
                  "MATCH (:Person {id: $id})-[:KNOWS*1..3]->(g) RETURN count(DISTINCT g) AS n",
                  "WITH RECURSIVE reach(id, hops) AS (SELECT b, 1 FROM knows WHERE a = ?1 UNION "
                  "SELECT k.b, r.hops + 1 FROM reach r JOIN knows k ON k.a = r.id "
                  "WHERE r.hops < 3) SELECT count(DISTINCT id) AS n FROM reach"},
    GraphQuestion{"var4", "the same in four steps over recent relationships", person,
                  "MATCH p = (:Person {id: $id})-[:KNOWS*1..4]->(g) "
                  "WHERE all(r IN relationships(p) WHERE r.since >= 2015) "
                  "RETURN count(DISTINCT g) AS n",
                  "WITH RECURSIVE reach(id, hops) AS (SELECT b, 1 FROM knows WHERE a = ?1 AND "
                  "since >= 2015 UNION SELECT k.b, r.hops + 1 FROM reach r JOIN knows k "
                  "ON k.a = r.id WHERE r.hops < 4 AND k.since >= 2015) "
                  "SELECT count(DISTINCT id) AS n FROM reach"},
    GraphQuestion{"var4in", "the same with the condition on the relationship variable", person,
                  "MATCH (:Person {id: $id})-[r:KNOWS*1..4]->(g) "
                  "WHERE all(x IN r WHERE x.since >= 2015) RETURN count(DISTINCT g) AS n",
                  "WITH RECURSIVE reach(id, hops) AS (SELECT b, 1 FROM knows WHERE a = ?1 AND "
                  "since >= 2015 UNION SELECT k.b, r.hops + 1 FROM reach r JOIN knows k "
                  "ON k.a = r.id WHERE r.hops < 4 AND k.since >= 2015) "
                  "SELECT count(DISTINCT id) AS n FROM reach"},
    GraphQuestion{"fof20", "twenty persons whom most friends know", person,
                  "MATCH (p:Person {id: $id})-[:KNOWS]->()-[:KNOWS]->(g) WHERE g <> p "
                  "RETURN g.id AS id, count(*) AS n ORDER BY n DESC, id LIMIT 20",
                  "SELECT k2.b AS id, count(*) AS n FROM knows k1 JOIN knows k2 ON k2.a = k1.b "
                  "WHERE k1.a = ?1 AND k2.b <> ?1 GROUP BY k2.b ORDER BY n DESC, id LIMIT 20",
                  false, true},
    GraphQuestion{"shortest", "the length of a shortest path", two_persons,
                  "MATCH (a:Person {id: $id}), (b:Person {id: $other}), "
                  "p = shortestPath((a)-[:KNOWS*]->(b)) RETURN length(p) AS hops",
                  "WITH RECURSIVE reach(id, hops) AS (SELECT b, 1 FROM knows WHERE a = ?1 UNION "
                  "SELECT k.b, r.hops + 1 FROM reach r JOIN knows k ON k.a = r.id "
                  "WHERE r.hops < 6) SELECT min(hops) AS hops FROM reach WHERE id = ?2 "
                  "HAVING min(hops) IS NOT NULL"},
    GraphQuestion{"tri_node", "triangles of one person", person,
                  "MATCH (p:Person {id: $id})-[:KNOWS]->(f)-[:KNOWS]->(g), (p)-[:KNOWS]->(g) "
                  "RETURN count(*) AS n",
                  "SELECT count(*) AS n FROM knows k1 JOIN knows k2 ON k2.a = k1.b "
                  "JOIN knows k3 ON k3.a = k1.a AND k3.b = k2.b WHERE k1.a = ?1"},
    GraphQuestion{"tri_all", "triangles of persons over 60", none,
                  "MATCH (p:Person)-[:KNOWS]->(f)-[:KNOWS]->(g), (p)-[:KNOWS]->(g) "
                  "WHERE p.age > 60 RETURN count(*) AS n",
                  "SELECT count(*) AS n FROM person p JOIN knows k1 ON k1.a = p.id "
                  "JOIN knows k2 ON k2.a = k1.b JOIN knows k3 ON k3.a = p.id AND k3.b = k2.b "
                  "WHERE p.age > 60"},
    GraphQuestion{"recent20", "the newest twenty messages of friends", person,
                  "MATCH (:Person {id: $id})-[:KNOWS]->(f)-[:WROTE]->(m) "
                  "RETURN m.id AS id, m.created AS created ORDER BY created DESC LIMIT 20",
                  "SELECT m.id AS id, m.created AS created FROM knows k JOIN message m "
                  "ON m.author = k.b WHERE k.a = ?1 ORDER BY created DESC LIMIT 20",
                  false, true},
    GraphQuestion{"group", "messages and mean length by language", none,
                  "MATCH (m:Message) RETURN m.lang AS lang, count(*) AS n, sum(m.length) AS total",
                  "SELECT lang, count(*) AS n, sum(length) AS total FROM message GROUP BY lang"},
    GraphQuestion{"toptags", "the ten most frequent tags of messages in one language", none,
                  "MATCH (m:Message {lang: 'de'})-[:TAGGED]->(t:Tag) "
                  "RETURN t.name AS name, count(*) AS n ORDER BY n DESC, name LIMIT 10",
                  "SELECT t.name AS name, count(*) AS n FROM message m JOIN tagged x "
                  "ON x.message = m.id JOIN tag t ON t.id = x.tag WHERE m.lang = 'de' "
                  "GROUP BY t.name ORDER BY n DESC, t.name LIMIT 10",
                  false, true},
    GraphQuestion{"degrees", "how many persons know how many", none,
                  "MATCH (p:Person)-[:KNOWS]->(f) WITH p, count(f) AS degree "
                  "RETURN degree, count(*) AS n ORDER BY degree",
                  "SELECT degree, count(*) AS n FROM (SELECT a, count(b) AS degree FROM knows "
                  "GROUP BY a) d GROUP BY degree ORDER BY degree",
                  false, true},
    GraphQuestion{"rank1", "twenty persons by the ages of those who know them", none,
                  "MATCH (p:Person)-[:KNOWS]->(f:Person) WITH f, sum(p.age) AS score "
                  "RETURN f.id AS id, score ORDER BY score DESC, id LIMIT 20",
                  "SELECT k.b AS id, sum(p.age) AS score FROM person p JOIN knows k ON k.a = p.id "
                  "GROUP BY k.b ORDER BY score DESC, id LIMIT 20",
                  false, true},
    GraphQuestion{"pagerank", "PageRank over KNOWS, twenty rounds", none,
                  "CALL graph.pagerank({labels: 'Person', types: 'KNOWS', iterations: 20, "
                  "tolerance: 0}) YIELD node, score WITH node, score ORDER BY score DESC LIMIT 20 "
                  "RETURN node.id AS id, score",
                  "", false, true},
    GraphQuestion{"ppr", "twenty persons by PageRank around one", person,
                  "MATCH (p:Person {id: $id}) CALL graph.personalizedPagerank(p, {types: 'KNOWS'}) "
                  "YIELD node, score WITH node, score ORDER BY score DESC LIMIT 20 "
                  "RETURN node.id AS id, score",
                  "", false, true},
    GraphQuestion{"components", "how many components KNOWS makes", none,
                  "CALL graph.components({labels: 'Person', types: 'KNOWS'}) YIELD component "
                  "RETURN count(DISTINCT component) AS n",
                  ""},
    GraphQuestion{
        "strong", "how many of them strongly connected", none,
        "CALL graph.stronglyConnected({labels: 'Person', types: 'KNOWS'}) YIELD component "
        "RETURN count(DISTINCT component) AS n",
        ""},
    GraphQuestion{"triangles", "how many triangles KNOWS makes, without directions", none,
                  "CALL graph.triangles({labels: 'Person', types: 'KNOWS'}) YIELD triangles "
                  "RETURN sum(triangles) / 3 AS n",
                  "WITH e AS (SELECT DISTINCT CASE WHEN a < b THEN a ELSE b END AS x, "
                  "CASE WHEN a < b THEN b ELSE a END AS y FROM knows WHERE a <> b) "
                  "SELECT count(*) AS n FROM e e1 JOIN e e2 ON e2.x = e1.y "
                  "JOIN e e3 ON e3.x = e1.x AND e3.y = e2.y"},
    GraphQuestion{"cores", "the greatest core", none,
                  "CALL graph.kCore({labels: 'Person', types: 'KNOWS'}) YIELD core "
                  "RETURN max(core) AS n",
                  ""},
    GraphQuestion{"leiden", "communities by Leiden", none,
                  "CALL graph.leiden({labels: 'Person', types: 'KNOWS'}) YIELD community "
                  "RETURN count(DISTINCT community) AS n",
                  ""},
    GraphQuestion{
        "cheapest", "the cost of a path with the oldest relationships", two_persons,
        "MATCH (a:Person {id: $id}), (b:Person {id: $other}) CALL graph.shortestPath(a, b, "
        "{types: 'KNOWS', weight: 'since'}) YIELD cost RETURN cost",
        ""},
    GraphQuestion{"upsert", "one person by id, made where missing", number,
                  "MERGE (p:Person {id: $n}) SET p.age = 30, p.name = 'New'",
                  "INSERT INTO person VALUES (?1, 'New', 30, 'City 0') "
                  "ON CONFLICT (id) DO UPDATE SET age = 30, name = 'New'",
                  true},
    GraphQuestion{"link", "one relationship between two persons", two_persons,
                  "MATCH (a:Person {id: $id}), (b:Person {id: $other}) "
                  "CREATE (a)-[:MET {since: 2026}]->(b)",
                  "INSERT INTO met VALUES (?1, ?2, 2026)", true},
    GraphQuestion{"add1", "one message with its author", number,
                  "MATCH (p:Person {id: 7}) CREATE (p)-[:WROTE]->(:Message "
                  "{id: $n, lang: 'en', length: 10, created: $n})",
                  "INSERT INTO message VALUES (?1, 7, 'en', 10, ?1)", true},
    GraphQuestion{"hub", "the person with most relationships, deleted with them", none,
                  "MATCH (p:Person)-[r:KNOWS]-() WITH p, count(r) AS n ORDER BY n DESC, p.id "
                  "LIMIT 1 DETACH DELETE p",
                  "", true},
};

}  // namespace

std::span<const GraphQuestion> graph_questions() { return questions; }

}  // namespace cairn::tools
