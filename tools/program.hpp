#pragma once
// What our programs have in common: exit statuses and standard output.

#include <cairn/result.hpp>

namespace cairn::tools {

/// 0, or 1 after printing the error to standard error. An error without a message prints nothing.
[[nodiscard]] int exit_status(const Status& status);

/// Run a program's work and return its exit status, which is 1 where standard output could not be
/// written. For main(): call it once.
[[nodiscard]] int run_main(int argc, char** argv, int (*work)(int, char**));

}  // namespace cairn::tools
