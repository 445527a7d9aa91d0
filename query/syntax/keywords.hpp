#pragma once
// The words of the language, in one list: what a name may not be, and what else the grammar reads as a word.

#include <array>
#include <string_view>

namespace cairn::query::lexical {

/// The words that would make the grammar ambiguous as variables, and most of those that clauses begin with.
inline constexpr auto reserved_words = std::to_array<std::string_view>(
    {"ALL",    "AND",    "AS",     "ASC",    "ASCENDING", "BY",       "CASE",       "CONTAINS",
     "CREATE", "DELETE", "DESC",   "DETACH", "DISTINCT",  "ELSE",     "DESCENDING", "END",
     "ENDS",   "EXISTS", "FALSE",  "IN",     "IS",        "LIMIT",    "MATCH",      "MERGE",
     "NOT",    "NULL",   "ON",     "OR",     "ORDER",     "OPTIONAL", "REMOVE",     "RETURN",
     "SET",    "SKIP",   "STARTS", "THEN",   "TRUE",      "UNION",    "UNWIND",     "WHEN",
     "WHERE",  "WITH",   "XOR"});

/// Keywords where they stand, names anywhere else.
// clang-format off
inline constexpr auto other_words = std::to_array<std::string_view>(
    {"ACCURACY", "ALLSHORTESTPATHS", "ANY", "BACKUP", "BACKUPS", "BREAKDOWN", "CALL", "CANDIDATES",
     "COLLECT", "CONCURRENT", "CONSTRAINT", "CONSTRAINTS", "COUNT", "CSV", "CYPHER", "DATABASE",
     "DATABASES", "DEFAULT", "DROP", "EACH", "EF", "ERROR", "EXACT", "EXPLAIN", "FIELDTERMINATOR",
     "FOR", "FOREACH", "FROM", "FULLTEXT", "FUNCTION", "FUNCTIONS", "FUSE", "GRAPH", "HEADERS",
     "HOME", "HYBRID", "IF", "INDEX", "INDEXES", "KEY", "LOAD", "MIN", "NAMESPACE", "NAMESPACES", "NODE", "NONE",
     "OF", "OPTIONS", "PLAIN", "PROCEDURE", "PROCEDURES", "PROFILE", "RANGE", "RANKED", "REDUCE", "REL",
     "RELATIONSHIP", "REQUIRE",     "ROW", "ROWS", "SCORE", "SEARCH", "SHORTESTPATH", "SHOW", "SINGLE", "TO", "TRANSACTIONS",
     "UNIQUE", "VECTOR", "WEIGHT", "WITHIN", "YIELD"});
// clang-format on

}  // namespace cairn::query::lexical
