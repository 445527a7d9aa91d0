#pragma once
// Dot commands that choose how results look on a terminal.

#include "tools/shell/dot_command.hpp"
#include "tools/shell/session.hpp"

namespace cairn::tools {

/// `.rows [N|all]`
[[nodiscard]] Status row_limit(Session& session, const Arguments& arguments);
/// `.color [on|off]`
[[nodiscard]] Status colours(Session& session, const Arguments& arguments);
/// `.pager [on|off|COMMAND]`
[[nodiscard]] Status pager(Session& session, const Arguments& arguments);

/// $PAGER, or less where it is unset. For a terminal only.
[[nodiscard]] std::string default_pager();

}  // namespace cairn::tools
