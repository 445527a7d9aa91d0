#pragma once
// The syntax of full-text questions.
//
// query   := clause* with AND, OR and NOT between or before clauses
// clause  := ['+' | '-'] [field ':'] ('(' query ')' | '"' words '"' ['~' slop] | word ['*' | '~' [edits]])
//            ['^' boost]
//
// '+' must occur, '-' must not, anything else counts where it occurs. A sign that makes no sense where
// it stands ends the reading: the text is taken as plain words then.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

struct TextNode {
  enum class Kind : std::uint8_t { words, phrase, prefix, fuzzy, group };
  enum class Occur : std::uint8_t { should, must, must_not };
  Kind kind = Kind::group;
  Occur occur = Occur::should;
  std::string text;            ///< of all kinds but group
  std::string field;           ///< empty: all of them
  std::uint32_t distance = 0;  ///< slop of a phrase, edits of a fuzzy word
  double boost = 1;
  std::vector<TextNode> children;
};

struct ParsedText {
  TextNode root;
  std::string warning;  ///< not empty where the syntax was broken
};

/// `fields` are the names that may stand before a colon; any other name is a word.
[[nodiscard]] ParsedText parse_text_query(std::string_view text,
                                          std::span<const std::string> fields);
/// The whole text as plain words.
[[nodiscard]] TextNode plain_words(std::string_view text);

}  // namespace cairn::engine
