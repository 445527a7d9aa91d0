#pragma once
// The shell on a database at the address of a server.

#include "tools/command_line.hpp"

#include <cairn/database.hpp>
#include <cairn/result.hpp>

namespace cairn::tools {

/// Refuses options for a server address if the database is a directory.
[[nodiscard]] Status check_local(const CommandLine& line, const ShellCommand& command);

/// Connects to a server with the token of the command. Errors: invalid_argument for options that are
/// for a directory; those of open_remote().
[[nodiscard]] Result<Database> open_address(const CommandLine& line, const ShellCommand& command);

}  // namespace cairn::tools
