// Runs texts in a session: files, streams and arguments of the command line, with statements and
// dot commands in sequence. Counts lines for error messages.
#include "tools/shell/script.hpp"
#include "tools/shell/session.hpp"
#include "tools/shell/shell.hpp"
#include "tools/text/cell_text.hpp"

#include <cairn/statement.hpp>

#include <algorithm>
#include <fstream>
#include <istream>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>

namespace cairn::tools {

Status Session::run_file(const std::string& path) {
  constexpr std::size_t most_open = 16;
  if (open_files_ >= most_open)
    return Error{ErrorCode::conflict,
                 "files that read each other are nested too deep at " + path + ": at most " +
                     std::to_string(most_open),
                 std::nullopt};
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  const bool is_empty = file.is_open() && file.peek() == std::ifstream::traits_type::eof();
  if (!is_empty) text << file.rdbuf();
  if (!file.is_open() || file.bad() || !text)
    return Error{ErrorCode::io_error, path + " cannot be read", std::nullopt};
  ++open_files_;
  auto place = std::exchange(place_, SourcePlace{path, 0});
  const bool is_done = run_pieces(text.view());
  place_ = std::move(place);
  --open_files_;
  if (is_done) return {};
  return Error{ErrorCode::conflict, path + " was not run to its end: see the errors above",
               std::nullopt};
}

bool Session::goes_on(bool is_done) {
  has_failed_ = has_failed_ || !is_done;
  return is_done || (options_.keep_going && !lacks_transaction_ && !stop_.stop_requested());
}

void Session::advance(std::string_view passed) {
  if (place_) place_->lines_before += static_cast<std::size_t>(std::ranges::count(passed, '\n'));
}

void Session::echo(std::string_view text) {
  if (!options_.has_echo || !place_) return;
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  remarks() << visible_lines(text.substr(begin));
}

bool Session::run_statements(std::string_view text) {
  std::size_t passed = 0;
  for (std::string_view statement : split_statements(text)) {
    const auto begin = static_cast<std::size_t>(statement.data() - text.data());
    advance(text.substr(passed, begin - passed));
    passed = begin;
    echo(statement);
    if (!goes_on(run(statement))) return false;
  }
  advance(text.substr(passed));
  return true;
}

bool Session::run_command(std::string_view line) {
  echo(line);
  return run_dot_command(*this, std::string(line));
}

// Runs statements and dot commands in sequence; stops at the first failure.
bool Session::run_pieces(std::string_view text) {
  while (!text.empty() && !is_over_) {
    const auto [begin, end] = find_dot_line(text);
    if (!run_statements(text.substr(0, begin))) return false;
    const std::string_view line = text.substr(begin, end - begin);
    if (!line.empty() && !goes_on(run_command(line))) return false;
    text.remove_prefix(end);
  }
  return true;
}

bool Session::run_all(std::string_view text) {
  place_ = SourcePlace();
  return run_last(text);
}

bool Session::run_last(std::string_view text) {
  const bool is_done = run_pieces(text) && end_of_input();
  place_.reset();
  return !std::exchange(has_failed_, false) && is_done;
}

// A text may end within a transaction, but not the last one.
bool Session::run_each(std::span<const std::string> texts) {
  for (const std::string& text : texts)
    if (!run_pieces(text)) return !std::exchange(has_failed_, false);
  return run_last({});
}

// Runs each statement as soon as it is complete, because programs may wait for its answer. An
// incomplete text is examined again only when a statement may have ended, and the text has doubled
// in size or the sender waits. So the cost stays linear.
bool Session::run_stream(std::istream& input) {
  place_ = SourcePlace();
  std::string open;
  std::size_t looked_at = 0;  // bytes already examined
  bool may_end = false;       // the last line may end a statement
  for (std::string line; !is_over_ && std::getline(input, line);) {
    // A command is a line of its own, even if a quote in it is not closed.
    const bool is_command =
        is_command_line(line) && (open.empty() || (may_end && !ends_inside_statement(open)));
    may_end =
        open.empty() || line.find(';') != std::string::npos || line.find("*/") != std::string::npos;
    open += line + "\n";
    if (!is_command) {
      // Examining reads the whole text. It is only urgent if the sender waits for an answer, that
      // is, if no more input has arrived.
      const bool is_waiting = input.rdbuf()->in_avail() <= 0;
      if (!may_end || (!is_waiting && open.size() < 2 * looked_at)) continue;
      looked_at = open.size();
      if (ends_inside_statement(open)) continue;
    }
    if (!run_pieces(open)) {
      place_.reset();
      return !std::exchange(has_failed_, false);
    }
    open.clear();
    looked_at = 0;
  }
  return run_last(open);
}

// An open transaction is an error, because half of a script must not be stored.
bool Session::end_of_input() {
  if (!in_transaction()) return true;
  transaction_.reset();
  return report({ErrorCode::conflict,
                 "the input ended inside a transaction, which was rolled back: end it with COMMIT",
                 std::nullopt});
}

}  // namespace cairn::tools
