#pragma once
// What the library says to programs, in the words of whoever sits before a shell.

#include <string>

namespace cairn::tools {

/// Members of options become commands at a prompt, ".memory", and options of the program elsewhere, "--memory"; the
/// sizes and times beside them get a unit.
[[nodiscard]] std::string user_words(std::string message, bool has_prompt);

}  // namespace cairn::tools
