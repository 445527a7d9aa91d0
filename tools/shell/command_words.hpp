#pragma once
// Splits the line of a dot command into words.

#include <cairn/result.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

struct CommandWord {
  std::string text;       ///< without its quotes
  std::size_t begin = 0;  ///< position in the line, of the quote if there is one
  bool is_quoted = false;
};

/// Splits a line into words at blanks. A word that begins with a single or double quote is a string
/// of the language that ends at the same quote: 'two words', "it's", 'it\'s'. Errors:
/// invalid_argument for an open quote, or an escape that the language does not have.
[[nodiscard]] Result<std::vector<CommandWord>> split_words(std::string_view line);

/// Returns where the last word of the line begins, even if its quote is open; the end of the line
/// after a blank.
[[nodiscard]] std::size_t begin_of_last_word(std::string_view line);

/// Returns `text` as one word: in quotes if it has blanks or would be read differently without
/// them.
[[nodiscard]] std::string as_word(const std::string& text);

/// Returns the path that a user means: ~ and ~/notes are in the home directory.
[[nodiscard]] std::string user_path(std::string_view text);

// Rewrites messages of the library, which name members of C++ types, for users of the shell.

/// Replaces names of option members by commands if there is a prompt (".memory"), else by options
/// of the program ("--memory"), and adds units to the sizes and times next to them.
[[nodiscard]] std::string user_words(std::string message, bool has_prompt);

// Commands of psql, sqlite3, duckdb and cypher-shell.

/// Returns the dot command that a line means: ".schema Person" for "\\d Person", ".quit" for
/// "exit"; empty for any other line. Words may be in any case and end with a semicolon.
[[nodiscard]] std::string find_dot_command(std::string_view line);

}  // namespace cairn::tools
