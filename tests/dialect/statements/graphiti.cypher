// Forms of statements that Graphiti sends. Entities and facts have a vector each, and a group.
CREATE INDEX entity_uuid IF NOT EXISTS FOR (n:Entity) ON (n.uuid);
CREATE INDEX episode_uuid IF NOT EXISTS FOR (n:Episodic) ON (n.uuid);
CREATE INDEX fact_uuid IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON (e.uuid);
CREATE INDEX entity_group IF NOT EXISTS FOR (n:Entity) ON (n.group_id);
CREATE INDEX fact_valid IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON (e.valid_at);
CREATE FULLTEXT INDEX entity_words IF NOT EXISTS FOR (n:Entity) ON EACH [n.name, n.summary, n.group_id];
CREATE FULLTEXT INDEX fact_words IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON EACH [e.name, e.fact, e.group_id];
// rows: 2
UNWIND $entities AS entity MERGE (n:Entity {uuid: entity.uuid}) SET n:$(entity.labels) SET n = entity WITH n, entity CALL db.create.setNodeVectorProperty(n, 'name_embedding', entity.name_embedding) RETURN n.uuid AS uuid;
MERGE (n:Entity {uuid: $entities[0].uuid}) SET n:Person SET n = $entities[0] WITH n CALL db.create.setNodeVectorProperty(n, 'name_embedding', $vector) RETURN n.uuid AS uuid;
MERGE (n:Episodic {uuid: 'e1'}) SET n = {uuid: 'e1', name: 'talk', group_id: $group, source: 'message', content: 'Ada met Bob', valid_at: $now, entity_edges: ['f1']} RETURN n.uuid AS uuid;
MATCH (source:Entity {uuid: 'u1'}) MATCH (target:Entity {uuid: 'u2'}) MERGE (source)-[e:RELATES_TO {uuid: 'f1'}]->(target) SET e = {uuid: 'f1', name: 'MET', fact: 'Ada met Bob', group_id: $group, valid_at: $now} WITH e CALL db.create.setRelationshipVectorProperty(e, 'fact_embedding', $vector) RETURN e.uuid AS uuid;
UNWIND $facts AS fact MATCH (source:Entity {uuid: fact.source}) MATCH (target:Entity {uuid: fact.target}) MERGE (source)-[e:RELATES_TO {uuid: fact.uuid}]->(target) SET e = fact WITH e, fact CALL db.create.setRelationshipVectorProperty(e, 'fact_embedding', fact.fact_embedding) RETURN fact.uuid AS uuid;
MATCH (episode:Episodic {uuid: 'e1'}) MATCH (node:Entity {uuid: 'u1'}) MERGE (episode)-[e:MENTIONS {uuid: 'm1'}]->(node) SET e = {uuid: 'm1', group_id: $group, created_at: $now} RETURN e.uuid AS uuid;
MERGE (n:Community {uuid: 'c1'}) SET n = {uuid: 'c1', name: 'friends', group_id: $group} RETURN n.uuid AS uuid;
MATCH (community:Community {uuid: 'c1'}) MATCH (node:Entity {uuid: 'u1'}) MERGE (community)-[e:HAS_MEMBER {uuid: 'h1'}]->(node) SET e = {uuid: 'h1', group_id: $group, created_at: $now} RETURN e.uuid AS uuid;
// rows: 2
MATCH (n:Entity) WHERE n.group_id IN $groups WITH n, vector.similarity.cosine(n.name_embedding, $vector) AS score WHERE score > $least RETURN n.uuid AS uuid, n.name AS name, labels(n) AS labels, properties(n) AS attributes ORDER BY score DESC LIMIT $limit;
// rows: 2
MATCH (n:Entity)-[e:RELATES_TO]->(m:Entity) WHERE e.group_id IN $groups WITH DISTINCT e, n, m, vector.similarity.cosine(e.fact_embedding, $vector) AS score WHERE score > $least RETURN e.uuid AS uuid, n.uuid AS source, m.uuid AS target, e.fact AS fact, e.valid_at AS valid_at ORDER BY score DESC LIMIT $limit;
CALL db.index.fulltext.queryNodes('entity_words', $words, {limit: $limit}) YIELD node AS n, score WHERE n:Entity AND n.group_id IN $groups WITH n, score ORDER BY score DESC LIMIT $limit RETURN n.uuid AS uuid, score;
// rows: 2
CALL db.index.fulltext.queryRelationships('fact_words', $words, {limit: $limit}) YIELD relationship AS rel, score MATCH (n:Entity)-[e:RELATES_TO {uuid: rel.uuid}]->(m:Entity) WHERE e.group_id IN $groups RETURN e.uuid AS uuid, n.uuid AS source, m.uuid AS target, score ORDER BY score DESC LIMIT $limit;
// rows: 8
UNWIND $ids AS start MATCH path = (:Entity {uuid: start})-[:RELATES_TO|MENTIONS]-{1,3}(:Entity) RETURN length(path);
// rows: 2
UNWIND $ids AS start MATCH path = (origin:Entity {uuid: start})-[:RELATES_TO|MENTIONS*1..3]->(n:Entity) UNWIND relationships(path) AS rel MATCH (n)-[e:RELATES_TO {uuid: rel.uuid}]-(m) RETURN DISTINCT e.uuid AS uuid LIMIT $limit;
MATCH (e:Episodic) WHERE e.valid_at <= $now AND ($group IS NULL OR e.group_id = $group) RETURN e.content AS content, e.valid_at AS valid_at, e.uuid AS uuid ORDER BY e.valid_at DESC LIMIT $limit;
// rows: 2
MATCH (n:Entity {uuid: 'u1'})-[e:RELATES_TO]-(m:Entity) RETURN DISTINCT e.uuid AS uuid, startNode(e).uuid AS source, endNode(e).uuid AS target, properties(e) AS attributes;
// rows: 2
UNWIND $ids AS uuid MATCH (center:Entity {uuid: 'u1'})-[:RELATES_TO]-(n:Entity {uuid: uuid}) RETURN 1 AS score, uuid;
MATCH (c:Community)-[:HAS_MEMBER]->(n:Entity) RETURN c.uuid, count(n);
MATCH (n) WHERE n:Entity OR n:Episodic OR n:Community RETURN collect(DISTINCT n.group_id) AS groups;
MATCH (n:Episodic {group_id: $group}) WITH n LIMIT 100 RETURN n.uuid AS uuid ORDER BY n.uuid DESC;
MATCH (n:Entity|Episodic|Community {uuid: 'none'}) DETACH DELETE n;
MATCH (n:Entity {group_id: 'nobody'}) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 100 ROWS;
