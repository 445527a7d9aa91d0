#pragma once
// The syntax of full-text questions.
//
// query   := { chain { OR chain } }                               ('&&' is AND, '||' is OR)
// chain   := clause { AND clause }
// clause  := ['+' | '-' | '!' | NOT] [field ':'] ('(' query ')' | '"' words '"' ['~' slop] |
//            word ['*' | '~' [edits]]) ['^' boost]
//
// '+' must occur, '-' must not, anything else counts where it occurs. Both sides of an AND must occur; a
// chain beside an OR is a group of its own, so that "a AND b OR c" is "(a AND b) OR c". Without an OR
// it is its group that requires it: "a AND b c" is "+a +b c". What makes no sense where it stands, as
// a sign with a blank behind it, an unknown field or an OR beside a '+', ends the reading: the text is
// taken as plain words then.

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
  bool keeps_stop_words = false;  ///< of words: see keep_meant_stop_words()
  std::vector<TextNode> children;
};

struct ParsedText {
  TextNode root;
  std::string warning;  ///< not empty where it was read otherwise than it was written
};

/// Letters by which a fuzzy word may differ; more are asked for in vain, with a warning.
inline constexpr std::uint32_t max_edits = 2;

/// `fields` are the names that may stand before a colon, all if empty. What does not read
/// like a name ("10:30", "http://x"), and a name with a blank behind its colon, is text.
[[nodiscard]] ParsedText parse_text_query(std::string_view text,
                                          std::span<const std::string> fields);
/// The whole text as plain words.
[[nodiscard]] TextNode plain_words(std::string_view text);

}  // namespace cairn::engine
