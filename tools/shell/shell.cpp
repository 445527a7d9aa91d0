// The interactive prompt. Lines are collected until a semicolon ends a statement; then the
// statements run in sequence, and Ctrl-C stops the running one. Statements and commands are added
// to the history, a statement with all its lines as one entry.
#include "tools/shell/shell.hpp"

#include "tools/shell/command_words.hpp"
#include "tools/shell/completion.hpp"
#include "tools/shell/interrupt.hpp"
#include "tools/shell/line_editor.hpp"
#include "tools/shell/pager.hpp"
#include "tools/shell/script.hpp"
#include "tools/text/cell_text.hpp"
#include "tools/text/palette.hpp"

#include <unistd.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>

namespace cairn::tools {
namespace {

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

/// Transaction statements need no semicolon.
bool is_any_control(const std::string& text) {
  return is_control(text, "begin") || is_control(text, "commit") || is_control(text, "rollback");
}

/// True for a command. A user may type one without noticing that a statement is open.
bool is_meant_as_command(const std::string& line) {
  return !find_dot_command(line).empty() ||
         (is_command_line(line) && !dot_command_of(line).empty());
}

/// A statement can only end in this line if it has a ';' or the end of a comment.
bool may_end_statement(const std::string& line) {
  return line.find(';') != std::string::npos || line.find("*/") != std::string::npos;
}

/// Returns for example "cairn:acme* > " in a namespace and a transaction. Control characters in
/// names are made visible.
std::string ready_prompt(Session& session) {
  const std::string& name = session.options().limits.name_space;
  return "cairn" + (name.empty() ? "" : ":" + make_visible(name)) +
         (session.in_transaction() ? "* > " : " > ");
}

/// Collects lines until they form a statement or command, and runs it.
class Prompt {
 public:
  Prompt(Session& session, const std::filesystem::path& history_file)
      : session_(session), editor_(history_file, interrupts_, [&](std::string_view text) {
          return complete(session_, pending_, text);
        }) {}

  /// Reads and processes one line; returns false at the end of input.
  bool run_line() {
    const TypedLine line = editor_.read(
        painted_prompt(pending_.empty() ? ready_prompt(session_) : std::string("    ... "),
                       LineEditor::escape_mark, session_.options().has_colours));
    if (line.ending == TypedLine::Ending::interrupt) {
      session_.out() << "^C\n" << std::flush;
      pending_.clear();
    } else if (line.ending == TypedLine::Ending::line) {
      take(line.text);
    } else {
      session_.out() << "\n" << std::flush;
    }
    return line.ending != TypedLine::Ending::end_of_input;
  }

 private:
  /// Processes pasted or recalled text, which may have several lines. An interrupt drops the
  /// remaining ones.
  void take(std::string_view text) {
    is_interrupted_ = false;
    while (!is_interrupted_ && !session_.is_over()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      take_line(std::string(text.substr(0, end)));
      if (end == text.size()) return;
      text.remove_prefix(end + 1);
    }
    pending_.clear();
  }

  /// Takes a typed line: a command, or a part of a statement, which runs once it is complete.
  void take_line(const std::string& line) {
    if (pending_.empty()) {
      if (is_blank(line)) return;
      if (is_command_line(line) || !find_dot_command(line).empty()) return run_command(line);
    }
    if (!pending_.empty() && is_meant_as_command(line))
      session_.tell("still inside a statement: ';' ends it, Ctrl-C drops it");
    const bool is_whole = pending_.empty() && is_any_control(line);
    const bool may_end = pending_.empty() || may_end_statement(line);
    pending_ += line + "\n";
    if (!is_whole && (!may_end || ends_inside_statement(pending_))) return;
    editor_.remember(pending_);
    run_statements(std::exchange(pending_, {}));
  }

  void run_command(const std::string& line) {
    editor_.remember(line);
    run_paged([&] { return run_dot_command(session_, line); });
  }

  /// Runs statements; stops at the first failure.
  void run_statements(const std::string& text) {
    for (std::string_view statement : split_statements(text))
      if (!run_paged([&] { return session_.run(statement); })) return;
  }

  /// Runs the work, which an interrupt stops, with paged output. Drops an interrupt that arrives
  /// afterwards, because it was meant for the pager.
  template <class Work>
  bool run_paged(const Work& work) {
    bool is_done = false;
    {
      const InterruptScope interrupt(interrupts_);
      const PagedOutput paged(session_.options().pager);
      session_.stop_with(interrupt.token());
      is_done = work() || paged.was_left();
      is_interrupted_ = is_interrupted_ || interrupt.token().stop_requested();
      session_.stop_with({});
    }
    static_cast<void>(interrupts_.take());
    return is_done;
  }

  Session& session_;
  InterruptCatcher interrupts_;
  std::string pending_;
  LineEditor editor_;
  bool is_interrupted_ = false;
};

}  // namespace

// Reads and writes the terminal directly, because the streams may be redirected to a pager.
bool confirm_on_terminal(const std::string& question) {
  if (::write(STDERR_FILENO, question.data(), question.size()) < 0) return false;
  std::string answer;
  for (char byte = 0; ::read(STDIN_FILENO, &byte, 1) == 1 && byte != '\n';) answer += byte;
  return answer == "y" || answer == "Y" || answer == "yes";
}

void run_shell(Session& session, const std::filesystem::path& history_file) {
  Prompt prompt(session, history_file);
  while (!session.is_over() && prompt.run_line()) {
  }
  session.end();
}

}  // namespace cairn::tools
