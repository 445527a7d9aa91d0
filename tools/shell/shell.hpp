#pragma once
// The interactive shell: prompt, multi-line statements, dot commands.

#include "tools/shell/completion.hpp"
#include "tools/shell/session.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

/// Reads statements and commands from the terminal until .quit or the end of input, and then rolls
/// back an open transaction. An interrupt drops the line being typed or stops the running
/// statement. The history is stored in `history_file` (empty: none).
void run_shell(Session& session, const std::filesystem::path& history_file);

/// Asks a question on the terminal; returns true for yes.
[[nodiscard]] bool confirm_on_terminal(const std::string& question);

/// Returns all names of dot commands.
[[nodiscard]] std::vector<std::string> dot_command_names();

/// Returns the full name of the command of a line, which may be abbreviated or of another shell;
/// empty if the line has none.
[[nodiscard]] std::string_view dot_command_of(std::string_view line);
/// Returns the kind of argument of the command in a line.
[[nodiscard]] ArgumentKind argument_kind(std::string_view line);

/// Runs a line for which is_command_line() is true. Prints an error and returns false.
bool run_dot_command(Session& session, const std::string& line);

}  // namespace cairn::tools
