#pragma once
// `cairn home`: lists, restores, copies and deletes the states of a database in an object store.

#include "tools/arguments/command_parser.hpp"

#include <cairn/home.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace cairn::tools {

/// The options of `cairn home`.
struct HomeCommand {
  enum class Action : std::uint8_t { history, restore, fork, erase, probe };
  Action action = Action::history;
  std::string address;
  std::string target;          ///< the directory of restore, the address of fork
  HomePoint point{};           ///< of restore and fork
  std::string database_id;     ///< of the database that is deleted
  bool even_if_owned = false;  ///< delete a home that has an owner
  bool as_json = false;
};

/// Adds the verbs below `verb`.
void define_home(OptionSet verb, HomeCommand& command);
/// Returns the action for a verb such as "home fork", see CommandParser::verb().
[[nodiscard]] HomeCommand::Action home_action(std::string_view verb);

/// Parses the name of a state: a commit, or a time such as 2026-11-20T10:00:00Z. Errors: invalid_argument.
[[nodiscard]] Result<HomePoint> parse_home_point(const std::string& text);

[[nodiscard]] Status run_home(const HomeCommand& command, std::ostream& out);

}  // namespace cairn::tools
