#pragma once
// The syntax of full-text queries.
//
// query   := { chain { OR chain } }                               ('&&' is AND, '||' is OR)
// chain   := clause { AND clause }
// clause  := ['+' | '-' | '!' | NOT] [field ':'] ('(' query ')' | '"' words '"' ['~' slop] |
//            word ['*' | '~' [edits]] | '*' | '*:*') ['^' boost]
//
// A clause with '+' must occur, one with '-', '!' or NOT must not occur, and any other is optional.
// Both sides of an AND must occur.
//
// A chain that is a side of an OR is a group: "a AND b OR c" means "(a AND b) OR c". Without an OR,
// the clauses of a chain belong to the enclosing group: "a AND b c" means "+a +b c".
//
// A '*' alone, or "*:*", means every document, and with a field every document that has it. Among
// other clauses it needs an operator, because texts have stars between words too.
//
// If a text is not valid syntax, it is searched for as plain words. Examples: an operator followed
// by a blank, an unknown field, and an OR next to a '+'.

#include "engine/fulltext/word_breaker.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// A node of a parsed query.
struct TextNode {
  enum class Kind : std::uint8_t { words, phrase, prefix, fuzzy, group, every };
  /// Whether a document must have the node: AND and '+' make `must`, NOT, '-' and '!' make
  /// `must_not`.
  enum class Occur : std::uint8_t { should, must, must_not };
  Kind kind = Kind::group;
  Occur occur = Occur::should;
  std::string text;            ///< set for all kinds except group and every
  std::string field;           ///< empty for all fields
  std::uint32_t distance = 0;  ///< slop of a phrase, or edits of a fuzzy word
  double boost = 1;
  /// For words: searches for stop words too, see keep_meant_stop_words().
  bool keeps_stop_words = false;
  std::vector<TextNode> children;
};

/// A parsed query.
struct ParsedText {
  TextNode root;
  /// Not empty if the query was not read as it was written.
  std::string warning;
};

/// Maximum number of letters by which a fuzzy word may differ. If a query has a greater number,
/// this limit is used instead, with a warning.
inline constexpr std::uint32_t max_edits = 2;

/// Parses a query. `fields` are the names of the fields; if empty, any name is a field. Something
/// that does not look like a field name ("10:30", "http://x"), or has a blank after the colon, is
/// text.
[[nodiscard]] ParsedText parse_text_query(std::string_view text,
                                          std::span<const std::string> fields);
/// The same within limits. Errors: those of `work`.
[[nodiscard]] Result<ParsedText> parse_text_query(std::string_view text,
                                                  std::span<const std::string> fields,
                                                  TextWork& work);
/// The whole text as plain words, without syntax.
[[nodiscard]] TextNode plain_words(std::string_view text);

}  // namespace cairn::engine
