// The commands of the shell that begin with a dot, as one table.
#include "tools/shell/dot_command.hpp"
#include "tools/shell/screen_commands.hpp"
#include "tools/shell/shell.hpp"
#include "tools/shell/statement_settings.hpp"
#include "tools/shell/transfer_commands.hpp"
#include "tools/text/json_text.hpp"
#include "tools/text/near_name.hpp"

#include <cairn/snapshot.hpp>

#include <algorithm>
#include <array>
#include <ostream>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace cairn::tools {
namespace {

/// Show a listing through the session's own format.
void show(Session& session, const std::vector<std::string>& columns,
          const std::vector<std::vector<Value>>& rows) {
  const auto writer = session.make_writer();
  writer->begin(columns);
  for (const auto& row : rows) writer->row(row);
  writer->finish();
}

Status show_counts(Session& session, std::string_view what, Result<std::vector<NameCount>> counts) {
  if (!counts) return std::move(counts).error();
  std::vector<std::vector<Value>> rows;
  for (const NameCount& entry : *counts)
    rows.push_back({entry.name, static_cast<std::int64_t>(entry.count)});
  show(session, {std::string(what), "count"}, rows);
  return {};
}

Status labels(Session& session, Arguments) {
  CAIRN_ASSIGN(const Snapshot snapshot, session.database().snapshot());
  CAIRN_TRY(show_counts(session, "label", snapshot.labels()));
  return show_counts(session, "relationship type", snapshot.relationship_types());
}

Status properties(Session& session, Arguments) {
  CAIRN_ASSIGN(const Snapshot snapshot, session.database().snapshot());
  return show_counts(session, "property", snapshot.properties());
}

Status indexes(Session& session, Arguments) { return session.execute("SHOW INDEXES"); }

Status mode(Session& session, Arguments arguments) {
  if (arguments.empty()) {
    session.out() << to_string(session.options().format) << "\n";
    return {};
  }
  const auto format = find_format(arguments[0]);
  if (!format) return usage(".mode " + std::string(format_names()));
  session.options().format = *format;
  return {};
}

Status timer(Session& session, Arguments arguments) {
  const bool known = arguments.size() == 1 && (arguments[0] == "on" || arguments[0] == "off");
  if (!known) return usage(".timer on|off");
  session.options().timer = arguments[0] == "on";
  return {};
}

/// Without a text as each format has it by default.
Status null_value(Session& session, Arguments arguments) {
  std::optional<std::string>& text = session.options().null_text;
  text = arguments.empty() ? std::nullopt : std::optional(joined(arguments));
  return {};
}

/// The JSON may have blanks in it: words are put together again.
Status param(Session& session, Arguments arguments) {
  if (arguments.empty()) {
    session.out() << to_json(Value(session.parameters())) << "\n";
    return {};
  }
  if (arguments.size() < 2) return usage(".param NAME JSON");
  std::string json;
  for (const std::string& part : arguments.subspan(1)) json += part + " ";
  CAIRN_ASSIGN(session.parameters()[arguments[0]], parse_exact_json(json));
  return {};
}

/// Labels, relationship types, properties and indexes: what there is to ask for.
Status schema(Session& session, Arguments arguments) {
  CAIRN_TRY(labels(session, arguments));
  CAIRN_TRY(properties(session, arguments));
  return indexes(session, arguments);
}

Status read_file(Session& session, Arguments arguments) {
  if (arguments.empty()) return usage(".read FILE");
  return session.run_file(joined(arguments));
}

Status output(Session& session, Arguments arguments) { return session.redirect(joined(arguments)); }

Status name_space(Session& session, Arguments arguments) {
  return print_or_set(session, "namespace", arguments);
}

Status timeout(Session& session, Arguments arguments) {
  return print_or_set(session, "timeout", arguments);
}

Status max_rows(Session& session, Arguments arguments) {
  return print_or_set(session, "max_rows", arguments);
}

Status memory(Session& session, Arguments arguments) {
  return print_or_set(session, "memory", arguments);
}

Status quit(Session& session, Arguments) {
  session.quit();
  return {};
}

Status help(Session& session, Arguments);

struct Command {
  std::string_view name;
  std::string_view other_name;
  std::string_view usage;
  std::string_view summary;
  Status (*run)(Session&, Arguments);
};

constexpr std::array commands{
    Command{".help", "", ".help", "this list", help},
    Command{".labels", ".tables", ".labels", "labels and relationship types with counts", labels},
    Command{".properties", "", ".properties", "properties of nodes with counts", properties},
    Command{".indexes", "", ".indexes", "indexes with their state", indexes},
    Command{".schema", "", ".schema", "labels, types, properties and indexes", schema},
    Command{".mode", ".format", ".mode [FORMAT]",
            "table, vertical, json, jsonl, csv, markdown, llm, toon, rag", mode},
    Command{".nullvalue", "", ".nullvalue [TEXT]", "what is shown for null", null_value},
    Command{".timer", "", ".timer on|off", "show how long statements take", timer},
    Command{".param", "", ".param [NAME JSON]", "set a parameter, or show all", param},
    Command{".namespace", "", ".namespace [NAME]", "namespace of statements; '' is the default one",
            name_space},
    Command{".timeout", "", ".timeout [DURATION]", "time a statement may take: 500ms, 5s, 2m",
            timeout},
    Command{".max_rows", "", ".max_rows [N]", "rows a statement may give", max_rows},
    Command{".memory", "", ".memory [SIZE]", "memory a statement may take: 64MiB", memory},
    Command{".import", "", ".import FILE [OPTIONS]",
            "load JSON Lines, or CSV with --label L [--id COLUMN] [--delimiter ,]", import_file},
    Command{".dump", "", ".dump [FILE]", "the whole database, for .import to read back", dump},
    Command{".backup", "", ".backup DIR",
            "a copy to restore from, or bring the one in DIR up to date", back_up},
    Command{".open", "", ".open PATH", "close the database and open another", open_database},
    Command{".rows", "", ".rows [N|all]", "how many rows a terminal shows of a result", row_limit},
    Command{".color", ".colour", ".color [on|off]", "colours on a terminal", colours},
    Command{".pager", "", ".pager [on|off|COMMAND]", "what shows results taller than the screen",
            pager},
    Command{".read", "", ".read FILE", "run the statements and commands of a file", read_file},
    Command{".output", "", ".output [FILE]", "send results to a file, or here again", output},
    Command{".quit", ".exit", ".quit", "leave; also .exit", quit},
};

Status help(Session& session, Arguments) {
  for (const Command& command : commands) {
    std::string left(command.usage);
    left.resize(std::max<std::size_t>(left.size() + 2, 26), ' ');
    session.out() << left << command.summary << "\n";
  }
  session.out()
      << "\n"
         "Everything else is a statement, ended by ';', at the prompt also by an empty line:\n"
         "  MATCH (n) RETURN labels(n) AS labels, count(*) AS nodes;\n"
         "  EXPLAIN MATCH (n:Chunk) WHERE n.file_ext = '.md' RETURN count(*);\n"
         "  BEGIN;  ...  COMMIT;  or  ROLLBACK;\n"
         "Ctrl-C stops the running statement or drops what is being typed.\n";
  return {};
}

Error unknown(const std::string& name) {
  const std::vector<std::string> names = dot_command_names();
  const std::string_view nearest = nearest_name(name, names, 2);
  const std::string hint =
      nearest.empty() ? ": see .help" : "; did you mean " + std::string(nearest) + "? See .help";
  return {ErrorCode::not_found, "there is no command " + name + hint, std::nullopt};
}

/// Words by blanks; there are no quotes.
Status run_command(Session& session, const std::string& line) {
  std::istringstream words(line);
  std::string name;
  words >> name;
  std::vector<std::string> arguments;
  for (std::string word; words >> word;) arguments.push_back(word);
  for (const Command& command : commands)
    if (name == command.name || name == command.other_name) return command.run(session, arguments);
  return unknown(name);
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

std::string_view find_dot_command(std::string_view line) {
  constexpr std::array<std::array<std::string_view, 2>, 10> habits{{{"help", ".help"},
                                                                    {"?", ".help"},
                                                                    {"\\?", ".help"},
                                                                    {"exit", ".quit"},
                                                                    {"quit", ".quit"},
                                                                    {"\\q", ".quit"},
                                                                    {"\\d", ".schema"},
                                                                    {"\\x", ".mode vertical"},
                                                                    {"\\dt", ".labels"},
                                                                    {"\\di", ".indexes"}}};
  while (line.ends_with(' ') || line.ends_with(';')) line.remove_suffix(1);
  for (const auto& [typed, meant] : habits)
    if (line == typed) return meant;
  return {};
}

bool run_dot_command(Session& session, const std::string& line) {
  const Status status = run_command(session, line);
  session.out() << std::flush;
  return status || session.report(status.error());
}

}  // namespace cairn::tools
