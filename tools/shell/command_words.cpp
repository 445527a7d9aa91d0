#include "tools/shell/command_words.hpp"

#include <cairn/statement.hpp>

#include <algorithm>
#include <cstdlib>

namespace cairn::tools {
namespace {

constexpr std::string_view word_blanks = " \t\r";

/// Behind the quote that closes the one at `begin`; npos where none does.
std::size_t end_of_quoted(std::string_view line, std::size_t begin) {
  for (std::size_t at = begin + 1; at < line.size(); ++at) {
    if (line[at] == '\\')
      ++at;
    else if (line[at] == line[begin])
      return at + 1;
  }
  return std::string_view::npos;
}

bool begins_quoted(std::string_view line, std::size_t at) {
  return line[at] == '\'' || line[at] == '"';
}

/// Behind the word at `begin`.
std::size_t end_of_word(std::string_view line, std::size_t begin) {
  const std::size_t end = begins_quoted(line, begin) ? end_of_quoted(line, begin)
                                                     : line.find_first_of(word_blanks, begin);
  return std::min(end, line.size());
}

Result<std::string> unquoted(std::string_view word) {
  const auto problem = [&](std::string_view what) {
    return Error{ErrorCode::invalid_argument, std::string(what) + ": " + std::string(word),
                 std::nullopt};
  };
  if (end_of_quoted(word, 0) != word.size()) return problem("a quote is not closed");
  const auto value = parse_literal(word);
  if (!value || value->string() == nullptr)
    return problem("no text of the language (a \\ before a quote or another \\ is doubled there)");
  return value->as_string();
}

}  // namespace

Result<std::vector<CommandWord>> split_words(std::string_view line) {
  std::vector<CommandWord> words;
  for (std::size_t at = line.find_first_not_of(word_blanks); at < line.size();
       at = line.find_first_not_of(word_blanks, at)) {
    const std::size_t end = end_of_word(line, at);
    CommandWord word{std::string(line.substr(at, end - at)), at, begins_quoted(line, at)};
    if (word.is_quoted) {
      CAIRN_ASSIGN(word.text, unquoted(word.text));
    }
    words.push_back(std::move(word));
    at = end;
  }
  return words;
}

std::size_t begin_of_last_word(std::string_view line) {
  std::size_t begin = line.size();
  for (std::size_t at = line.find_first_not_of(word_blanks); at < line.size();
       at = line.find_first_not_of(word_blanks, at)) {
    begin = at;
    at = end_of_word(line, at);
    if (at < line.size()) begin = line.size();
  }
  return begin;
}

std::string as_word(const std::string& text) {
  const bool is_plain = !text.empty() && text.find_first_of(" \t\r\n") == std::string::npos &&
                        !begins_quoted(text, 0);
  return is_plain ? text : Value(text).to_text();
}

std::string user_path(std::string_view text) {
  const char* home = std::getenv("HOME");
  const bool is_at_home = text == "~" || text.starts_with("~/");
  if (!is_at_home || home == nullptr) return std::string(text);
  return home + std::string(text.substr(1));
}

}  // namespace cairn::tools
