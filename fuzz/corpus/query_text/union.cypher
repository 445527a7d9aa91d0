EXPLAIN RETURN 1 AS a UNION ALL CALL db.labels() YIELD label AS a RETURN a // end
/* comment */