#include "tools/shell/shell.hpp"

#include "tools/shell/interrupt.hpp"
#include "tools/shell/line_editor.hpp"

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

bool is_control(const std::string& text) {
  return text == "begin" || text == "commit" || text == "rollback" || text == "BEGIN" ||
         text == "COMMIT" || text == "ROLLBACK";
}

void run_statements(Session& session, const std::string& text) {
  const InterruptScope interrupt;
  for (std::string_view statement : split_statements(text))
    if (!session.run(statement, interrupt.token())) return;
}

}  // namespace

void run_shell(Session& session, const std::filesystem::path& history_file) {
  LineEditor editor(history_file);
  std::string pending;
  while (true) {
    const char* ready = session.in_transaction() ? "cairn* > " : "cairn > ";
    const auto line = editor.read(pending.empty() ? ready : "    ... ");
    if (!line) break;
    if (pending.empty() && is_blank(*line)) continue;
    if (pending.empty() && line->front() == '.') {
      editor.remember(*line);
      if (!run_dot_command(session, *line)) return;
      continue;
    }
    pending += *line + "\n";
    if (!is_blank(*line) && !is_control(*line) && !is_complete(pending)) continue;
    editor.remember(pending);
    run_statements(session, pending);
    pending.clear();
  }
  session.out() << "\n";
}

}  // namespace cairn::tools
