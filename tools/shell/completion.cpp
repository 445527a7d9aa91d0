// Completes statements and dot commands. Reads the names from the database at each Tab, so that
// they are current; there are few.
#include "tools/shell/completion.hpp"

#include "tools/shell/command_words.hpp"
#include "tools/shell/listing_commands.hpp"
#include "tools/shell/script.hpp"
#include "tools/shell/shell.hpp"
#include "tools/text/near_name.hpp"
#include "tools/text/row_writer.hpp"

#include <cairn/keywords.hpp>
#include <cairn/statement.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace cairn::tools {
namespace {

using Words = std::vector<std::string>;

/// Words of the shell that are not keywords of the language.
constexpr std::array transaction_words{"BEGIN", "COMMIT", "ROLLBACK"};
constexpr std::array shown_words{"ALL",        "BACKUPS",   "CONSTRAINTS",  "DATABASES",
                                 "FULLTEXT",   "FUNCTIONS", "INDEXES",      "NAMESPACES",
                                 "PROCEDURES", "RANGE",     "TRANSACTIONS", "VECTOR"};

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

/// Returns keywords in lower case if the typed text is in lower case.
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

/// Names of records and indexes, which may need quotes.
Words names_for(Session& session, Expected expected) {
  Words words;
  if (expected == Expected::label || expected == Expected::name)
    add_names(session, NameKind::label, words);
  if (expected == Expected::type || expected == Expected::name)
    add_names(session, NameKind::relationship_type, words);
  if (expected == Expected::property) add_names(session, NameKind::property, words);
  if (expected == Expected::index) words = first_column(session, "SHOW INDEXES YIELD name");
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

/// Does not add a blank, because any character may follow a name.
Completions without_blank(Completions found) {
  found.is_part = true;
  return found;
}

/// Completes keywords (followed by a blank) and functions (followed by arguments). A word that is
/// both, such as COUNT, is listed once.
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

/// Returns the rest of a name after its backtick, with the closing backtick.
std::string rest_of_quoted(std::string_view name) {
  std::string text;
  for (const char c : name) text += c == '`' ? std::string("``") : std::string(1, c);
  return text + "`";
}

/// Returns where the dotted name of a function or procedure begins.
std::size_t begin_of_dotted(std::string_view text, std::size_t from) {
  const auto is_of_dotted = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.';
  };
  while (from > 0 && is_of_dotted(static_cast<unsigned char>(text[from - 1]))) --from;
  return from;
}

/// After a dot, completes the rest of the name of a function or procedure.
Completions complete_dotted(Session& session, std::string_view text, std::size_t from) {
  Words words = first_column(session, "SHOW FUNCTIONS");
  std::ranges::move(first_column(session, "SHOW PROCEDURES"), std::back_inserter(words));
  return without_blank(fitting(std::move(words), text, begin_of_dotted(text, from)));
}

/// Completes the name or keyword at the end of an unfinished statement. Names come from the
/// database, and are quoted where they need it.
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

namespace {

namespace fs = std::filesystem;

/// Returns the words that begin with the typed text, each quoted as one word.
Completions completions_of(std::vector<std::string> words, std::string_view typed,
                           std::size_t from) {
  std::erase_if(words, [&](const std::string& word) { return !begins_alike(word, typed); });
  for (std::string& word : words) word = as_word(word);
  std::ranges::sort(words);
  words.erase(std::ranges::unique(words).begin(), words.end());
  return {from, std::move(words)};
}

/// Quotes a path if necessary or if a quote was typed. The quote of a directory stays open, because
/// a name follows.
std::string path_word(const std::string& path, char quote, bool is_directory) {
  const bool must_be_quoted = path.find_first_of(" \t'\"") != std::string::npos;
  if (quote == '\0' && !must_be_quoted) return path;
  const char mark = quote == '\0' ? '\'' : quote;
  std::string word(1, mark);
  for (const char c : path)
    word += c == mark || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  return is_directory ? word : word + mark;
}

/// Completes names in the directory of the typed path. Hidden files only if a dot was typed.
Completions complete_path(std::string_view line, std::size_t from, bool only_directories) {
  const bool is_quoted = from < line.size() && (line[from] == '\'' || line[from] == '"');
  const std::string typed(line.substr(from + (is_quoted ? 1 : 0)));
  const std::size_t slash = typed.rfind('/');
  const std::string parent = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
  const std::string begin = typed.substr(parent.size());
  Completions found{from, {}};
  std::error_code problem;
  fs::directory_iterator entry(parent.empty() ? "." : user_path(parent), problem), end;
  for (; !problem && entry != end; entry.increment(problem)) {
    const std::string name = entry->path().filename().string();
    std::error_code gone;
    const bool is_directory = entry->is_directory(gone);
    if (!name.starts_with(begin) || (name.starts_with('.') && begin.empty())) continue;
    if (only_directories && !is_directory) continue;
    found.is_part = is_directory;  // no blank after a directory, if it is the only match
    found.words.push_back(path_word(parent + name + (is_directory ? "/" : ""),
                                    is_quoted ? line[from] : '\0', is_directory));
  }
  std::ranges::sort(found.words);
  return found;
}

std::vector<std::string> format_words() {
  std::vector<std::string> words;
  std::string_view names = format_names();
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(", "), names.size());
    words.emplace_back(names.substr(0, end));
    names.remove_prefix(std::min(end + 2, names.size()));
  }
  return words;
}

std::vector<std::string> parameter_words(Session& session) {
  std::vector<std::string> words;
  for (const auto& [name, value] : session.parameters()) words.push_back(name);
  return words;
}

std::vector<std::string> label_words(Session& session) {
  std::vector<std::string> words;
  for (const NameKind kind : {NameKind::label, NameKind::relationship_type})
    if (auto names = names_in_use(session, kind))
      words.insert(words.end(), names->begin(), names->end());
  return words;
}

std::vector<std::string> words_for(Session& session, ArgumentKind kind) {
  switch (kind) {
    case ArgumentKind::command:
      return dot_command_names();
    case ArgumentKind::format:
      return format_words();
    case ArgumentKind::on_off:
      return {"on", "off"};
    case ArgumentKind::label:
      return label_words(session);
    case ArgumentKind::parameter:
      return parameter_words(session);
    case ArgumentKind::name_space:
      return first_column(session, "SHOW NAMESPACES");
    default:
      return {};
  }
}

}  // namespace

Completions complete_command(Session& session, std::string_view line) {
  const std::size_t name = line.find_first_not_of(" \t");
  if (line.find_first_of(" \t", name) == std::string_view::npos)
    return completions_of(dot_command_names(), line.substr(name), name);
  const std::size_t from = begin_of_last_word(line);
  const ArgumentKind kind = argument_kind(line);
  if (kind == ArgumentKind::file || kind == ArgumentKind::directory)
    return complete_path(line, from, kind == ArgumentKind::directory);
  // Each of these commands takes a single word.
  const std::size_t behind_name = line.find_first_of(" \t", name);
  const std::size_t first = std::min(line.find_first_not_of(" \t", behind_name), line.size());
  if (from != first) return {line.size(), {}};
  return completions_of(words_for(session, kind), line.substr(from), from);
}

// Does not use the parser, because an incomplete text is not a statement. Skips strings, comments,
// quoted names and brackets. The character or keyword before the word decides what completes it.

namespace {

bool is_of_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;
}

/// What is open at the end of a text.
struct OpenParts {
  std::string brackets;      // open brackets
  char quote = '\0';         // of an open string or quoted name
  std::size_t quote_at = 0;  // where it begins
  bool is_comment = false;
};

/// Returns the position after the comment at `at`; npos if the comment is not closed; `at` if there
/// is no comment.
std::size_t behind_comment(std::string_view text, std::size_t at) {
  const std::string_view begin = text.substr(at, 2);
  if (begin == "//") return text.find('\n', at);
  if (begin != "/*") return at;
  const std::size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? end : end + 2;
}

/// Returns the position after the string or quoted name at `at`; npos if it is not closed.
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

// Finds what is open at the end of the text: a comment, a quote or brackets. If anything is open,
// the statement continues on the next line.
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

/// Removes blanks at the end.
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

/// Decides by the text before the word what is expected.
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
