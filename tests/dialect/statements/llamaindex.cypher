// Forms of statements that LlamaIndex's property graph store sends.
CREATE CONSTRAINT IF NOT EXISTS FOR (n:`__Node__`) REQUIRE n.id IS UNIQUE;
CREATE VECTOR INDEX entity IF NOT EXISTS FOR (m:__Entity__) ON m.embedding OPTIONS {indexConfig: {`vector.dimensions`: toInteger($dimension), `vector.similarity_function`: 'cosine'}};
UNWIND $data AS row MERGE (c:__Node__ {id: row.id}) SET c.text = row.text, c:Chunk WITH c, row SET c += row.metadata WITH c, row.embedding AS embedding WHERE embedding IS NOT NULL CALL db.create.setNodeVectorProperty(c, 'embedding', embedding) RETURN count(*);
UNWIND $data AS row MERGE (e:__Node__ {id: row.id}) SET e += apoc.map.clean(row.metadata, [], []) SET e.name = row.id, e:`__Entity__` RETURN count(*);
UNWIND $data AS row MERGE (e:__Node__ {id: row.id}) SET e += row.metadata SET e.name = row.id, e:`__Entity__` WITH e, row CALL apoc.create.addLabels(e, [row.label]) YIELD node WITH e, row CALL (e, row) { WITH e, row WHERE row.embedding IS NOT NULL CALL db.create.setNodeVectorProperty(e, 'embedding', row.embedding) RETURN count(*) AS count } RETURN count(*);
UNWIND $data AS row MERGE (source:__Node__ {id: row.id}) ON CREATE SET source:Chunk MERGE (target:__Node__ {id: 'other'}) ON CREATE SET target:Chunk WITH source, target, row CALL apoc.merge.relationship(source, 'LINKS', {}, row.metadata, target) YIELD rel RETURN count(*);
MATCH (e:__Node__) WHERE e.id IN $ids WITH e RETURN e.id AS name, [l IN labels(e) WHERE NOT l IN ['__Entity__', '__Node__'] | l][0] AS type, e{.*, embedding: null, id: null} AS properties;
// rows: 0
MATCH (e:`__Entity__`) WHERE e.id IN $ids CALL { WITH e MATCH (e)-[r]->(t:`__Entity__`) RETURN e.name AS source_id, type(r) AS type, t.name AS target_id UNION ALL WITH e MATCH (e)<-[r]-(t:`__Entity__`) RETURN t.name AS source_id, type(r) AS type, e.name AS target_id } RETURN source_id, type, target_id;
MATCH (e:`__Entity__`) WHERE e.id IN $ids CALL { WITH e MATCH (e)-[r]->(t:`__Node__`) RETURN e.id AS source_id, type(r) AS type, t.id AS target_id UNION ALL WITH e MATCH (e)<-[r]-(t:`__Node__`) RETURN t.id AS source_id, type(r) AS type, e.id AS target_id } RETURN source_id, type, target_id;
WITH $ids AS id_list UNWIND range(0, size(id_list) - 1) AS idx MATCH (e:__Node__) WHERE e.id = id_list[idx] MATCH p = (e)-[r*1..2]-(other) WHERE all(rel IN relationships(p) WHERE type(rel) <> 'MENTIONS') UNWIND relationships(p) AS rel WITH DISTINCT rel, idx WITH startNode(rel) AS source, type(rel) AS type, rel{.*} AS rel_properties, endNode(rel) AS endNode, idx LIMIT toInteger($limit) RETURN source.id AS source_id, type, rel_properties, endNode.id AS target_id, idx ORDER BY idx LIMIT toInteger($limit);
CALL db.index.vector.queryNodes('entity', $k, $vector) YIELD node, score RETURN node.id AS name, node{.*, embedding: null} AS properties, score;
MATCH (e:`__Entity__`) WHERE e.embedding IS NOT NULL AND size(e.embedding) = $dimension WITH e, vector.similarity.cosine(e.embedding, $vector) AS score ORDER BY score DESC LIMIT toInteger($k) RETURN e.id AS name, score;
SHOW INDEXES YIELD name, type, labelsOrTypes, properties WHERE type = 'VECTOR' RETURN name, labelsOrTypes, properties;
MATCH (n:Chunk) WHERE n.id IN $ids DETACH DELETE n;
MATCH (n)-[r:NONE]->() DELETE r;
