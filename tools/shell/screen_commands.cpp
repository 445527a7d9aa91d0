// Without an argument each says what is chosen.
#include "tools/shell/screen_commands.hpp"

#include <charconv>
#include <cstdlib>
#include <ostream>

namespace cairn::tools {
namespace {

Status needs_terminal(std::string_view what) {
  return Error{ErrorCode::unsupported,
               std::string(what) + " are for a terminal, and the output is none", std::nullopt};
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

// Of less: lines are cut and not wrapped, colours pass, what fits the screen is only printed, and the screen
// stays as it is at the end.
std::string default_pager() {
  const char* chosen = std::getenv("PAGER");
  return chosen != nullptr && *chosen != '\0' ? chosen : "less -SRFX";
}

}  // namespace cairn::tools
