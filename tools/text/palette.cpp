// Writes terminal escape sequences. Errors are coloured line by line: the code, the line of the
// statement with its keywords, and the carets.
#include "tools/text/palette.hpp"

#include <cairn/keywords.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace cairn::tools {
namespace {

constexpr std::string_view reset = "\x1b[0m";

std::string_view sequence_of(Paint paint) {
  switch (paint) {
    case Paint::heading:
      return "\x1b[1m";
    case Paint::number:
      return "\x1b[36m";
    case Paint::null:
      return "\x1b[2m";
    case Paint::error:
      return "\x1b[31m";
    case Paint::keyword:
      return "\x1b[35m";
    case Paint::prompt:
      return "\x1b[32m";
  }
  return "";
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

bool is_keyword(std::string_view word) {
  const auto same = [&](std::string_view keyword) {
    return std::ranges::equal(
        word, keyword, [](unsigned char a, unsigned char b) { return std::toupper(a) == b; });
  };
  return std::ranges::any_of(keywords(), same);
}

/// Colours the keywords of a line of a statement.
std::string with_keywords(std::string_view line) {
  std::string text;
  while (!line.empty()) {
    std::size_t end = 0;
    while (end < line.size() && is_letter(line[end])) ++end;
    const bool is_word = end > 0;
    while (!is_word && end < line.size() && !is_letter(line[end])) ++end;
    const std::string_view piece = line.substr(0, end);
    text += painted(piece, Paint::keyword, is_word && is_keyword(piece));
    line.remove_prefix(end);
  }
  return text;
}

/// Colours a line by its kind: the head, the line of the statement, the carets, or a sentence.
std::string painted_line(std::string_view line) {
  constexpr std::string_view head = "error (";
  if (const std::size_t end = line.find("):"); line.starts_with(head) && end != line.npos)
    return painted(line.substr(0, end + 2), Paint::error, true) + std::string(line.substr(end + 2));
  if (!line.starts_with("  ")) return std::string(line);
  if (line.find_first_not_of(" ^") == line.npos) return painted(line, Paint::error, true);
  return with_keywords(line);
}

}  // namespace

std::string painted(std::string_view text, Paint paint, bool has_colours) {
  if (!has_colours || text.empty()) return std::string(text);
  return std::string(sequence_of(paint)).append(text).append(reset);
}

std::optional<Paint> paint_of(const Value& value) {
  if (value.is_null()) return Paint::null;
  if (value.is_number()) return Paint::number;
  return std::nullopt;
}

std::string painted_prompt(std::string_view prompt, char mark, bool has_colours) {
  if (!has_colours || prompt.empty()) return std::string(prompt);
  const auto marked = [&](std::string_view sequence) {
    return std::string(1, mark).append(sequence) + mark;
  };
  return marked(sequence_of(Paint::prompt))
      .append(prompt.substr(0, prompt.size() - 1))
      .append(marked(reset))
      .append(prompt.substr(prompt.size() - 1));
}

std::string painted_error(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += painted_line(text.substr(0, end));
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

bool environment_has_colours() {
  const char* refusal = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool is_refused = refusal != nullptr && *refusal != '\0';
  return !is_refused && terminal != nullptr && std::string_view(terminal) != "dumb";
}

}  // namespace cairn::tools
