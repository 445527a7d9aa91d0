#pragma once
// The SQL tables of the graph, as a user of SQLite or DuckDB would define them for these questions.

namespace cairn::tools {

inline constexpr const char* graph_tables_sql =
    "CREATE TABLE person(id BIGINT PRIMARY KEY, name VARCHAR, age BIGINT, city VARCHAR);"
    "CREATE TABLE knows(a BIGINT, b BIGINT, since BIGINT);"
    "CREATE TABLE met(a BIGINT, b BIGINT, since BIGINT);"
    "CREATE TABLE message(id BIGINT PRIMARY KEY, author BIGINT, lang VARCHAR, length BIGINT, "
    "created BIGINT);"
    "CREATE TABLE tagged(message BIGINT, tag BIGINT);"
    "CREATE TABLE tag(id BIGINT PRIMARY KEY, name VARCHAR);";

/// Run after the tables are filled. The first index covers steps in both directions; the fourth
/// serves the newest messages of an author.
inline constexpr const char* graph_indexes_sql =
    "CREATE INDEX knows_forth ON knows(a, b, since);"
    "CREATE INDEX knows_back ON knows(b, a);"
    "CREATE INDEX message_author ON message(author, created, id);"
    "CREATE INDEX message_lang ON message(lang, length);"
    "CREATE INDEX tagged_message ON tagged(message, tag);";

}  // namespace cairn::tools
