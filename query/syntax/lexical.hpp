#pragma once
// Scanning below the grammar: blanks, comments, quoted texts, names, and pairs of brackets. The grammar, the splitting
// of scripts and the shell share these functions.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query::lexical {

/// Returns the first byte after blanks and comments. A comment without an end is not skipped.
[[nodiscard]] const char* skip_blank(const char* first, const char* last) noexcept;

/// Returns the end of the text that the quote at `first` (' " or `) opens, or nullptr if it is not closed.
[[nodiscard]] const char* skip_quoted(const char* first, const char* last) noexcept;

/// Returns the end of the unquoted name at `first`, or `first` if none begins there.
[[nodiscard]] const char* skip_name(const char* first, const char* last) noexcept;

/// Returns the end of the letters, digits and combining marks at `first`.
[[nodiscard]] const char* skip_name_rest(const char* first, const char* last) noexcept;

/// Returns the offset of the first byte that is not valid UTF-8, or npos.
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view text) noexcept;

/// True for a keyword that can be the name of a variable only in back quotes.
[[nodiscard]] bool is_reserved(std::string_view word) noexcept;

/// Compares without the case of ASCII letters. `keyword` is in upper case.
[[nodiscard]] bool is_keyword(std::string_view word, std::string_view keyword) noexcept;

/// Returns the name with ASCII letters in lower case. Functions and procedures are compared in this form.
[[nodiscard]] std::string lower_case(std::string_view name);

/// The kind of piece that was left open at the end of a scan.
enum class OpenPiece { none, string, quoted_name, comment };

/// Iterates over the pieces of a text: quoted texts and single bytes, without blanks and comments.
class PieceScanner {
 public:
  explicit PieceScanner(std::string_view text) noexcept;

  /// Moves to the next piece. Returns false at the end of the text, and at a quote or comment that is not closed.
  bool next() noexcept;
  [[nodiscard]] std::string_view piece() const noexcept;
  [[nodiscard]] const char* position() const noexcept { return first_; }
  [[nodiscard]] OpenPiece open_piece() const noexcept { return open_; }

 private:
  const char* first_;
  const char* end_;  ///< end of the piece
  const char* last_;
  OpenPiece open_ = OpenPiece::none;
};

/// A bracket of the text.
struct Bracket {
  std::size_t open = 0;
  std::size_t close = 0;   ///< npos if it is not closed
  bool has_comma = false;  ///< directly inside, and not in a further bracket
  bool has_bar = false;    ///< as has_comma, for |
};

/// The brackets of a text with their ends. With this table, the grammar distinguishes (a)-->(b) from (a) by a short
/// lookahead. Backtracking would take time exponential in the nesting.
class BracketTable {
 public:
  explicit BracketTable(std::string_view text);

  /// Returns the bracket that opens at `offset`, or nullptr.
  [[nodiscard]] const Bracket* find(std::size_t offset) const noexcept;
  /// Returns the innermost bracket around `offset` that is not closed, or nullptr.
  [[nodiscard]] const Bracket* unclosed_before(std::size_t offset) const noexcept;
  /// The greatest depth of nesting.
  [[nodiscard]] std::size_t deepest() const noexcept { return deepest_; }

 private:
  void note(char character, std::size_t offset, std::vector<std::size_t>& open);

  std::vector<Bracket> brackets_;  // ordered by `open`
  std::size_t deepest_ = 0;
};

// The keywords of the language.

/// Keywords that would make the grammar ambiguous as variables, and most words that begin a clause.
inline constexpr auto reserved_words = std::to_array<std::string_view>(
    {"ALL",    "AND",    "AS",     "ASC",    "ASCENDING", "BY",       "CASE",       "CONTAINS",
     "CREATE", "DELETE", "DESC",   "DETACH", "DISTINCT",  "ELSE",     "DESCENDING", "END",
     "ENDS",   "EXISTS", "FALSE",  "IN",     "IS",        "LIMIT",    "MATCH",      "MERGE",
     "NOT",    "NULL",   "ON",     "OR",     "ORDER",     "OPTIONAL", "REMOVE",     "RETURN",
     "SET",    "SKIP",   "STARTS", "THEN",   "TRUE",      "UNION",    "UNWIND",     "WHEN",
     "WHERE",  "WITH",   "XOR"});

/// Words that are keywords only at certain places. Anywhere else they are ordinary names.
// clang-format off
inline constexpr auto other_words = std::to_array<std::string_view>(
    {"ACCURACY", "ALIAS", "ALIASES", "ALLSHORTESTPATHS", "ANY", "BACKUP", "BACKUPS", "BREAKDOWN", "BUILT", "CALL",
     "CANDIDATES", "COLLECT", "CONCURRENT", "CONSTRAINT", "CONSTRAINTS", "COUNT", "CSV", "CURRENT", "CYPHER",
     "DATABASE", "DATABASES", "DEFAULT", "DEFINED", "DROP", "EACH", "EF", "ERROR", "EXACT", "EXECUTABLE", "EXPLAIN",
     "FIELDTERMINATOR", "FOR", "FOREACH", "FROM", "FULLTEXT", "FUNCTION", "FUNCTIONS", "FUSE", "GRAPH", "GROUP",
     "GROUPS", "HEADERS", "HOME", "HYBRID", "IF", "INDEX", "INDEXES", "KEY", "LOAD", "LOOKUP", "MIN", "NAMESPACE",
     "NAMESPACES", "NODE", "NONE", "NOWAIT", "OF", "OPTIONS", "PATH", "PATHS", "PLAIN", "POINT", "PROCEDURE",
     "PROCEDURES", "PROFILE", "RANGE", "RANKED", "REDUCE", "REL", "RELATIONSHIP", "REPORT", "REQUIRE", "ROW", "ROWS",
     "SCORE", "SEARCH", "SETTING", "SETTINGS", "SHORTEST", "SHORTESTPATH", "SHOW", "SINGLE", "STATUS", "TERMINATE",
     "TEXT", "TO", "TRANSACTION", "TRANSACTIONS", "UNIQUE", "USE", "USER", "USERS", "VECTOR", "WAIT", "WEIGHT",
     "WITHIN", "YIELD"});
// clang-format on

}  // namespace cairn::query::lexical
