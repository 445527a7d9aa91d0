#pragma once
// Completion by Tab of the word before the cursor.

#include "tools/shell/session.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

/// The kind of argument of a dot command.
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

/// The completions of a word.
struct Completions {
  std::size_t from = 0;            ///< where in the line the words begin
  std::vector<std::string> words;  ///< sorted, each once; empty if nothing matches
  bool is_part =
      false;  ///< no blank is added: a directory continues, any character may follow a name
};

/// Returns the texts in the first column of a statement's rows.
[[nodiscard]] std::vector<std::string> first_column(Session& session, std::string_view statement);

/// Completes the last word of `line`, ignoring case, according to its position; `before` has the
/// earlier lines of the statement. Completes dot commands and their arguments; labels and
/// relationship types after a colon; properties after a variable and a dot or in braces; names of
/// indexes and constraints after INDEX and CONSTRAINT; and what may follow SHOW and CALL. Otherwise
/// completes keywords and functions. Names are quoted if necessary; keywords are in lower case if
/// the typed text is. Completes nothing in strings and comments. Names that the database cannot
/// list now are omitted. Cost: reads the names.
[[nodiscard]] Completions complete(Session& session, std::string_view before,
                                   std::string_view line);

// Completion of dot commands.

/// Completes the last word of a command line: its name or an argument.
[[nodiscard]] Completions complete_command(Session& session, std::string_view line);

// The place of the cursor in a statement, as far as completion needs it.

/// What may follow at the cursor.
enum class Expected {
  nothing,   ///< in a string or comment
  word,      ///< a keyword or a function
  label,     ///< of a node
  type,      ///< of a relationship
  name,      ///< a label or a type
  property,  ///< after a dot, or a key in braces
  index,
  constraint,
  procedure,
  shown,  ///< what SHOW can list
};

struct TypedPlace {
  Expected expected = Expected::word;
  std::size_t from = 0;    ///< where the word begins, after a backtick
  bool is_quoted = false;  ///< after a backtick
};

/// Finds the place at the end of `text`, which is the statement before the cursor.
[[nodiscard]] TypedPlace find_typed_place(std::string_view text);

}  // namespace cairn::tools
