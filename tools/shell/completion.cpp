// Names are read from the database at each Tab: they are few, and always right.
#include "tools/shell/completion.hpp"

#include "tools/shell/argument_completion.hpp"
#include "tools/shell/listing_commands.hpp"
#include "tools/shell/script.hpp"
#include "tools/shell/typed_place.hpp"
#include "tools/text/near_name.hpp"

#include <cairn/keywords.hpp>
#include <cairn/statement.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <utility>

namespace cairn::tools {
namespace {

using Words = std::vector<std::string>;

/// Of the shell and not of the language.
constexpr std::array transaction_words{"BEGIN", "COMMIT", "ROLLBACK"};
constexpr std::array shown_words{"ALL",        "BACKUPS",   "CONSTRAINTS", "DATABASES",
                                 "FULLTEXT",   "FUNCTIONS", "INDEXES",     "NAMESPACES",
                                 "PROCEDURES", "RANGE",     "VECTOR"};

void add_names(Session& session, NameKind kind, Words& words) {
  if (const auto names = names_in_use(session, kind))
    words.insert(words.end(), names->begin(), names->end());
}

std::string lowered(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

/// Keywords have the case of what is typed: small letters, where there is none but these.
Words in_case_of(std::string_view typed, Words words) {
  if (typed.empty() || lowered(typed) != typed) return words;
  std::ranges::transform(words, words.begin(), lowered);
  return words;
}

Words language_keywords() {
  Words words(transaction_words.begin(), transaction_words.end());
  for (const std::string_view keyword : keywords()) words.emplace_back(keyword);
  return words;
}

/// Names of records and indexes, which may have to be quoted.
Words names_for(Session& session, Expected expected) {
  Words words;
  if (expected == Expected::label || expected == Expected::name)
    add_names(session, NameKind::label, words);
  if (expected == Expected::type || expected == Expected::name)
    add_names(session, NameKind::relationship_type, words);
  if (expected == Expected::property) add_names(session, NameKind::property, words);
  if (expected == Expected::index) words = first_column(session, "SHOW INDEXES");
  if (expected == Expected::constraint)
    words = first_column(session, "SHOW CONSTRAINTS YIELD name");
  return words;
}

Completions fitting(Words words, std::string_view text, std::size_t from) {
  const std::string_view begin = text.substr(from);
  std::erase_if(words, [&](const std::string& word) { return !begins_alike(word, begin); });
  std::ranges::sort(words);
  words.erase(std::ranges::unique(words).begin(), words.end());
  return {from, std::move(words)};
}

/// Any sign may come behind a name.
Completions without_blank(Completions found) {
  found.is_part = true;
  return found;
}

/// A keyword is followed by a blank, a function by its arguments. What is both, as COUNT is, is one word.
Completions complete_word(Session& session, std::string_view text, std::size_t from) {
  Words keywords = in_case_of(text.substr(from), language_keywords());
  const Completions fitting_keywords = fitting(std::move(keywords), text, from);
  Words words = fitting_keywords.words;
  for (std::string& name : first_column(session, "SHOW FUNCTIONS")) {
    const bool is_keyword = std::ranges::any_of(fitting_keywords.words, [&](const auto& keyword) {
      return lowered(keyword) == lowered(name);
    });
    if (!is_keyword) words.push_back(std::move(name));
  }
  Completions found = fitting(std::move(words), text, from);
  found.is_part = fitting_keywords.words.empty();
  return found;
}

/// The rest of a name behind its backtick, with the one that closes it.
std::string rest_of_quoted(std::string_view name) {
  std::string text;
  for (const char c : name) text += c == '`' ? std::string("``") : std::string(1, c);
  return text + "`";
}

/// Where the dotted word of a function or a procedure begins.
std::size_t begin_of_dotted(std::string_view text, std::size_t from) {
  const auto is_of_dotted = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.';
  };
  while (from > 0 && is_of_dotted(static_cast<unsigned char>(text[from - 1]))) --from;
  return from;
}

/// Behind a dot there may be the rest of a function's or a procedure's name.
Completions complete_dotted(Session& session, std::string_view text, std::size_t from) {
  Words words = first_column(session, "SHOW FUNCTIONS");
  std::ranges::move(first_column(session, "SHOW PROCEDURES"), std::back_inserter(words));
  return without_blank(fitting(std::move(words), text, begin_of_dotted(text, from)));
}

Completions complete_statement(Session& session, std::string_view text) {
  const TypedPlace place = find_typed_place(text);
  const bool has_begun = place.from < text.size();
  switch (place.expected) {
    case Expected::nothing:
      return {text.size(), {}};
    case Expected::shown:
      return fitting(in_case_of(text.substr(place.from), {shown_words.begin(), shown_words.end()}),
                     text, place.from);
    case Expected::procedure:
      return without_blank(fitting(first_column(session, "SHOW PROCEDURES"), text, place.from));
    case Expected::word:
      if (place.is_quoted || !has_begun) return {text.size(), {}};
      return complete_word(session, text, place.from);
    default:
      break;
  }
  if (place.expected == Expected::property && !place.is_quoted) {
    Completions dotted = complete_dotted(session, text, place.from);
    if (dotted.from < place.from && !dotted.words.empty()) return dotted;
  }
  Completions found = fitting(names_for(session, place.expected), text, place.from);
  for (std::string& word : found.words)
    word = place.is_quoted ? rest_of_quoted(word) : quoted_name(word);
  return without_blank(std::move(found));
}

}  // namespace

Words first_column(Session& session, std::string_view statement) {
  Words words;
  auto rows = session.rows_of(statement);
  if (!rows) return words;
  for (auto row = rows->next(); row && row.value(); row = rows->next())
    if (const std::string* name = (*row.value())[0].string()) words.push_back(*name);
  return words;
}

Completions complete(Session& session, std::string_view before, std::string_view line) {
  if (before.empty() && is_command_line(line)) return complete_command(session, line);
  Completions found = complete_statement(session, std::string(before).append(line));
  if (found.from < before.size()) return {line.size(), {}};
  found.from -= before.size();
  return found;
}

}  // namespace cairn::tools
