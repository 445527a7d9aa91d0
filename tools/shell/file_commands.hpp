#pragma once
// Dot commands about files and directories: what is run of them, and where results go.

#include "tools/shell/dot_command.hpp"
#include "tools/shell/session.hpp"

namespace cairn::tools {

/// `.read FILE`
[[nodiscard]] Status read_file(Session& session, const Arguments& arguments);
/// `.output [FILE]`, `.output |COMMAND`, `.output stdout`
[[nodiscard]] Status output(Session& session, const Arguments& arguments);
/// `.once FILE`
[[nodiscard]] Status once(Session& session, const Arguments& arguments);
/// `.cd [DIR]`
[[nodiscard]] Status change_directory(Session& session, const Arguments& arguments);

}  // namespace cairn::tools
