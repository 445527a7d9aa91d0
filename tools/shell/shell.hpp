#pragma once
// The interactive shell: prompt, multi-line statements, dot commands.

#include "tools/shell/completion.hpp"
#include "tools/shell/session.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

/// Read statements and commands from the terminal until .quit or the end of input, which roll an open
/// transaction back. An interrupt drops the line being typed or stops the running statement.
/// The history is stored in `history_file` (none if empty).
void run_shell(Session& session, const std::filesystem::path& history_file);

/// Ask on the terminal; true for a yes.
[[nodiscard]] bool confirm_on_terminal(const std::string& question);

/// Every name that a dot command has.
[[nodiscard]] std::vector<std::string> dot_command_names();

/// The name of the command that a line calls, shortened or in the words of another shell; empty if absent.
[[nodiscard]] std::string_view dot_command_of(std::string_view line);
/// What the command of a line takes.
[[nodiscard]] ArgumentKind argument_kind(std::string_view line);

/// Run one line that is_command_line(). Errors are printed; false after one.
bool run_dot_command(Session& session, const std::string& line);

}  // namespace cairn::tools
