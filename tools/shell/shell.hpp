#pragma once
// The interactive shell: prompt, multi-line statements, dot commands.

#include "tools/shell/session.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

/// Read statements and commands from the terminal until .quit or the end of input, which roll an open
/// transaction back. An interrupt drops the line being typed or stops the running statement.
/// The history is kept in `history_file` (none if empty).
void run_shell(Session& session, const std::filesystem::path& history_file);

/// Ask on the terminal; true for a yes.
[[nodiscard]] bool confirm_on_terminal(const std::string& question);

/// The dot command that a line of another program's shell stands for ("exit", "?", "\\d"); empty for any other.
[[nodiscard]] std::string_view find_dot_command(std::string_view line);

/// Every name that a dot command has.
[[nodiscard]] std::vector<std::string> dot_command_names();

/// Run one line that begins with '.'. Errors are printed; false after one.
bool run_dot_command(Session& session, const std::string& line);

}  // namespace cairn::tools
