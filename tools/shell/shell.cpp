// The prompt: lines are gathered until they are statements, which are then run one after the other,
// Ctrl-C stopping the one that runs. Statements and commands go to the history, a statement with all
// its lines as one entry.
#include "tools/shell/shell.hpp"

#include "tools/shell/completion.hpp"
#include "tools/shell/interrupt.hpp"
#include "tools/shell/line_editor.hpp"
#include "tools/shell/pager.hpp"
#include "tools/text/cell_text.hpp"
#include "tools/text/palette.hpp"

#include <unistd.h>

#include <ostream>
#include <string>

namespace cairn::tools {
namespace {

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

/// A statement ends at a semicolon outside of strings and comments, which the splitter knows: then
/// nothing of a word put behind it is glued to it.
bool is_complete(const std::string& text) {
  const std::string probe = text + "\nprobe";
  const auto parts = split_statements(probe);
  return !parts.empty() && parts.size() > split_statements(text).size();
}

/// These need no semicolon.
bool is_control(const std::string& text) {
  return text == "begin" || text == "commit" || text == "rollback" || text == "BEGIN" ||
         text == "COMMIT" || text == "ROLLBACK";
}

/// "cairn:acme* > " in a namespace and a transaction. Names are shown without what could steer a terminal.
std::string ready_prompt(Session& session) {
  const std::string& name = session.options().limits.name_space;
  return "cairn" + (name.empty() ? "" : ":" + make_visible(name)) +
         (session.in_transaction() ? "* > " : " > ");
}

/// An interrupt that is left afterwards was meant for the pager.
template <class Work>
bool run_paged(Session& session, const InterruptCatcher& interrupts, const Work& work) {
  bool is_done = false;
  {
    const PagedOutput paged(session.options().pager);
    is_done = work() || paged.was_left();
  }
  static_cast<void>(interrupts.take());
  return is_done;
}

/// What follows a failed one is not run.
void run_statements(Session& session, const InterruptCatcher& interrupts, const std::string& text) {
  for (std::string_view statement : split_statements(text)) {
    const auto run = [&] {
      const InterruptScope interrupt(interrupts);
      return session.run(statement, interrupt.token());
    };
    if (!run_paged(session, interrupts, run)) return;
  }
}

/// Lines until they are a statement or a command, which is then run.
class Prompt {
 public:
  Prompt(Session& session, const std::filesystem::path& history_file)
      : session_(session), editor_(history_file, interrupts_, [&](std::string_view text) {
          return complete(session_, text);
        }) {}

  /// False at the end of input.
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
  void run_command(const std::string& typed, const std::string& command) {
    editor_.remember(typed);
    run_paged(session_, interrupts_, [&] { return run_dot_command(session_, command); });
  }

  /// An empty line ends a statement without a semicolon.
  void take(const std::string& line) {
    if (pending_.empty() && is_blank(line)) return;
    if (pending_.empty() && line.front() == '.') return run_command(line, line);
    if (const auto command = find_dot_command(line); pending_.empty() && !command.empty())
      return run_command(line, std::string(command));
    pending_ += line + "\n";
    if (!is_blank(line) && !is_control(line) && !is_complete(pending_)) return;
    editor_.remember(pending_);
    run_statements(session_, interrupts_, pending_);
    pending_.clear();
  }

  Session& session_;
  InterruptCatcher interrupts_;
  LineEditor editor_;
  std::string pending_;
};

}  // namespace

// Past the streams: what they are given may be held for a pager, and what was typed ahead is the editor's, which
// reads without one.
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
