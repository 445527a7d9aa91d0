#pragma once
// The pieces below the grammar: blanks, comments, quoted pieces, names, and which bracket closes
// which. The grammar, the splitting of scripts and the shell's multi-line input agree through it.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query::lexical {

/// The first byte that is neither blank nor within a comment; an open comment is not skipped.
[[nodiscard]] const char* skip_blank(const char* first, const char* last) noexcept;

/// Behind the piece that the quote at `first` (' " or `) opens, or null if nothing closes it.
[[nodiscard]] const char* skip_quoted(const char* first, const char* last) noexcept;

/// The end of the unquoted name at `first`; `first` itself without a name.
[[nodiscard]] const char* skip_name(const char* first, const char* last) noexcept;

/// Behind the letters, digits and combining marks at `first`.
[[nodiscard]] const char* skip_name_rest(const char* first, const char* last) noexcept;

/// The offset of the first byte that is not UTF-8, or npos.
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view text) noexcept;

/// A word that the grammar needs, so that it names no variable unless quoted.
[[nodiscard]] bool is_reserved(std::string_view word) noexcept;

/// Equal but for the case of ASCII letters; `keyword` is in upper case.
[[nodiscard]] bool is_keyword(std::string_view word, std::string_view keyword) noexcept;

/// With ASCII letters in lower case: how names of functions and procedures are compared.
[[nodiscard]] std::string lower_case(std::string_view name);

/// How a scan of a text ended.
enum class OpenPiece { none, string, quoted_name, comment };

/// Walks over a text piece by piece: a quoted piece or any single byte, blanks and comments left out.
class PieceScanner {
 public:
  explicit PieceScanner(std::string_view text) noexcept;

  /// Move to the next piece; false at the end, or at a piece that nothing closes.
  bool next() noexcept;
  [[nodiscard]] std::string_view piece() const noexcept;
  [[nodiscard]] const char* position() const noexcept { return first_; }
  [[nodiscard]] OpenPiece open_piece() const noexcept { return open_; }

 private:
  const char* first_;
  const char* end_;  ///< of the piece
  const char* last_;
  OpenPiece open_ = OpenPiece::none;
};

struct Bracket {
  std::size_t open = 0;
  std::size_t close = 0;   ///< npos if nothing closes it
  bool has_comma = false;  ///< directly within, not within a further bracket
  bool has_bar = false;
};

/// The brackets of a text. Knowing their ends, the grammar tells (a)-->(b) from (a) in one look,
/// where trying one reading after the other takes time exponential in the depth.
class BracketTable {
 public:
  explicit BracketTable(std::string_view text);

  /// The bracket that opens at `offset`, or null.
  [[nodiscard]] const Bracket* find(std::size_t offset) const noexcept;
  /// The innermost bracket around `offset` that nothing closes, or null.
  [[nodiscard]] const Bracket* unclosed_before(std::size_t offset) const noexcept;
  [[nodiscard]] std::size_t deepest() const noexcept { return deepest_; }

 private:
  void note(char character, std::size_t offset, std::vector<std::size_t>& open);

  std::vector<Bracket> brackets_;  // by `open`
  std::size_t deepest_ = 0;
};

// The words of the language, in one list: what a name may not be, and what else the grammar reads as a word.

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
