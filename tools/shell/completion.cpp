// Names are read from the database at each Tab: they are few, and always right.
#include "tools/shell/completion.hpp"

#include "tools/shell/shell.hpp"

#include <cairn/keywords.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/statement.hpp>

#include <algorithm>
#include <array>
#include <cctype>

namespace cairn::tools {
namespace {

using Words = std::vector<std::string>;

/// Of the shell and not of the language.
constexpr std::array transaction_words{"BEGIN", "COMMIT", "ROLLBACK"};

bool is_of_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || c == '.' || byte >= 0x80;
}

std::size_t begin_of_word(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_of_word(text[begin - 1])) --begin;
  return begin;
}

bool begins_with(std::string_view word, std::string_view begin) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  return word.size() >= begin.size() &&
         std::ranges::equal(word.substr(0, begin.size()), begin, same);
}

/// The first column of a statement's rows.
void add_rows(Session& session, std::string_view statement, Words& words) {
  auto rows = execute(session.database(), statement);
  if (!rows) return;
  for (auto row = rows->next(); row && row.value(); row = rows->next())
    if (const std::string* name = (*row.value())[0].string()) words.push_back(*name);
}

void add_names(Result<std::vector<NameCount>> counts, Words& words) {
  if (!counts) return;
  for (const NameCount& one : *counts) words.push_back(one.name);
}

Words properties_of(Session& session) {
  Words words;
  if (const auto snapshot = session.database().snapshot()) add_names(snapshot->properties(), words);
  return words;
}

Words all_words(Session& session) {
  Words words(transaction_words.begin(), transaction_words.end());
  for (const std::string_view keyword : keywords()) words.emplace_back(keyword);
  add_rows(session, "SHOW FUNCTIONS", words);
  add_rows(session, "SHOW PROCEDURES", words);
  add_rows(session, "SHOW INDEXES", words);
  if (const auto snapshot = session.database().snapshot()) {
    add_names(snapshot->labels(), words);
    add_names(snapshot->relationship_types(), words);
    add_names(snapshot->properties(), words);
  }
  return words;
}

Completions fitting(Words words, std::string_view text, std::size_t from) {
  const std::string_view begin = text.substr(from);
  std::erase_if(words, [&](const std::string& word) { return !begins_with(word, begin); });
  std::ranges::sort(words);
  words.erase(std::ranges::unique(words).begin(), words.end());
  return {from, std::move(words)};
}

}  // namespace

Completions complete(Session& session, std::string_view text) {
  const std::size_t begin = begin_of_word(text);
  if (begin == text.size()) return {begin, {}};
  if (begin == 0 && text.front() == '.') return fitting(dot_command_names(), text, 0);
  Completions found = fitting(all_words(session), text, begin);
  const std::size_t dot = text.rfind('.');
  if (!found.words.empty() || dot == text.npos || dot < begin) return found;
  return fitting(properties_of(session), text, dot + 1);
}

}  // namespace cairn::tools
