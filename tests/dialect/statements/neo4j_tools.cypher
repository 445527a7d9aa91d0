// Forms of statements that neo4j-graphrag, Neo4j's MCP servers, its browser and cypher-shell send.
// rows: 2
CALL dbms.components() YIELD versions, edition UNWIND versions AS version RETURN version, edition;
CALL db.ping();
SHOW DATABASES;
SHOW HOME DATABASE;
SHOW PROCEDURES YIELD name, description, signature, mode, argumentDescription, returnDescription;
SHOW FUNCTIONS YIELD name, description, signature, category, isBuiltIn, argumentDescription, returnDescription, aggregating;
SHOW PROCEDURES EXECUTABLE YIELD name WHERE name STARTS WITH 'db.' RETURN name;
SHOW FUNCTIONS EXECUTABLE BY CURRENT USER YIELD *;
// rows: 0
SHOW INDEXES;
// rows: 0
SHOW INDEXES YIELD id, name, type, owningConstraint, indexProvider, lastRead, readCount, trackedSince, options, failureMessage, createStatement RETURN *;
// rows: 0
SHOW CONSTRAINTS;
CALL db.labels() YIELD label RETURN collect(label) AS labels;
CALL db.relationshipTypes() YIELD relationshipType RETURN collect(relationshipType) AS types;
CALL db.propertyKeys() YIELD propertyKey RETURN collect(propertyKey) AS keys;
CALL db.schema.visualization();
// rows: 0
CALL db.schema.nodeTypeProperties();
// rows: 0
CALL db.schema.relTypeProperties();
CALL apoc.meta.schema();
CALL db.awaitIndexes(300);
CREATE INDEX shelf_places IF NOT EXISTS FOR (n:Shelf) ON (n.place);
UNWIND ['left', 'left', 'right'] AS place CREATE (:Shelf {place: place});
// rows: 1
CALL apoc.schema.nodes() YIELD label, properties, type, size, valuesSelectivity WITH * WHERE type = 'RANGE' AND label = 'Shelf' RETURN *, size * valuesSelectivity AS different;
CREATE VECTOR INDEX documents IF NOT EXISTS FOR (n:Document) ON n.embedding OPTIONS {indexConfig: {`vector.dimensions`: toInteger($dimension), `vector.similarity_function`: $similarity}};
CREATE FULLTEXT INDEX document_words IF NOT EXISTS FOR (n:`Document`) ON EACH [n.`title`, n.`text`];
CREATE CONSTRAINT document_id IF NOT EXISTS FOR (n:Document) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT document_key IF NOT EXISTS FOR (n:Document) REQUIRE (n.source, n.number) IS NODE KEY;
CREATE CONSTRAINT document_title IF NOT EXISTS FOR (n:Document) REQUIRE n.title IS NOT NULL;
DROP CONSTRAINT document_key IF EXISTS;
DROP CONSTRAINT document_title IF EXISTS;
UNWIND $data AS row MERGE (n:Document {id: row.id}) SET n += row.metadata WITH n, row CALL db.create.setNodeVectorProperty(n, 'embedding', row.embedding) RETURN count(*);
CALL db.index.vector.queryNodes('documents', $k * 2, $vector) YIELD node, score WITH node, score LIMIT $k RETURN node {.*, `embedding`: null} AS node, labels(node) AS nodeLabels, elementId(node) AS elementId, score;
CALL () { CALL db.index.vector.queryNodes('documents', $k, $vector) YIELD node, score WITH collect({node: node, score: score}) AS nodes, max(score) AS best UNWIND nodes AS n RETURN n.node AS node, n.score / best AS score UNION CALL db.index.fulltext.queryNodes('document_words', $words, {limit: $k}) YIELD node, score WITH collect({node: node, score: score}) AS nodes, max(score) AS best UNWIND nodes AS n RETURN n.node AS node, n.score / best AS score } WITH node, max(score) AS score ORDER BY score DESC LIMIT $k RETURN node, score;
MATCH (node:`Document`) WHERE node.`embedding` IS NOT NULL AND size(node.`embedding`) = toInteger($dimension) AND (node.topic = $topic) WITH node, vector.similarity.cosine(node.`embedding`, $vector) AS score ORDER BY score DESC LIMIT $k RETURN node, score;
// rows: 2
MATCH (n) CALL (n) { OPTIONAL MATCH (n)-[r]->() RETURN count(r) AS degree } RETURN labels(n) AS labels, max(degree) AS degree;
MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n) AS nodes, count(r) AS relationships;
// rows: 3
CALL db.schema.nodeTypeProperties() YIELD nodeType, propertyName WHERE nodeType = ':`Document`' RETURN propertyName;
SHOW INDEXES YIELD name, type, state WHERE type = 'VECTOR' RETURN name, state;
SHOW CONSTRAINTS YIELD name, type, labelsOrTypes, properties RETURN name;
MATCH (n:Document) WHERE n.id = $item.id SET n.seen = datetime() RETURN n.seen;
EXPLAIN MATCH (n:Document) WHERE n.title = 'x' RETURN n;
PROFILE MATCH (n:Document) RETURN count(n);
MATCH (n:Document) WITH n LIMIT 10 CALL (n) { MATCH (n)--(m) RETURN collect(m.id) AS near } RETURN n.id, near;
CYPHER 25 MATCH (n) RETURN count(n);
MATCH (n) WHERE n.id IN $ids WITH n CALL (*) { RETURN n.id AS id } RETURN id;
MATCH (d:Document) CALL (d) { SET d.seen = true } IN TRANSACTIONS OF 500 ROWS ON ERROR CONTINUE REPORT STATUS AS s RETURN s;
MATCH (d:Document) CALL (d) { DETACH DELETE d } IN TRANSACTIONS OF 500 ROWS;
// The memory server: a graph of entities with observations, read as a whole by a lone star.
CREATE FULLTEXT INDEX memory_words IF NOT EXISTS FOR (m:Remembered) ON EACH [m.name, m.type, m.observations];
UNWIND $entities AS entity WITH entity MERGE (e:Remembered {name: entity.name}) SET e += {type: 'person', observations: ['drinks tea']} WITH e, 'Person' AS label CALL apoc.create.addLabels(e, [label]) YIELD node RETURN count(node);
MATCH (a:Remembered {name: 'Ada'}), (b:Remembered {name: 'Bob'}) MERGE (a)-[r:KNOWS]->(b) RETURN r;
// rows: 2
CALL db.index.fulltext.queryNodes('memory_words', '*') YIELD node, score RETURN node.name AS name, node.type AS type, node.observations AS observations, score;
// rows: 1
CALL db.index.fulltext.queryNodes('memory_words', '*') YIELD node AS entity OPTIONAL MATCH (entity)-[r]-(other) RETURN collect(DISTINCT {name: entity.name}) AS nodes, collect(DISTINCT {source: startNode(r).name, target: endNode(r).name, kind: type(r)}) AS relations;
// rows: 1
CALL db.index.fulltext.queryNodes('memory_words', '*:* AND NOT name:bob') YIELD node RETURN node.name;
// rows: 1
CALL db.index.fulltext.queryNodes('memory_words', 'ada') YIELD node RETURN node.name;
MATCH (e:Remembered {name: 'Ada'}) WITH e, [o IN ['sings', 'drinks tea'] WHERE NOT o IN e.observations] AS added SET e.observations = coalesce(e.observations, []) + added RETURN e.name, added;
MATCH (e:Remembered) WHERE e.name IN ['Bob'] DETACH DELETE e;
// What Neo4j's manual, its Browser and migration tools send for the schema, and what has no place here.
CREATE TEXT INDEX shelf_texts IF NOT EXISTS FOR (n:Shelf) ON (n.label) OPTIONS {indexProvider: 'text-2.0'};
CREATE LOOKUP INDEX node_label_lookup IF NOT EXISTS FOR (n) ON EACH labels(n);
CREATE LOOKUP INDEX rel_type_lookup IF NOT EXISTS FOR ()-[r]-() ON EACH type(r);
// open: there is no type POINT
CREATE POINT INDEX shelf_points IF NOT EXISTS FOR (n:Shelf) ON (n.place);
USE neo4j MATCH (n:Shelf) RETURN count(n);
// open: the session chooses the database
USE other MATCH (n) RETURN n;
CREATE DATABASE library IF NOT EXISTS WAIT;
// open: DROP NAMESPACE erases the records
DROP DATABASE library IF EXISTS;
// rows: 2
SHOW INDEXES YIELD name, type ORDER BY name LIMIT 2 RETURN name, type;
// rows: 0
SHOW TEXT INDEXES YIELD name, labelsOrTypes, properties WHERE 'Shelf' IN labelsOrTypes;
// rows: 0
SHOW LOOKUP INDEXES;
// rows: 0
SHOW POINT INDEXES;
// rows: 3
SHOW BUILT IN FUNCTIONS YIELD name, description ORDER BY name SKIP 5 LIMIT 3;
// rows: 0
SHOW USER DEFINED FUNCTIONS;
// rows: 1
SHOW DATABASE neo4j YIELD name, currentStatus, default, home;
// rows: 1
SHOW DEFAULT DATABASE;
// rows: 1
SHOW CURRENT USER YIELD user, roles;
SHOW USERS;
// rows: 0
SHOW SETTINGS YIELD name, value WHERE name STARTS WITH 'server.';
// rows: 0
SHOW ALIASES FOR DATABASE;
CALL apoc.meta.schema({sample: 1000}) YIELD value RETURN value;
