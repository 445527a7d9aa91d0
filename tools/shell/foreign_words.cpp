#include "tools/shell/foreign_words.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace cairn::tools {
namespace {

/// What stands behind the typed words is put behind the command, where it takes something.
struct ForeignWord {
  std::string_view typed;
  std::string_view meant;
  std::string_view meant_with_argument;  ///< empty where it takes none
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
  // As drivers call the default namespace.
  if (is_same_word(found->typed, ":use") && (argument == "neo4j" || argument == "system"))
    return ".namespace ''";
  return std::string(found->meant_with_argument).append(" ").append(argument);
}

}  // namespace cairn::tools
