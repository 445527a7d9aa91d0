// Words of dot commands, error messages of the library in the words of the shell, and commands of
// other shells.
#include "tools/shell/command_words.hpp"

#include "tools/arguments/words.hpp"
#include "tools/text/quantity.hpp"

#include <cairn/value.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string_view>

namespace cairn::tools {
std::size_t begin_of_last_word(std::string_view line) {
  std::size_t begin = line.size();
  for (std::size_t at = line.find_first_not_of(words::blanks); at < line.size();
       at = line.find_first_not_of(words::blanks, at)) {
    begin = at;
    at = words::end_of_word(line, at);
    if (at < line.size()) begin = line.size();
  }
  return begin;
}

std::string as_word(const std::string& text) {
  const bool is_plain = !text.empty() && text.find_first_of(" \t\r\n") == std::string::npos &&
                        !words::begins_quoted(text, 0);
  return is_plain ? text : Value(text).to_text();
}

std::string user_path(std::string_view text) {
  const char* home = std::getenv("HOME");
  const bool is_at_home = text == "~" || text.starts_with("~/");
  if (!is_at_home || home == nullptr) return std::string(text);
  return home + std::string(text.substr(1));
}

namespace {

struct OptionWords {
  std::string_view library;
  std::string_view option;
  std::string_view command;
};

/// A name comes before its own prefixes.
constexpr OptionWords option_words[] = {
    {"StatementOptions::memory_bytes (--memory)", "--memory", ".memory"},
    {"StatementOptions::max_rows (--max-rows)", "--max-rows", ".max_rows"},
    {"StatementOptions::timeout (--timeout)", "--timeout", ".timeout"},
    {"StatementOptions::memory_bytes", "--memory", ".memory"},
    {"Options::transaction_bytes, --transaction-mib", "--transaction-mib", "--transaction-mib"},
    {"Options::file_root", "--file-root", "--file-root"},
    {"Options::share_group", "CAIRN_SHARE_GROUP", "CAIRN_SHARE_GROUP"},
    {"Options::home", "--home", "--home"},
    {"StatementOptions::also_read", "--also-read", ".also_read"},
    {"StatementOptions::author", "--author", ".author"},
    {"RemoteOptions::authorities, or --tls-ca of the program cairn", "--tls-ca", "--tls-ca"},
    {"RemoteOptions::token", "--token-file", "--token-file"},
};

struct UnitWords {
  std::string_view before;
  std::string_view behind;
  std::string (*text)(std::uint64_t);
};

std::string milliseconds_text(std::uint64_t count) {
  return duration_text(std::chrono::milliseconds(static_cast<std::int64_t>(count)));
}

std::string rows_text(std::uint64_t count) { return counted(count, "row", "rows"); }

constexpr UnitWords unit_words[] = {
    {"its limit of ", " bytes", byte_text},
    {"its limit of ", " ms", milliseconds_text},
    {"its limit of ", " rows", rows_text},
    {"more than ", " bytes of changes",
     [](std::uint64_t count) { return byte_text(count) + " of changes"; }},
};

/// Adds a unit to the number between two pieces of the message, if both pieces are found.
void add_unit(std::string& message, const UnitWords& words) {
  const std::size_t at = message.find(words.before);
  if (at == std::string::npos) return;
  const char* begin = message.data() + at + words.before.size();
  std::uint64_t count = 0;
  const auto [end, problem] = std::from_chars(begin, message.data() + message.size(), count);
  const std::size_t behind = static_cast<std::size_t>(end - message.data());
  if (problem != std::errc() || !std::string_view(message).substr(behind).starts_with(words.behind))
    return;
  const std::size_t from = at + words.before.size();
  message.replace(from, behind + words.behind.size() - from, words.text(count));
}

/// A user of the shell makes no calls of the library, but gives commands.
void name_command(std::string& message) {
  constexpr std::string_view begin = " runs only statements, not the call `";
  constexpr std::string_view end = "`; use a statement instead, or open the directory";
  const std::size_t at = message.find(begin);
  const std::size_t behind = at == std::string::npos ? at : message.find(end, at);
  if (behind == std::string::npos) return;
  message.replace(
      at, behind + end.size() - at,
      " runs only statements, and not this command; run it in a shell on the directory");
}

}  // namespace

std::string user_words(std::string message, bool has_prompt) {
  for (const OptionWords& words : option_words)
    if (const std::size_t at = message.find(words.library); at != std::string::npos)
      message.replace(at, words.library.size(), has_prompt ? words.command : words.option);
  for (const UnitWords& words : unit_words) add_unit(message, words);
  name_command(message);
  return message;
}

namespace {

/// A command of another shell and its meaning. Further typed words are appended if the command
/// takes an argument.
struct ForeignWord {
  std::string_view typed;
  std::string_view meant;
  std::string_view meant_with_argument;  ///< empty: takes no argument
};

constexpr ForeignWord foreign_words[] = {
    {"help", ".help", ".help"},
    {"?", ".help", ".help"},
    {"\\?", ".help", ".help"},
    {"\\h", ".help", ".help"},
    {":help", ".help", ".help"},
    {"exit", ".quit", ""},
    {"quit", ".quit", ""},
    {"exit()", ".quit", ""},
    {"quit()", ".quit", ""},
    {"\\q", ".quit", ""},
    {":q", ".quit", ""},
    {":quit", ".quit", ""},
    {":exit", ".quit", ""},
    {"\\d", ".schema", ".schema"},
    {"\\dt", ".labels", ".schema"},
    {"\\di", ".indexes", ""},
    {"\\d+", ".schema", ".schema"},
    {"\\dt+", ".labels", ".schema"},
    {"\\di+", ".indexes", ""},
    {"\\l+", ".namespaces", ""},
    {"\\dn", ".namespaces", ""},
    {"\\l", ".namespaces", ""},
    {"\\c", ".show", ".open"},
    {"\\connect", ".show", ".open"},
    {"\\conninfo", ".show", ""},
    {":use", ".namespace", ".namespace"},
    {"\\x", ".mode toggle", ""},
    {"\\timing", ".timer toggle", ".timer"},
    {"\\t", ".headers toggle", ""},
    {"\\i", ".read", ".read"},
    {":source", ".read", ".read"},
    {"\\o", ".output", ".output"},
    {"\\cd", ".cd", ".cd"},
    {"\\echo", ".print", ".print"},
    {"\\set", ".param", ".param"},
    {":param", ".param", ".param"},
    {":params", ".param", ""},
    {"\\unset", ".unset", ".unset"},
};

bool is_same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char one, unsigned char other) {
    return std::tolower(one) == std::tolower(other);
  });
}

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

}  // namespace

std::string find_dot_command(std::string_view line) {
  line = without_blanks(line);
  while (line.ends_with(';')) line = without_blanks(line.substr(0, line.size() - 1));
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view typed = line.substr(0, end);
  const auto* found = std::ranges::find_if(
      foreign_words, [&](const ForeignWord& word) { return is_same_word(word.typed, typed); });
  if (found == std::end(foreign_words)) return {};
  const std::string_view argument = without_blanks(line.substr(end));
  if (argument.empty()) return std::string(found->meant);
  if (found->meant_with_argument.empty()) return {};
  // Drivers use these names for the default namespace.
  if (is_same_word(found->typed, ":use") && (argument == "neo4j" || argument == "system"))
    return ".namespace ''";
  return std::string(found->meant_with_argument).append(" ").append(argument);
}

}  // namespace cairn::tools
