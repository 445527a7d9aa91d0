// Forms of statements that LangChain's graph and vector store send.
// rows: 2
CALL dbms.components() YIELD name, versions, edition UNWIND versions AS version RETURN name, version, edition;
CREATE VECTOR INDEX chunks IF NOT EXISTS FOR (m:Chunk) ON m.embedding OPTIONS {indexConfig: {`vector.dimensions`: toInteger($dimension), `vector.similarity_function`: $similarity}};
CREATE FULLTEXT INDEX words IF NOT EXISTS FOR (n:Chunk) ON EACH [n.text];
CREATE CONSTRAINT IF NOT EXISTS FOR (n:Chunk) REQUIRE n.id IS UNIQUE;
SHOW INDEXES YIELD name, type, labelsOrTypes, properties, options WHERE type = 'VECTOR' AND (name = $index OR (labelsOrTypes[0] = $label AND properties[0] = $property)) RETURN name, labelsOrTypes, properties, options;
SHOW INDEXES YIELD name, type, labelsOrTypes, properties, options WHERE type = 'FULLTEXT' AND (name = $words_index OR (labelsOrTypes = [$label] AND properties = $text_properties)) RETURN name, labelsOrTypes, properties, options;
CREATE (:Chunk {id: 'warm', text: 'warm milk'});
UNWIND $data AS row CALL { WITH row MERGE (c:Chunk {id: row.id}) WITH c, row CALL db.create.setVectorProperty(c, 'embedding', row.embedding) YIELD node SET c.text = row.text SET c += row.metadata } IN TRANSACTIONS OF 1000 ROWS;
UNWIND $data AS row CALL (row) { MERGE (c:Chunk {id: row.id}) WITH c, row CALL db.create.setNodeVectorProperty(c, 'embedding', row.embedding) SET c.text = row.text SET c += row.metadata } IN TRANSACTIONS OF 1000 ROWS;
UNWIND $data AS row MERGE (c:Chunk {id: row.id}) WITH c, row CALL db.create.setVectorProperty(c, 'embedding', row.embedding) YIELD node SET c.text = row.text SET c += row.metadata;
CALL db.index.vector.queryNodes($index, $k, $vector) YIELD node, score RETURN node.text AS text, score, node {.*, text: null, embedding: null, id: null} AS metadata;
CALL { CALL db.index.vector.queryNodes($index, $k, $vector) YIELD node, score WITH collect({node: node, score: score}) AS nodes, max(score) AS max UNWIND nodes AS n RETURN n.node AS node, (n.score / max) AS score UNION CALL db.index.fulltext.queryNodes($words_index, $words, {limit: $k}) YIELD node, score WITH collect({node: node, score: score}) AS nodes, max(score) AS max UNWIND nodes AS n RETURN n.node AS node, (n.score / max) AS score } WITH node, max(score) AS score ORDER BY score DESC LIMIT $k RETURN node.text AS text, score;
CYPHER runtime = parallel parallelRuntimeSupport=all MATCH (n:`Chunk`) WHERE n.`embedding` IS NOT NULL AND size(n.`embedding`) = toInteger($dimension) AND n.`topic` = $topic WITH n AS node, vector.similarity.cosine(n.`embedding`, $vector) AS score ORDER BY score DESC LIMIT toInteger($k) RETURN node.text AS text, score;
MATCH (n:`Chunk`) WHERE n.`embedding` IS NULL AND any(k IN ['text'] WHERE n[k] IS NOT NULL) RETURN elementId(n) AS id, reduce(str = '', k IN ['text'] | str + '\n' + k + ':' + coalesce(n[k], '')) AS text LIMIT 1000;
UNWIND $data AS row MATCH (n:`Chunk`) WHERE elementId(n) = row.id CALL db.create.setVectorProperty(n, 'embedding', row.embedding) YIELD node RETURN count(*);
CALL apoc.meta.data() YIELD label, other, elementType, type, property WHERE NOT type = 'RELATIONSHIP' AND elementType = 'node' AND NOT label IN $excluded WITH label AS nodeLabels, collect({property: property, type: type}) AS properties RETURN {labels: nodeLabels, properties: properties} AS output;
SHOW CONSTRAINTS;
CALL apoc.schema.properties.distinct('Chunk', 'topic') YIELD value RETURN value;
CREATE CONSTRAINT IF NOT EXISTS FOR (b:__Entity__) REQUIRE b.id IS UNIQUE;
UNWIND $data AS row CALL apoc.merge.node(['Thing', '__Entity__'], {id: row.id}, row.metadata, {}) YIELD node RETURN distinct 'done' AS result;
UNWIND $data AS row CALL apoc.merge.node(['Thing'], {id: row.id}, {}, {}) YIELD node AS source CALL apoc.merge.node(['Thing'], {id: 'other'}, {}, {}) YIELD node AS target CALL apoc.merge.relationship(source, 'LINKS', {}, row.metadata, target) YIELD rel RETURN distinct 'done';
CALL apoc.meta.data() YIELD label, other, elementType, type, property WHERE NOT type = 'RELATIONSHIP' AND elementType = 'relationship' AND NOT label IN $excluded WITH label AS nodeLabels, collect({property: property, type: type}) AS properties RETURN {type: nodeLabels, properties: properties} AS output;
// rows: 2
CALL apoc.meta.data() YIELD label, other, elementType, type, property WHERE type = 'RELATIONSHIP' AND elementType = 'node' UNWIND other AS other_node WITH * WHERE NOT label IN $excluded AND NOT other_node IN $excluded RETURN {start: label, type: property, end: toString(other_node)} AS output;
MATCH (d:Chunk) WHERE d.id IN ['warm'] DETACH DELETE d;
// rows: 0
MERGE (s:Session {id: 'one'}) WITH s MATCH (s)-[:LAST_MESSAGE]->(last) RETURN last;
// rows: 0
MATCH (s:Session) WHERE s.id = 'one' OPTIONAL MATCH p = (s)-[:LAST_MESSAGE]->()<-[:NEXT*0..]-() WITH p, length(p) AS length ORDER BY length DESC LIMIT 1 UNWIND reverse(nodes(p)) AS node RETURN node;
SHOW INDEXES YIELD name, type, options WHERE type = 'VECTOR' RETURN name, options.indexConfig['vector.dimensions'] AS dimension, options.indexProvider AS provider;
MATCH (n:`Chunk`) WHERE n.`embedding` IS NOT NULL AND n.`topic` NOT IN $topics WITH n AS node, vector.similarity.cosine(n.`embedding`, $vector) AS score ORDER BY score DESC LIMIT toInteger($k) RETURN node.text AS text, score;
CALL apoc.meta.graphSample() YIELD nodes, relationships RETURN nodes, [rel in relationships | {name: apoc.any.property(rel, 'type'), count: apoc.any.property(rel, 'count')}] AS relationships;
MATCH (n:`Chunk`) WITH collect(distinct substring(n.`text`, 0, 50)) AS `text_values`, min(n.`year`) AS `year_min`, max(n.`year`) AS `year_max`, count(distinct n.`year`) AS `year_distinct`, min(size(n.`tags`)) AS `tags_size_min`, max(size(n.`tags`)) AS `tags_size_max` RETURN {`text`: {values: `text_values`[..10], distinct_count: size(`text_values`)}, `year`: {min: toString(`year_min`), max: toString(`year_max`), distinct_count: `year_distinct`}, `tags`: {min_size: `tags_size_min`, max_size: `tags_size_max`}} AS output;
CREATE VECTOR INDEX ties IF NOT EXISTS FOR ()-[r:LINKS]-() ON (r.embedding) OPTIONS {indexConfig: {`vector.dimensions`: toInteger($dimension), `vector.similarity_function`: $similarity}};
MATCH ()-[r:LINKS]->() CALL db.create.setRelationshipVectorProperty(r, 'embedding', $vector) SET r.text = 'a link';
CALL db.index.vector.queryRelationships('ties', $k, $vector) YIELD relationship, score RETURN relationship.text AS text, score, relationship {.*, text: Null, embedding: Null, id: Null} AS metadata;
