#include "tools/home/home_command.hpp"

#include "tools/text/cell_text.hpp"
#include "tools/text/row_writer.hpp"

#include <cairn/json.hpp>
#include <cairn/statement.hpp>
#include <cairn/temporal.hpp>
#include <cairn/value.hpp>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace cairn::tools {
namespace {

constexpr std::int64_t second = 1'000'000;  // in microseconds
constexpr std::int64_t most_seconds = std::numeric_limits<std::int64_t>::max() / second;

/// Returns the exact time at which a state was made, so that restore and fork find the state by it; null if unknown.
Value moment_of(const HomeState& state) {
  if (state.made_at == 0) return {};
  const auto nanoseconds = static_cast<std::int32_t>(state.made_at % second * 1'000);
  return DateTime{state.made_at / second, nanoseconds, 0, {}};
}

Value whole(std::uint64_t number) { return static_cast<std::int64_t>(number); }

std::string as_json(const HomeHistory& history) {
  List states;
  for (const HomeState& state : history.states)
    states.emplace_back(Map{{"commit", whole(state.commit)},
                            {"made_at", moment_of(state)},
                            {"files", whole(state.files)},
                            {"bytes", whole(state.bytes)}});
  List commits;
  for (const HomeCommit& commit : history.commits)
    commits.emplace_back(Map{{"commit", whole(commit.commit)}, {"bytes", whole(commit.bytes)}});
  return to_json(Map{{"database_id", history.database_id},
                     {"owner", history.owner.empty() ? Value() : Value(history.owner)},
                     {"kept_for_seconds", static_cast<std::int64_t>(history.kept_for.count())},
                     {"states", std::move(states)},
                     {"commits", std::move(commits)}});
}

/// "7 days"; in seconds if it is less than two days.
std::string shown_time(std::chrono::seconds time) {
  const auto days = std::chrono::floor<std::chrono::days>(time);
  return days.count() < 2 ? std::to_string(time.count()) + " seconds"
                          : std::to_string(days.count()) + " days";
}

void print_table(const HomeHistory& history, std::ostream& out) {
  out << "database  " << history.database_id << "\nowner     "
      << (history.owner.empty() ? "none" : make_visible(history.owner)) << "\n";
  if (history.kept_for.count() > 0) out << "kept for  " << shown_time(history.kept_for) << "\n";
  out << "\nstates\n";
  const auto states = make_row_writer(Format::table, out, {});
  states->begin({"commit", "made_at", "files", "bytes"});
  for (const HomeState& state : history.states)
    states->row(std::array<Value, 4>{whole(state.commit), moment_of(state), whole(state.files),
                                     whole(state.bytes)});
  states->finish();
  out << "\ncommits\n";
  const auto commits = make_row_writer(Format::table, out, {});
  commits->begin({"commit", "bytes"});
  for (const HomeCommit& commit : history.commits)
    commits->row(std::array<Value, 2>{whole(commit.commit), whole(commit.bytes)});
  commits->finish();
}

Status print_history(const HomeCommand& command, std::ostream& out) {
  CAIRN_ASSIGN(const HomeHistory history, home_history(command.address));
  if (command.as_json)
    out << as_json(history) << "\n";
  else
    print_table(history, out);
  return {};
}

std::string copied(const HomeCopy& copy) {
  return "commit " + std::to_string(copy.commit) + " of database " + copy.database_id;
}

Status print_restoration(const HomeCommand& command, std::ostream& out) {
  CAIRN_ASSIGN(const HomeCopy copy, restore_home(command.address, command.target, command.point));
  out << copied(copy) << ", restored to " << command.target << "\n";
  return {};
}

Status print_fork(const HomeCommand& command, std::ostream& out) {
  CAIRN_ASSIGN(const HomeCopy copy, fork_home(command.address, command.target, command.point));
  out << copied(copy) << ", a fork in " << command.target << "\n";
  return {};
}

Status print_deletion(const HomeCommand& command, std::ostream& out) {
  CAIRN_TRY(delete_home(command.address, command.database_id,
                        command.even_if_owned ? OwnedHome::erase : OwnedHome::refuse));
  out << "database " << command.database_id << " is deleted; of the home " << command.address
      << " remains the object that says so\n";
  return {};
}

Status print_probe(const HomeCommand& command, std::ostream& out) {
  CAIRN_TRY(probe_home(command.address));
  out << command.address
      << " can hold a home: writes are conditional, reads see the last write, and ranges are "
         "read\n";
  return {};
}

void define_point(OptionSet options, const std::string& name, HomeCommand& command) {
  options.word(
      name,
      [&command](const std::string& text) {
        const auto point = parse_home_point(text);
        if (point) command.point = *point;
        return point ? std::string() : point.error().message;
      },
      "Commit to end with, or a time such as 2026-11-20T10:00:00Z, for the newest state that was "
      "made by then [the newest commit]");
}

OptionSet with_address(OptionSet options, HomeCommand& command) {
  options.text("ADDRESS", command.address, "Home: dir:PATH or s3://BUCKET/PREFIX").required();
  return options;
}

}  // namespace

// A time is parsed by a statement. A quote is refused, because it would end the text in the
// statement.
Result<HomePoint> parse_home_point(const std::string& text) {
  HomePoint point;
  std::uint64_t commit = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), commit);
  if (problem == std::errc() && end == text.data() + text.size()) {
    point.commit = commit;
    return point;
  }
  if (text.find_first_of("'\\") == std::string::npos) {
    const auto time = parse_literal("datetime('" + text + "')");
    const DateTime* const moment = time ? time->get_if<DateTime>() : nullptr;
    if (moment != nullptr && std::abs(moment->seconds) < most_seconds) {
      point.time = moment->seconds * second + moment->nanoseconds / 1'000;
      return point;
    }
  }
  return Error{ErrorCode::invalid_argument,
               "expected a commit such as 41, or a time such as 2026-11-20T10:00:00Z, got " + text,
               {}};
}

void define_home(OptionSet verb, HomeCommand& command) {
  OptionSet history = with_address(
      verb.add_verb("history", "List the states and commits that a home keeps"), command);
  history.flag("--json", command.as_json, "One line of JSON, for programs");
  OptionSet restore = with_address(
      verb.add_verb("restore", "Make a database directory from a state of a home"), command);
  restore.text("DIRECTORY", command.target, "New directory of the database").required();
  define_point(restore, "--to", command);
  OptionSet fork = with_address(
      verb.add_verb("fork", "Make a new home from a state of a home; both are independent"),
      command);
  fork.text("NEW_ADDRESS", command.target, "Address of the new home").required();
  define_point(fork, "--at", command);
  OptionSet erase =
      with_address(verb.add_verb("delete", "Delete a home with all that it keeps"), command);
  erase
      .text("--yes", command.database_id,
            "Id of the database, which `cairn home history` shows: it is lost")
      .required();
  erase.flag("--force", command.even_if_owned,
             "Also if a process owns the home, whose next commits are lost");
  with_address(verb.add_verb("probe", "Check whether a store can hold a home"), command);
}

HomeCommand::Action home_action(std::string_view verb) {
  using Action = HomeCommand::Action;
  constexpr std::pair<std::string_view, Action> actions[] = {{" restore", Action::restore},
                                                             {" fork", Action::fork},
                                                             {" delete", Action::erase},
                                                             {" probe", Action::probe}};
  for (const auto& [name, action] : actions)
    if (verb.ends_with(name)) return action;
  return Action::history;
}

Status run_home(const HomeCommand& command, std::ostream& out) {
  switch (command.action) {
    case HomeCommand::Action::history:
      break;
    case HomeCommand::Action::restore:
      return print_restoration(command, out);
    case HomeCommand::Action::fork:
      return print_fork(command, out);
    case HomeCommand::Action::erase:
      return print_deletion(command, out);
    case HomeCommand::Action::probe:
      return print_probe(command, out);
  }
  return print_history(command, out);
}

}  // namespace cairn::tools
