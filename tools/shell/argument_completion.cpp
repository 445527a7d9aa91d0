#include "tools/shell/argument_completion.hpp"

#include "tools/shell/command_words.hpp"
#include "tools/shell/listing_commands.hpp"
#include "tools/shell/shell.hpp"
#include "tools/text/near_name.hpp"
#include "tools/text/row_writer.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace cairn::tools {
namespace {

namespace fs = std::filesystem;

/// Those that begin as what is typed does, each as one word.
Completions completions_of(std::vector<std::string> words, std::string_view typed,
                           std::size_t from) {
  std::erase_if(words, [&](const std::string& word) { return !begins_alike(word, typed); });
  for (std::string& word : words) word = as_word(word);
  std::ranges::sort(words);
  words.erase(std::ranges::unique(words).begin(), words.end());
  return {from, std::move(words)};
}

/// In quotes where it must be, or is already. Those of a directory stay open, as a name goes on behind it.
std::string path_word(const std::string& path, char quote, bool is_directory) {
  const bool must_be_quoted = path.find_first_of(" \t'\"") != std::string::npos;
  if (quote == '\0' && !must_be_quoted) return path;
  const char mark = quote == '\0' ? '\'' : quote;
  std::string word(1, mark);
  for (const char c : path)
    word += c == mark || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  return is_directory ? word : word + mark;
}

/// Names in the directory of what is typed. One that begins with a dot must be asked for.
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
    found.is_part = is_directory;  // of the only one, where one is all there is
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
  // Each of these is the one word that its command takes.
  const std::size_t behind_name = line.find_first_of(" \t", name);
  const std::size_t first = std::min(line.find_first_not_of(" \t", behind_name), line.size());
  if (from != first) return {line.size(), {}};
  return completions_of(words_for(session, kind), line.substr(from), from);
}

}  // namespace cairn::tools
