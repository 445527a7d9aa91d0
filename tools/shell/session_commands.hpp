#pragma once
// Dot commands of a session: output formats, parameters, settings of statements, the look on a
// terminal, and files.

#include "tools/shell/dot_command.hpp"
#include "tools/shell/session.hpp"

namespace cairn::tools {

/// `.mode [FORMAT|toggle]`
[[nodiscard]] Status mode(Session& session, const Arguments& arguments);
/// `.nullvalue [TEXT]`
[[nodiscard]] Status null_value(Session& session, const Arguments& arguments);
/// `.timer [on|off|toggle]`; the next three are similar
[[nodiscard]] Status timer(Session& session, const Arguments& arguments);
[[nodiscard]] Status headers(Session& session, const Arguments& arguments);
[[nodiscard]] Status echo(Session& session, const Arguments& arguments);
[[nodiscard]] Status bail(Session& session, const Arguments& arguments);
/// `.param [NAME [VALUE]]`
[[nodiscard]] Status param(Session& session, const Arguments& arguments);
/// `.unset NAME`
[[nodiscard]] Status unset(Session& session, const Arguments& arguments);
/// `.print [TEXT]`
[[nodiscard]] Status print(Session& session, const Arguments& arguments);
/// `.show`
[[nodiscard]] Status show_settings(Session& session, const Arguments& arguments);
/// `.database`
[[nodiscard]] Status show_database(Session& session, const Arguments& arguments);
/// `.namespace [NAME]`, `.timeout [DURATION]`, `.max_rows [N]`, `.memory [SIZE]`,
/// `.threads [N]`
[[nodiscard]] Status name_space(Session& session, const Arguments& arguments);
[[nodiscard]] Status also_read(Session& session, const Arguments& arguments);
[[nodiscard]] Status author(Session& session, const Arguments& arguments);
[[nodiscard]] Status timeout(Session& session, const Arguments& arguments);
[[nodiscard]] Status max_rows(Session& session, const Arguments& arguments);
[[nodiscard]] Status memory(Session& session, const Arguments& arguments);
[[nodiscard]] Status threads(Session& session, const Arguments& arguments);

// Dot commands for the look of results on a terminal.

/// `.rows [N|all]`
[[nodiscard]] Status row_limit(Session& session, const Arguments& arguments);
/// `.color [on|off]`
[[nodiscard]] Status colours(Session& session, const Arguments& arguments);
/// `.pager [on|off|COMMAND]`
[[nodiscard]] Status pager(Session& session, const Arguments& arguments);

/// Returns $PAGER, or less if it is not set. For a terminal only.
[[nodiscard]] std::string default_pager();

// Dot commands for files and directories.

/// `.read FILE`
[[nodiscard]] Status read_file(Session& session, const Arguments& arguments);
/// `.output [FILE]`, `.output |COMMAND`, `.output stdout`
[[nodiscard]] Status output(Session& session, const Arguments& arguments);
/// `.once FILE`
[[nodiscard]] Status once(Session& session, const Arguments& arguments);
/// `.cd [DIR]`
[[nodiscard]] Status change_directory(Session& session, const Arguments& arguments);

}  // namespace cairn::tools
