#pragma once
// What Tab puts behind a dot command.

#include "tools/shell/completion.hpp"

namespace cairn::tools {

/// The last word of a line that is a command: its name, or what it takes.
[[nodiscard]] Completions complete_command(Session& session, std::string_view line);

}  // namespace cairn::tools
