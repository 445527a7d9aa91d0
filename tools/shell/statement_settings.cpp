// The settings of statements as one table, which defines options of the program and commands of the
// shell.
#include "tools/shell/statement_settings.hpp"

#include "tools/arguments/name_list.hpp"
#include "tools/shell/session.hpp"
#include "tools/text/cell_text.hpp"
#include "tools/text/quantity.hpp"

#include <cairn/statement.hpp>
#include <cairn/value.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <vector>

namespace cairn::tools {
namespace {

Status set_name_space(StatementOptions& options, std::string_view text) {
  options.name_space = text;
  return {};
}

std::string show_name_space(const StatementOptions& options) {
  return Value(options.name_space).to_text();
}

Status set_also_read(StatementOptions& options, std::string_view text) {
  options.also_read = text == "-" ? std::vector<std::string>() : read_name_list(text);
  return {};
}

std::string show_also_read(const StatementOptions& options) {
  std::string text;
  for (const std::string& name : options.also_read)
    text += (text.empty() ? "" : ",") + (name.empty() ? std::string("''") : name);
  return text.empty() ? "-" : text;
}

Status set_author(StatementOptions& options, std::string_view text) {
  options.author = text;
  return {};
}

std::string show_author(const StatementOptions& options) { return Value(options.author).to_text(); }

Status set_timeout(StatementOptions& options, std::string_view text) {
  CAIRN_ASSIGN(options.timeout, parse_duration(text));
  return {};
}

std::string show_timeout(const StatementOptions& options) { return duration_text(options.timeout); }

/// Reads a whole number of at least `least`.
template <class Number>
Status set_number(Number& number, std::string_view text, Number least) {
  Number count = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, count);
  if (problem != std::errc() || stop != end || count < least)
    return Error{ErrorCode::invalid_argument,
                 "expected a whole number of at least " + std::to_string(least) + ", got " +
                     std::string(text),
                 std::nullopt};
  number = count;
  return {};
}

Status set_max_rows(StatementOptions& options, std::string_view text) {
  return set_number(options.max_rows, text, std::size_t{1});
}

std::string show_max_rows(const StatementOptions& options) {
  return std::to_string(options.max_rows);
}

Status set_memory(StatementOptions& options, std::string_view text) {
  CAIRN_ASSIGN(options.memory_bytes, parse_size(text));
  return {};
}

std::string show_memory(const StatementOptions& options) { return byte_text(options.memory_bytes); }

Status set_threads(StatementOptions& options, std::string_view text) {
  return set_number(options.threads, text, std::uint32_t{0});
}

std::string show_threads(const StatementOptions& options) {
  return std::to_string(options.threads);
}

constexpr StatementSetting settings[] = {
    {"namespace", "Namespace that statements run in; '' is the default one", set_name_space,
     show_name_space},
    {"also_read", "More namespaces that statements read, as a,b; '' is the default one, - none",
     set_also_read, show_also_read},
    {"author", "Author of the records that statements create (@author)", set_author, show_author},
    {"timeout", "Time that a statement may take, such as 500ms, 5s or 2m", set_timeout,
     show_timeout},
    {"max_rows", "Rows that a statement may return", set_max_rows, show_max_rows},
    {"memory", "Memory that a statement may take, such as 64MiB", set_memory, show_memory},
    {"threads", "Threads that may compute a statement; 0: as many as cores, at most 4", set_threads,
     show_threads},
};

/// Warns about a new namespace, because the name may be mistyped: statements that read there would
/// find nothing. Asks by a statement, because a server answers nothing else.
Status tell_if_new(Session& session) {
  const std::string& name = session.options().limits.name_space;
  if (name.empty()) return {};  // the default one
  CAIRN_ASSIGN(Rows rows, session.rows_of("SHOW NAMESPACES"));
  CAIRN_ASSIGN(const auto all, rows.all());
  if (std::ranges::none_of(all, [&](const auto& row) { return row[0] == Value(name); }))
    session.tell("there is no namespace " + make_visible(name) +
                 " yet: the first statement that writes makes it");
  return {};
}

}  // namespace

std::span<const StatementSetting> statement_settings() { return settings; }

std::string option_of(const StatementSetting& setting) {
  std::string option = "--" + std::string(setting.name);
  std::ranges::replace(option, '_', '-');
  return option;
}

Status print_or_set(Session& session, std::string_view name, const Arguments& words) {
  const StatementSetting& setting =
      *std::ranges::find(settings, name, [](const StatementSetting& one) { return one.name; });
  StatementOptions& options = session.options().limits;
  if (words.empty()) {
    session.out() << make_visible(setting.show(options)) << "\n";
    return {};
  }
  const std::string name_space = options.name_space;
  Status set = setting.set(options, joined(words));
  if (set && setting.set == set_name_space) set = tell_if_new(session);
  if (set) return {};
  options.name_space = name_space;
  return Error{set.error().code, "." + std::string(name) + ": " + set.error().message,
               std::nullopt};
}

}  // namespace cairn::tools
