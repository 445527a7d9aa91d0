// The table of dot commands; finds and runs the command of a line.
#include "tools/arguments/words.hpp"
#include "tools/shell/command_words.hpp"
#include "tools/shell/completion.hpp"
#include "tools/shell/dot_command.hpp"
#include "tools/shell/listing_commands.hpp"
#include "tools/shell/session_commands.hpp"
#include "tools/shell/shell.hpp"
#include "tools/shell/transfer_commands.hpp"
#include "tools/text/near_name.hpp"
#include "tools/text/wrapped_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

namespace cairn::tools {
namespace {

/// For arguments that may consist of several words, such as names with blanks and texts.
constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

struct Command {
  std::string_view name;
  std::string_view other_name;
  std::string_view arguments;  ///< for usage and help
  std::string_view summary;
  std::size_t least, most;  ///< number of arguments
  ArgumentKind kind;        ///< what Tab completes
  Status (*run)(Session&, const Arguments&);
  bool keeps_quotes = false;  ///< quotes belong to the argument: a value, or a shell command
};

Status help(Session& session, const Arguments& arguments);

Status quit(Session& session, const Arguments&) {
  session.quit();
  return {};
}

using Kind = ArgumentKind;
constexpr std::array commands{
    Command{".help", "", "[COMMAND]", "this list, or one command", 0, 1, Kind::command, help},
    Command{".labels", ".tables", "", "labels and relationship types with counts", 0, 0, Kind::none,
            labels},
    Command{".properties", "", "", "properties of nodes with counts", 0, 0, Kind::none, properties},
    Command{".indexes", ".indices", "", "indexes with their state", 0, 0, Kind::none, indexes},
    Command{".schema", "", "[LABEL]", "which label and type has which properties, and indexes", 0,
            any_number, Kind::label, schema},
    Command{".namespaces", ".databases", "", "namespaces with counts", 0, 0, Kind::none,
            namespaces},
    Command{".mode", ".format", "[FORMAT]",
            "table, vertical, json, jsonl, csv, markdown, llm, toon, rag", 0, 1, Kind::format,
            mode},
    Command{".headers", "", "[on|off]", "names of columns above a table and csv", 0, 1,
            Kind::on_off, headers},
    Command{".nullvalue", "", "[TEXT]", "what is shown for null", 0, any_number, Kind::none,
            null_value},
    Command{".timer", "", "[on|off]", "show how long statements take", 0, 1, Kind::on_off, timer},
    Command{".echo", "", "[on|off]", "show each statement of a file before it runs", 0, 1,
            Kind::on_off, echo},
    Command{".bail", "", "[on|off]", "end a file at its first error", 0, 1, Kind::on_off, bail},
    Command{".print", "", "[TEXT]", "print a text", 0, any_number, Kind::none, print},
    Command{".param", ".parameter", "[NAME [VALUE]]",
            "show or set a parameter: JSON, or 'text' and date('2026-01-01') as in the language", 0,
            any_number, Kind::parameter, param, true},
    Command{".unset", "", "NAME", "remove a parameter", 1, 1, Kind::parameter, unset},
    Command{".namespace", "", "[NAME]", "namespace of statements; '' is the default one", 0,
            any_number, Kind::name_space, name_space},
    Command{".also_read", "", "[NAMES]",
            "more namespaces that statements read, as a,b; '' is the default one, - none", 0,
            any_number, Kind::name_space, also_read},
    Command{".author", "", "[NAME]", "author of the records that statements create (@author)", 0,
            any_number, Kind::none, author},
    Command{".timeout", "", "[DURATION]", "time a statement may take: 500ms, 5s, 2m", 0, 2,
            Kind::none, timeout},
    Command{".max_rows", "", "[N]", "rows a statement may return", 0, 1, Kind::none, max_rows},
    Command{".memory", "", "[SIZE]", "memory a statement may take: 64MiB", 0, 2, Kind::none,
            memory},
    Command{".threads", "", "[N]", "threads that may compute a statement; 0: as many as cores", 0,
            1, Kind::none, threads},
    Command{".database", "", "", "which process has the database open, and who is attached", 0, 0,
            Kind::none, show_database},
    Command{".show", "", "", "the database and all settings", 0, 0, Kind::none, show_settings},
    Command{".import", "", "FILE [OPTIONS]",
            "load JSON Lines (--skip-errors), or CSV with --label L [--id COLUMN] [--delimiter ,]",
            1, any_number, Kind::file, import_file},
    Command{".dump", "", "[FILE]", "the whole database, for .import to read back", 0, any_number,
            Kind::file, dump},
    Command{".backup", "", "DIR", "write a backup to DIR, or update the one there", 1, any_number,
            Kind::directory, back_up},
    Command{".open", "", "PATH", "close the database and open another", 1, any_number,
            Kind::directory, open_database},
    Command{".rows", "", "[N|all]", "how many rows a terminal shows of a result", 0, 1, Kind::none,
            row_limit},
    Command{".color", ".colour", "[on|off]", "colours on a terminal", 0, 1, Kind::on_off, colours},
    Command{".pager", "", "[on|off|COMMAND]", "what shows results taller than the screen", 0,
            any_number, Kind::on_off, pager, true},
    Command{".read", "", "FILE", "run the statements and commands of a file", 1, any_number,
            Kind::file, read_file},
    Command{".output", "", "[FILE|stdout]", "send results to a file, to |COMMAND, or here again", 0,
            any_number, Kind::file, output, true},
    Command{".once", "", "FILE", "the same for the next result", 1, any_number, Kind::file, once,
            true},
    Command{".cd", "", "[DIR]", "directory of the files of commands; home without one", 0,
            any_number, Kind::directory, change_directory},
    Command{".quit", ".exit", "", "leave", 0, 0, Kind::none, quit},
};

std::string usage_of(const Command& command) {
  return std::string(command.name) + (command.arguments.empty() ? "" : " ") +
         std::string(command.arguments);
}

/// Prints two columns, or both below each other if the width is too small.
void print_summary(std::ostream& out, const Command& command, std::size_t width) {
  constexpr std::size_t column = 26;
  constexpr std::size_t least_width = 50;
  constexpr std::size_t indent = 4;
  std::string summary(command.summary);
  if (!command.other_name.empty()) summary.append("; also ").append(command.other_name);
  std::string left = usage_of(command);
  const bool has_room = width == 0 || width >= least_width;
  if (has_room) {
    left.resize(std::max(left.size() + 2, column), ' ');
    out << left << wrapped(summary, column, width) << "\n";
  } else {
    out << left << "\n" << std::string(indent, ' ') << wrapped(summary, indent, width) << "\n";
  }
}

std::string lowered(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

Error no_command(const std::string& name) {
  const std::vector<std::string> names = dot_command_names();
  const std::string_view nearest = nearest_name(lowered(name), names, name.size() > 6 ? 2 : 1);
  const std::string hint =
      nearest.empty() ? ": see .help" : "; did you mean " + std::string(nearest) + "? See .help";
  return {ErrorCode::not_found, "there is no command " + name + hint, std::nullopt};
}

/// Finds a command by its name in any case, or by a unique prefix. Errors: not_found;
/// invalid_argument for an ambiguous prefix, with the names.
Result<const Command*> find_command(const std::string& typed) {
  std::string name = lowered(typed);
  if (name.ends_with(';')) name.pop_back();
  std::vector<const Command*> fitting;
  for (const Command& command : commands) {
    if (name == command.name || name == command.other_name) return &command;
    if (command.name.starts_with(name) || command.other_name.starts_with(name))
      fitting.push_back(&command);
  }
  if (name.size() < 2 || fitting.empty()) return no_command(typed);
  if (fitting.size() == 1) return fitting.front();
  std::string names;
  for (const Command* command : fitting)
    names.append(names.empty() ? "" : ", ").append(command->name);
  return Error{ErrorCode::invalid_argument, typed + " may be " + names, std::nullopt};
}

/// Translates a command of another shell; returns other lines unchanged.
std::string meant_line(const std::string& line) {
  std::string meant = find_dot_command(line);
  return meant.empty() ? line : meant;
}

/// Returns only the first word, because the rest may not be split into words.
std::string first_word(std::string_view line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  return std::string(line.substr(begin, line.find_first_of(" \t\r\n", begin) - begin));
}

// Quotes have no meaning here: the argument is a value of the language, or a shell command.
std::vector<CommandWord> words_as_typed(std::string_view line) {
  std::vector<CommandWord> words;
  for (std::size_t at = line.find_first_not_of(" \t\r"); at < line.size();
       at = line.find_first_not_of(" \t\r", at)) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.push_back({std::string(line.substr(at, end - at)), at, false});
    at = end;
  }
  return words;
}

Status run_command(Session& session, const std::string& line) {
  CAIRN_ASSIGN(const Command* command, find_command(first_word(line)));
  std::vector<CommandWord> words;
  if (command->keeps_quotes) {
    words = words_as_typed(line);
  } else {
    CAIRN_ASSIGN(words, split_words(line));
  }
  const Arguments arguments = Arguments(line, words).from(1);
  if (arguments.size() < command->least || arguments.size() > command->most)
    return usage(usage_of(*command));
  return command->run(session, arguments);
}

Status help(Session& session, const Arguments& arguments) {
  std::ostream& out = session.out();
  if (!arguments.empty()) {
    const std::string& word = arguments[0];
    CAIRN_ASSIGN(const Command* command, find_command(word.starts_with('.') ? word : "." + word));
    print_summary(out, *command, session.width());
    return {};
  }
  for (const Command& command : commands) print_summary(out, command, session.width());
  const auto say = [&](std::string_view text, std::size_t indent = 0) {
    out << std::string(indent, ' ') << wrapped(text, indent, session.width()) << "\n";
  };
  out << "\n";
  say("A command may be shortened to any prefix that no other has. Put a word with blanks in quotes.");
  say("There is no .shell: Ctrl-Z leads to the shell that started cairn, and fg leads back.");
  out << "\n";
  say("Everything else is a statement, which ends with ';' and may have empty lines in it:");
  say("MATCH (n) RETURN labels(n) AS labels, count(*) AS nodes;", 2);
  say("EXPLAIN MATCH (n:Chunk) WHERE n.file_ext = '.md' RETURN count(*);", 2);
  say("BEGIN;  ...  COMMIT;  or  ROLLBACK;", 2);
  say("Ctrl-C stops what runs or drops what is being typed.");
  return {};
}

}  // namespace

std::vector<std::string> dot_command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands) {
    names.emplace_back(command.name);
    if (!command.other_name.empty()) names.emplace_back(command.other_name);
  }
  return names;
}

std::string_view dot_command_of(std::string_view line) {
  const auto command = find_command(first_word(meant_line(std::string(line))));
  return command ? (*command)->name : std::string_view();
}

ArgumentKind argument_kind(std::string_view line) {
  const auto command = find_command(first_word(meant_line(std::string(line))));
  return command ? (*command)->kind : ArgumentKind::none;
}

bool run_dot_command(Session& session, const std::string& line) {
  Status status = run_command(session, meant_line(line));
  session.out() << std::flush;
  if (status) status = session.end_result();
  return status || session.report(status.error());
}

}  // namespace cairn::tools
