// No parser: what is typed is no statement yet. Strings, comments, quoted names and brackets are told apart, and then
// the sign or the keyword before the word decides.
#include "tools/shell/typed_place.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace cairn::tools {
namespace {

bool is_of_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;
}

/// What is open at the end of a text.
struct OpenParts {
  std::string brackets;      // those that are not closed
  char quote = '\0';         // of the string or the name that is not closed
  std::size_t quote_at = 0;  // and where it begins
  bool is_comment = false;
};

/// Behind the comment at `at`; npos where it is not closed, `at` where there is none.
std::size_t behind_comment(std::string_view text, std::size_t at) {
  const std::string_view begin = text.substr(at, 2);
  if (begin == "//") return text.find('\n', at);
  if (begin != "/*") return at;
  const std::size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? end : end + 2;
}

/// Behind the string or the quoted name at `at`; npos where it is not closed.
std::size_t behind_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\' && quote != '`')
      ++i;
    else if (text[i] == quote)
      return i + 1;
  }
  return std::string_view::npos;
}

void take_bracket(std::string& open, char c) {
  if (c == '(' || c == '[' || c == '{') open += c;
  if ((c == ')' || c == ']' || c == '}') && !open.empty()) open.pop_back();
  if (c == ';') open.clear();
}

OpenParts find_open_parts(std::string_view text) {
  OpenParts open;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t behind = behind_comment(text, at); behind != at) {
      open.is_comment = behind == std::string_view::npos;
      at = behind;
    } else if (text[at] == '\'' || text[at] == '"' || text[at] == '`') {
      const std::size_t closed = behind_quoted(text, at);
      if (closed == std::string_view::npos) open.quote = text[open.quote_at = at];
      at = closed;
    } else {
      take_bracket(open.brackets, text[at++]);
    }
  }
  return open;
}

/// Without blanks at its end.
std::string_view trimmed_end(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

std::string last_keyword(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_of_name(text[begin - 1])) --begin;
  std::string word(text.substr(begin));
  std::ranges::transform(word, word.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return word;
}

Expected behind_colon(char bracket) {
  if (bracket == '(') return Expected::label;
  if (bracket == '[') return Expected::type;
  return bracket == '{' ? Expected::word : Expected::name;
}

struct KeywordPlace {
  std::string_view keyword;
  Expected expected;
};

constexpr std::array keyword_places{
    KeywordPlace{"SHOW", Expected::shown}, KeywordPlace{"CALL", Expected::procedure},
    KeywordPlace{"INDEX", Expected::index}, KeywordPlace{"CONSTRAINT", Expected::constraint}};

/// By what stands before the word.
Expected expected_behind(std::string_view text, char bracket) {
  const std::string_view before = trimmed_end(text);
  if (before.empty()) return Expected::word;
  const char sign = before.back();
  if (sign == ':') return behind_colon(bracket);
  if (sign == '|' && bracket == '[') return Expected::type;
  if (sign == '.' && before.size() == text.size()) return Expected::property;
  if (bracket == '{' && (sign == '{' || sign == ',')) return Expected::property;
  if (before.size() == text.size()) return Expected::word;
  const std::string word = last_keyword(before);
  const auto* found = std::ranges::find(keyword_places, word, &KeywordPlace::keyword);
  return found == keyword_places.end() ? Expected::word : found->expected;
}

}  // namespace

TypedPlace find_typed_place(std::string_view text) {
  const OpenParts open = find_open_parts(text);
  if (open.is_comment || (open.quote != '\0' && open.quote != '`'))
    return {Expected::nothing, text.size(), false};
  const char bracket = open.brackets.empty() ? '\0' : open.brackets.back();
  if (open.quote == '`')
    return {expected_behind(text.substr(0, open.quote_at), bracket), open.quote_at + 1, true};
  std::size_t begin = text.size();
  while (begin > 0 && is_of_name(text[begin - 1])) --begin;
  return {expected_behind(text.substr(0, begin), bracket), begin, false};
}

}  // namespace cairn::tools
