// Dot commands that change the session: output, parameters, limits, the look on a terminal, files.
#include "tools/shell/session_commands.hpp"

#include "tools/arguments/words.hpp"
#include "tools/shell/statement_settings.hpp"
#include "tools/text/cell_text.hpp"

#include <cairn/json.hpp>
#include <cairn/statement.hpp>

#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>

namespace cairn::tools {
namespace {

std::string_view on_or_off(bool is_on) { return is_on ? "on" : "off"; }

/// Prints a switch, or sets it. After a toggle, prints the new state.
Status flip(Session& session, const Arguments& arguments, bool& is_on) {
  const bool is_toggle = !arguments.empty() && arguments[0] == "toggle";
  if (is_toggle) is_on = !is_on;
  if (arguments.empty() || is_toggle) {
    session.out() << on_or_off(is_on) << "\n";
    return {};
  }
  if (arguments[0] != "on" && arguments[0] != "off")
    return Error{ErrorCode::invalid_argument, "expected on or off, got " + arguments[0],
                 std::nullopt};
  is_on = arguments[0] == "on";
  return {};
}

/// Parses JSON, or a literal of the language such as 'text' and date('2026-01-01').
Result<Value> value_of(const std::string& name, std::string_view typed) {
  auto json = parse_exact_json(typed);
  if (json) return json;
  auto literal = parse_literal(typed);
  if (literal) return literal;
  return Error{
      ErrorCode::invalid_argument,
      "not a value: " + std::string(typed) + "; put a text in quotes: .param " + name + " 'text'",
      std::nullopt};
}

/// Accepts the name as in statements, $name, or without the sign.
std::string parameter_name(std::string_view word) {
  return std::string(word.substr(word.starts_with('$') ? 1 : 0));
}

Error no_parameter(const std::string& name) {
  return {ErrorCode::not_found, "there is no parameter " + name + ": .param " + name + " VALUE",
          std::nullopt};
}

}  // namespace

Status mode(Session& session, const Arguments& arguments) {
  Format& format = session.options().format;
  const bool is_toggle = !arguments.empty() && arguments[0] == "toggle";
  if (is_toggle) format = format == Format::vertical ? Format::table : Format::vertical;
  if (arguments.empty() || is_toggle) {
    session.out() << to_string(format) << "\n";
    return {};
  }
  const auto found = find_format(arguments[0]);
  if (!found)
    return Error{
        ErrorCode::invalid_argument,
        "there is no format " + arguments[0] + "; the formats are " + std::string(format_names()),
        std::nullopt};
  format = *found;
  return {};
}

/// Without an argument, restores the default of the format.
Status null_value(Session& session, const Arguments& arguments) {
  std::optional<std::string>& text = session.options().null_text;
  text = arguments.empty() ? std::nullopt : std::optional(joined(arguments));
  return {};
}

Status timer(Session& session, const Arguments& arguments) {
  return flip(session, arguments, session.options().timer);
}

Status headers(Session& session, const Arguments& arguments) {
  return flip(session, arguments, session.options().has_headers);
}

Status echo(Session& session, const Arguments& arguments) {
  return flip(session, arguments, session.options().has_echo);
}

Status bail(Session& session, const Arguments& arguments) {
  bool is_on = !session.options().keep_going;
  CAIRN_TRY(flip(session, arguments, is_on));
  session.options().keep_going = !is_on;
  return {};
}

/// Sets the parameters of a map: .param {a: 1, b: 'x'}
Status put_parameters(Session& session, std::string_view typed) {
  const auto values = value_of("name", typed);
  if (!values || values->map() == nullptr)
    return Error{ErrorCode::invalid_argument,
                 "not a map of parameters: " + std::string(typed) + "; write .param {name: 'text'}",
                 std::nullopt};
  for (const auto& [name, value] : *values->map()) session.parameters()[name] = value;
  return {};
}

/// Uses the value as typed, because quotes are part of it.
Status param(Session& session, const Arguments& arguments) {
  if (arguments.empty()) {
    session.out() << to_json(Value(session.parameters())) << "\n";
    return {};
  }
  if (arguments[0].starts_with('{')) return put_parameters(session, arguments.typed());
  const std::string name = parameter_name(arguments[0]);
  const bool has_sign = arguments.size() > 2 && (arguments[1] == "=" || arguments[1] == "=>");
  if (arguments.size() > 1) {
    CAIRN_ASSIGN(session.parameters()[name],
                 value_of(name, arguments.from(has_sign ? 2 : 1).typed()));
    return {};
  }
  const auto found = session.parameters().find(name);
  if (found == session.parameters().end()) return no_parameter(name);
  session.out() << to_json(found->second) << "\n";
  return {};
}

Status unset(Session& session, const Arguments& arguments) {
  const std::string name = parameter_name(arguments[0]);
  return session.parameters().erase(name) > 0 ? Status() : no_parameter(name);
}

Status print(Session& session, const Arguments& arguments) {
  session.out() << make_visible(joined(arguments)) << "\n";
  return {};
}

Status show_settings(Session& session, const Arguments&) {
  const SessionOptions& options = session.options();
  const auto show = [&](std::string_view name, std::string_view value) {
    session.out() << name << std::string(12 - name.size(), ' ') << make_visible(value) << "\n";
  };
  show("database", options.path);
  for (const StatementSetting& setting : statement_settings())
    show(setting.name, setting.show(options.limits));
  show("mode", to_string(options.format));
  show("headers", on_or_off(options.has_headers));
  show("nullvalue", options.null_text.value_or("null"));
  show("timer", on_or_off(options.timer));
  show("echo", on_or_off(options.has_echo));
  show("bail", on_or_off(!options.keep_going));
  show("rows", options.shown_rows == 0 ? "all" : std::to_string(options.shown_rows));
  show("color", on_or_off(options.has_colours));
  show("pager", options.pager.empty() ? "off" : options.pager);
  return {};
}

Status show_database(Session& session, const Arguments&) {
  CAIRN_ASSIGN(const DatabaseRole role, session.database().role());
  std::string others;
  for (const std::int64_t process : role.attached)
    others += (others.empty() ? "" : ", ") +
              (process == 0 ? "others (of another container)" : std::to_string(process));
  session.out() << "database    " << make_visible(session.options().path) << "\n"
                << "role        "
                << (role.is_host ? "host (this process, " : "attached (to process ") << role.host
                << ")\n"
                << "attached    " << (others.empty() ? "nobody" : "processes " + others) << "\n";
  return {};
}

Status name_space(Session& session, const Arguments& arguments) {
  return print_or_set(session, "namespace", arguments);
}

Status also_read(Session& session, const Arguments& arguments) {
  return print_or_set(session, "also_read", arguments);
}

Status author(Session& session, const Arguments& arguments) {
  return print_or_set(session, "author", arguments);
}

Status timeout(Session& session, const Arguments& arguments) {
  return print_or_set(session, "timeout", arguments);
}

Status max_rows(Session& session, const Arguments& arguments) {
  return print_or_set(session, "max_rows", arguments);
}

Status memory(Session& session, const Arguments& arguments) {
  return print_or_set(session, "memory", arguments);
}

Status threads(Session& session, const Arguments& arguments) {
  return print_or_set(session, "threads", arguments);
}

// Without an argument, each command prints the current setting.

namespace {

Status needs_terminal(std::string_view what) {
  return Error{ErrorCode::unsupported,
               std::string(what) + " need a terminal, but the output is not a terminal",
               std::nullopt};
}

}  // namespace

Status row_limit(Session& session, const Arguments& arguments) {
  std::size_t& limit = session.options().shown_rows;
  if (arguments.empty()) {
    session.out() << (limit == 0 ? "all" : std::to_string(limit)) << "\n";
    return {};
  }
  const std::string& word = arguments[0];
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool is_number = error == std::errc() && end == word.data() + word.size() && number > 0;
  if (!is_number && word != "all") return usage(".rows N|all");
  limit = number;
  return {};
}

Status colours(Session& session, const Arguments& arguments) {
  SessionOptions& options = session.options();
  if (arguments.empty()) {
    session.out() << (options.has_colours ? "on" : "off") << "\n";
    return {};
  }
  const bool is_known = arguments[0] == "on" || arguments[0] == "off";
  if (!is_known) return usage(".color on|off");
  const bool is_on = arguments[0] == "on";
  if (is_on && !options.is_terminal) return needs_terminal("colours");
  options.has_colours = is_on;
  return {};
}

Status pager(Session& session, const Arguments& arguments) {
  SessionOptions& options = session.options();
  if (arguments.empty()) {
    session.out() << (options.pager.empty() ? "off" : options.pager) << "\n";
    return {};
  }
  const std::string command(arguments.typed());
  if (command != "off" && !options.is_terminal) return needs_terminal("pagers");
  options.pager = command == "off" ? "" : command == "on" ? default_pager() : command;
  return {};
}

// By default, uses less with options: it cuts long lines, passes colours, ends at once if the
// output fits the screen, and leaves the text on the screen.
std::string default_pager() {
  const char* chosen = std::getenv("PAGER");
  return chosen != nullptr && *chosen != '\0' ? chosen : "less -SRFX";
}

namespace {

/// Returns a command as typed, a path, or an empty text for the usual output.
Result<std::string> target_in(const Arguments& arguments) {
  const std::string_view typed = arguments.typed();
  if (typed.starts_with('|')) return std::string(typed);
  CAIRN_ASSIGN(const auto words, split_words(typed));
  std::string path = path_in({typed, words});
  return path == "stdout" || path == "-" ? std::string() : std::move(path);
}

}  // namespace

Status read_file(Session& session, const Arguments& arguments) {
  return session.run_file(path_in(arguments));
}

Status output(Session& session, const Arguments& arguments) {
  CAIRN_ASSIGN(const std::string target, target_in(arguments));
  return session.redirect(target);
}

Status once(Session& session, const Arguments& arguments) {
  CAIRN_ASSIGN(const std::string target, target_in(arguments));
  return session.redirect(target, true);
}

Status change_directory(Session&, const Arguments& arguments) {
  const std::string path = arguments.empty() ? user_path("~") : path_in(arguments);
  std::error_code problem;
  std::filesystem::current_path(path, problem);
  if (!problem) return {};
  return Error{ErrorCode::io_error, path + ": " + problem.message(), std::nullopt};
}

}  // namespace cairn::tools
