// The demo memory in four questions. It holds this repository: a Document for each file and, below
// it, its text as Chunks with vectors. PROFILE prints the plan with what each step has touched.

// 1. What is in it?
PROFILE
MATCH (d:Document)
RETURN d.file_ext AS kind, count(*) AS files, sum(d.file_size) AS bytes
ORDER BY files DESC, kind
LIMIT 10;

// 2. What resembles the header of the id sets, among the beginnings of C++ files and whatever lies
//    under the directory codec? The filter becomes one set of ids before the search begins.
PROFILE
MATCH (q:Chunk)
WHERE q.relative_path = 'codec/bitmap.hpp' AND q.chunk_index = 0
MATCH (c:Chunk)
SEARCH c IN (
  VECTOR INDEX chunk_embedding
  FOR q.embedding
  WHERE (c.file_ext IN ['.cpp', '.hpp'] AND c.chunk_index = 0)
     OR c.directory = 'codec' OR c.directory STARTS WITH 'codec/'
  LIMIT 6
) SCORE AS score
RETURN c.relative_path AS file, c.chunk_index AS piece, score
ORDER BY score DESC;

// 3. Which documents are long, and how does each go on after its first piece?
PROFILE
MATCH (d:Document)-[:HAS_CHUNK]->(first:Chunk)-[:NEXT]->(second:Chunk)
WHERE d.file_type = 'doc' AND d.total_chunks > 10 AND first.chunk_index = 0
RETURN d.relative_path AS file, d.total_chunks AS pieces, left(second.content, 60) AS goes_on
ORDER BY pieces DESC, file
LIMIT 5;

// 4. What does it know about a question? No index is named: texts, neighbours and their like are used.
CALL db.recall('what happens to the log after a torn write?', {limit: 5}) YIELD node, score
RETURN node.relative_path AS file, score, left(node.content, 60) AS begins
ORDER BY score DESC;
