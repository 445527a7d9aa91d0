// Forms of statements that cognee's graph adapter sends.
CREATE CONSTRAINT IF NOT EXISTS FOR (n:`Item`) REQUIRE n.id IS UNIQUE;
MERGE (node: `Item`{id: $item.id}) ON CREATE SET node += $item, node.updated_at = timestamp() ON MATCH SET node += $item, node.updated_at = timestamp() RETURN id(node) AS internal_id, node.id AS nodeId;
UNWIND $data AS node MERGE (n: `Item`{id: node.id}) ON CREATE SET n += node.metadata, n.updated_at = timestamp() ON MATCH SET n += node.metadata, n.updated_at = timestamp() WITH n, node.label AS label CALL apoc.create.addLabels(n, [label]) YIELD node AS labeledNode RETURN id(labeledNode) AS internal_id, labeledNode.id AS nodeId;
MERGE (node: `Item`{id: 'b'}) ON CREATE SET node += {name: 'Bob'}, node.updated_at = timestamp() RETURN node.id AS nodeId;
// rows: 2
MATCH (n) RETURN n;
MATCH (node: `Item`) WHERE node.id = $item.id RETURN node;
UNWIND $ids AS id MATCH (node: `Item` {id: id}) RETURN node;
MATCH (from_node: `Item` {id: 'a'}), (to_node: `Item` {id: 'b'}) MERGE (from_node)-[r:`LINKS`]->(to_node) ON CREATE SET r += $item, r.updated_at = timestamp() ON MATCH SET r += $item, r.updated_at = timestamp() RETURN r;
UNWIND $edges AS edge MATCH (from_node: `Item`{id: edge.source}) MATCH (to_node: `Item`{id: edge.target}) CALL apoc.merge.relationship(from_node, edge.type, {source_node_id: edge.source, target_node_id: edge.target}, edge.properties, to_node) YIELD rel RETURN rel;
MATCH (from_node: `Item`{id: 'a'})-[:`LINKS`]->(to_node: `Item`{id: 'b'}) RETURN COUNT(from_node) > 0 AS edge_exists;
UNWIND $edges AS edge MATCH (a)-[r]->(b) WHERE a.id = edge.source AND b.id = edge.target AND type(r) = edge.type RETURN edge.source AS source, count(r) > 0 AS edge_exists;
// rows: 2
MATCH (n: `Item` {id: 'a'})-[r]-(m) RETURN n AS source, TYPE(r) AS type, m AS target, r AS relationship;
MATCH (d: `Item`) WHERE NOT EXISTS((d)<-[]-()) RETURN d.id AS id;
// rows: 2
MATCH (node)<-[r]-(predecessor) WHERE node.id = 'b' RETURN predecessor;
MATCH (node)-[r]-(neighbour) WHERE node.id = 'a' RETURN DISTINCT neighbour.id AS id, startNode(r).id, endNode(r).id;
// rows: 2
MATCH (n) RETURN ID(n) AS id, labels(n) AS labels, properties(n) AS properties;
// rows: 2
MATCH (n)-[r]->(m) RETURN ID(n) AS source, ID(m) AS target, TYPE(r) AS type, properties(r) AS properties;
MATCH (n) WHERE n.id IN $ids OR any(label IN labels(n) WHERE label IN ['Item']) RETURN count(n);
MATCH (n)-[r]->() RETURN count(DISTINCT n) AS nodes, count(r) AS edges, avg(COUNT { (n)--() }) AS degree;
// rows: 2
CALL db.labels();
CALL db.relationshipTypes();
// rows: 0
MATCH (n) WHERE size([(n)--() | 1]) = 1 AND any(label IN labels(n) WHERE label = 'Entity') RETURN n;
UNWIND $ids AS id MATCH (node: `Item`{id: id}) DETACH DELETE node;
MATCH (node) DETACH DELETE node;
