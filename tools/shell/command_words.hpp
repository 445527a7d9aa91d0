#pragma once
// Words of dot commands.

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::tools {

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
