#pragma once
// What Tab may put in place of the word before the cursor.

#include "tools/shell/session.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

/// What a dot command takes.
enum class ArgumentKind {
  none,
  command,
  format,
  on_off,
  label,
  parameter,
  name_space,
  file,
  directory
};

struct Completions {
  std::size_t from = 0;            ///< where in the line the words begin
  std::vector<std::string> words;  ///< by name, each once; empty where nothing fits
  bool is_part =
      false;  ///< no blank comes behind a word: a directory goes on, a name may have any sign
};

/// The first column of a statement's rows, as far as it has texts.
[[nodiscard]] std::vector<std::string> first_column(Session& session, std::string_view statement);

/// Words that begin as the last one of `line` does, in any case, by where it stands; `before` are the lines of the
/// statement above it. Dot commands and what they take;
/// labels and relationship types behind a colon, properties behind a variable and a dot or in braces, names of indexes
/// and constraints behind INDEX and CONSTRAINT, and what there is behind SHOW and CALL; else keywords and functions.
/// Names are quoted where they must be; keywords are in small letters where the typed ones are. Nothing in a string or
/// a comment. What the database cannot tell now is left out. Cost: its names are read.
[[nodiscard]] Completions complete(Session& session, std::string_view before,
                                   std::string_view line);

// What Tab puts behind a dot command.

/// The last word of a line that is a command: its name, or what it takes.
[[nodiscard]] Completions complete_command(Session& session, std::string_view line);

// Where in a statement the cursor stands, as far as completion must know it.

/// What may stand at a place.
enum class Expected {
  nothing,   ///< in a string or a comment
  word,      ///< a keyword or a function
  label,     ///< of a node
  type,      ///< of a relationship
  name,      ///< either of them
  property,  ///< behind a dot, or as a key in braces
  index,
  constraint,
  procedure,
  shown,  ///< behind SHOW
};

struct TypedPlace {
  Expected expected = Expected::word;
  std::size_t from = 0;    ///< where the word begins, behind a backtick
  bool is_quoted = false;  ///< a backtick stands before it
};

/// Of the end of `text`: the statements before the cursor.
[[nodiscard]] TypedPlace find_typed_place(std::string_view text);

}  // namespace cairn::tools
