// The demo memory in three questions. It holds this repository: a Document for each file, and its
// pieces as Chunks with vectors.

// 1. What is in it?
MATCH (d:Document)
RETURN d.file_ext AS kind, count(*) AS files, sum(d.file_size) AS bytes
ORDER BY files DESC, kind
LIMIT 10;

// 2. Which pieces mean most nearly the same as a question, among the beginnings of C++ files and
//    whatever lies under the folder codec? The plan shows the filter as intersections and unions of
//    index scans, done before the search begins.
PROFILE
MATCH (c:Chunk)
SEARCH c IN (
  VECTOR INDEX chunk_embedding FOR embed("a set of ids and its algebra: and, or, difference")
  WHERE (c.file_ext IN ['.cpp', '.hpp'] AND c.chunk_index = 0) OR c.folder = 'codec'
  LIMIT 5
) SCORE AS score
RETURN c.relative_path AS file, c.chunk_index AS piece, score
ORDER BY score DESC;

// 3. And around the best hits: what comes before and after in the same file?
EXPLAIN
MATCH (d:Document)-[:HAS_CHUNK]->(c:Chunk)-[:NEXT]->(after:Chunk)
WHERE d.file_ext = '.md' AND c.chunk_index = 0
RETURN d.relative_path AS file, after.chunk_index AS next_piece
LIMIT 5;
