#pragma once
// Splits a line into words at blanks, with quotes like those of the language.

#include <cairn/result.hpp>
#include <cairn/statement.hpp>
#include <cairn/value.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::tools {

struct CommandWord {
  std::string text;       ///< without its quotes
  std::size_t begin = 0;  ///< position in the line, of the quote if there is one
  bool is_quoted = false;
};

namespace words {

inline constexpr std::string_view blanks = " \t\r";

/// Returns the position after the quote that closes the quote at `begin`; npos if it is not closed.
[[nodiscard]] inline std::size_t end_of_quoted(std::string_view line, std::size_t begin) {
  for (std::size_t at = begin + 1; at < line.size(); ++at) {
    if (line[at] == '\\')
      ++at;
    else if (line[at] == line[begin])
      return at + 1;
  }
  return std::string_view::npos;
}

[[nodiscard]] inline bool begins_quoted(std::string_view line, std::size_t at) {
  return line[at] == '\'' || line[at] == '"';
}

/// Returns the position after the word at `begin`.
[[nodiscard]] inline std::size_t end_of_word(std::string_view line, std::size_t begin) {
  const std::size_t end =
      begins_quoted(line, begin) ? end_of_quoted(line, begin) : line.find_first_of(blanks, begin);
  return std::min(end, line.size());
}

/// Returns the text of a quoted word, with the escapes of the language. Errors: invalid_argument.
[[nodiscard]] inline Result<std::string> unquoted(std::string_view word) {
  const auto problem = [&](std::string_view what) {
    std::string message(what);
    message.append(": ").append(word);
    return Error{ErrorCode::invalid_argument, std::move(message), std::nullopt};
  };
  if (end_of_quoted(word, 0) != word.size()) return problem("a quote is not closed");
  const auto value = parse_literal(word);
  if (!value || value->string() == nullptr)
    return problem(
        "not a valid string (within quotes, write \\\\ for a backslash before a quote or a "
        "backslash)");
  return value->as_string();
}

}  // namespace words

/// Splits a line into words at blanks. A word that begins with a single or double quote is a string
/// of the language that ends at the same quote: 'two words', "it's", 'it\'s'. Errors:
/// invalid_argument for an open quote, or an escape that the language does not have.
[[nodiscard]] inline Result<std::vector<CommandWord>> split_words(std::string_view line) {
  std::vector<CommandWord> all;
  for (std::size_t at = line.find_first_not_of(words::blanks); at < line.size();
       at = line.find_first_not_of(words::blanks, at)) {
    const std::size_t end = words::end_of_word(line, at);
    CommandWord word{std::string(line.substr(at, end - at)), at, words::begins_quoted(line, at)};
    if (word.is_quoted) {
      CAIRN_ASSIGN(word.text, words::unquoted(word.text));
    }
    all.push_back(std::move(word));
    at = end;
  }
  return all;
}

}  // namespace cairn::tools
