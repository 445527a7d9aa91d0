// Recognises in a script what the shell needs: transaction statements, dot commands, and whether
// statements write. The parser reads everything else.
#include "tools/shell/script.hpp"

#include "tools/shell/shell.hpp"

#include <cairn/statement.hpp>

#include <algorithm>
#include <cctype>

namespace cairn::tools {
namespace {

/// Returns the length of the comment at the beginning of `text`; 0 without one.
std::size_t comment_length(std::string_view text) {
  const bool is_line = text.starts_with("//");
  if (!is_line && !text.starts_with("/*")) return 0;
  const std::size_t end = text.find(is_line ? "\n" : "*/", 2);
  if (end == std::string_view::npos) return text.size();
  return is_line ? end : end + 2;
}

/// Returns the lower-case words of `text`, enough to recognise a transaction statement: blanks and
/// comments become one blank, semicolons are dropped, and long texts are cut.
std::string control_words(std::string_view text) {
  constexpr std::size_t enough = 64;
  std::string words;
  while (!text.empty() && words.size() < enough) {
    const std::size_t comment = comment_length(text);
    const char c = comment > 0 ? ' ' : text.front();
    text.remove_prefix(std::max<std::size_t>(comment, 1));
    if (c == ';') continue;
    const auto byte = static_cast<unsigned char>(c);
    if (std::isspace(byte) != 0) {
      if (!words.empty() && words.back() != ' ') words += ' ';
    } else {
      words += static_cast<char>(std::tolower(byte));
    }
  }
  while (!words.empty() && words.back() == ' ') words.pop_back();
  return words;
}

bool is_any_control(std::string_view statement) {
  return is_control(statement, "begin") || is_control(statement, "commit") ||
         is_control(statement, "rollback");
}

constexpr std::string_view statement_blanks = " \t\r\n";

/// True if the text begins with ":auto", in any case.
bool has_auto(std::string_view text) {
  constexpr std::string_view prefix = ":auto";
  const auto is_same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  };
  return text.size() >= prefix.size() &&
         std::ranges::equal(text.substr(0, prefix.size()), prefix, is_same) &&
         (text.size() == prefix.size() ||
          statement_blanks.find(text[prefix.size()]) != statement_blanks.npos);
}

bool is_writing_statement(std::string_view text) {
  const auto statement = Statement::parse(without_auto(text));
  return statement && statement->is_writing();
}

/// True for commands that write to the database, as far as this is known before they run.
bool is_writing_command(std::string_view line) {
  const std::string_view name = dot_command_of(line);
  return name == ".import" || name == ".read";
}

/// Returns what the first of several statements does.
ScriptKind first_kind_of(std::string_view statements) {
  for (const std::string_view statement : split_statements(statements))
    if (!is_any_control(statement))
      return is_writing_statement(statement) ? ScriptKind::writes : ScriptKind::reads;
  return ScriptKind::nothing;
}

}  // namespace

bool is_control(std::string_view statement, std::string_view verb) {
  const std::string words = control_words(statement);
  return words == verb || words == std::string(verb) + " transaction";
}

std::string_view without_auto(std::string_view statement) {
  constexpr std::size_t length = 5;
  const std::size_t begin =
      std::min(statement.find_first_not_of(statement_blanks), statement.size());
  return has_auto(statement.substr(begin)) ? statement.substr(begin + length) : statement;
}

bool is_command_line(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  return begin != std::string_view::npos &&
         std::string_view(".\\:").find(line[begin]) != std::string_view::npos &&
         !has_auto(line.substr(begin));
}

std::pair<std::size_t, std::size_t> find_dot_line(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (is_command_line(text.substr(at, end - at)) && !ends_inside_statement(text.substr(0, at)))
      return {at, end};
    at = end + 1;
  }
  return {text.size(), text.size()};
}

ScriptKind first_kind(std::string_view text, bool is_all) {
  while (!text.empty()) {
    const auto [begin, end] = find_dot_line(text);
    std::string_view statements = text.substr(0, begin);
    const bool is_open = begin == text.size() && ends_inside_statement(statements);
    if (is_open && !is_all) {
      const auto pieces = split_statements(statements);
      statements = statements.substr(0, statements.size() - pieces.back().size());
    }
    const ScriptKind kind = first_kind_of(statements);
    if (kind != ScriptKind::nothing) return kind;
    if (is_writing_command(text.substr(begin, end - begin))) return ScriptKind::writes;
    text.remove_prefix(end);
  }
  return ScriptKind::nothing;
}

bool writes(std::string_view text) {
  while (!text.empty()) {
    const auto [begin, end] = find_dot_line(text);
    if (std::ranges::any_of(split_statements(text.substr(0, begin)), is_writing_statement))
      return true;
    if (is_writing_command(text.substr(begin, end - begin))) return true;
    text.remove_prefix(end);
  }
  return false;
}

std::string read_begin(std::istream& input) {
  std::string text;
  for (std::string line; std::getline(input, line);) {
    text += line + "\n";
    const bool may_end = is_command_line(line) || line.find(';') != line.npos;
    if (may_end && first_kind(text, false) != ScriptKind::nothing) break;
  }
  return text;
}

// Reads the available bytes, at least one, so that a line typed by hand does not wait for 4 KiB.
BegunInput::int_type BegunInput::underflow() {
  held_.resize(4'096);
  const std::streamsize ready = std::max<std::streamsize>(input_.rdbuf()->in_avail(), 1);
  const std::streamsize wanted = std::min(ready, static_cast<std::streamsize>(held_.size()));
  input_.read(held_.data(), wanted);
  const std::streamsize count = input_.gcount();
  setg(held_.data(), held_.data(), held_.data() + count);
  return count == 0 ? traits_type::eof() : traits_type::to_int_type(held_.front());
}

}  // namespace cairn::tools
