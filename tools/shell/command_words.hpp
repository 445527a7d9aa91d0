#pragma once
// A line of a dot command as its words.

#include <cairn/result.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

struct CommandWord {
  std::string text;       ///< without its quotes
  std::size_t begin = 0;  ///< byte of the line, at the quote where there is one
  bool is_quoted = false;
};

/// Words are parted by blanks. One that begins with a quote, single or double, is a text of the language up to the
/// same quote: 'two words', "it's", 'it\'s'. Errors: invalid_argument for a quote that is not closed, or an escape that
/// the language does not know.
[[nodiscard]] Result<std::vector<CommandWord>> split_words(std::string_view line);

/// Byte of the line at which its last word begins, closed or not; its end behind a blank.
[[nodiscard]] std::size_t begin_of_last_word(std::string_view line);

/// `text` as one word: in quotes where it has blanks, or would be read as something else.
[[nodiscard]] std::string as_word(const std::string& text);

/// The path that a user writes: ~ and ~/notes are in the home directory.
[[nodiscard]] std::string user_path(std::string_view text);

// What the library says to programs, in the words of the user of a shell.

/// Members of options become commands at a prompt, ".memory", and options of the program elsewhere, "--memory"; the
/// sizes and times beside them get a unit.
[[nodiscard]] std::string user_words(std::string message, bool has_prompt);

// What people type who know psql, sqlite3, duckdb or cypher-shell.

/// The dot command that a line stands for: "\\d Person" is ".schema Person", "exit" is ".quit". Empty for any other.
/// Words are known in any case, with a semicolon behind them too.
[[nodiscard]] std::string find_dot_command(std::string_view line);

}  // namespace cairn::tools
