#pragma once
// Shared code of our programs: exit statuses and standard output.

#include <cairn/result.hpp>

namespace cairn::tools {

/// Returns the exit status: 0, or after printing the error to standard error 130 for `cancelled`
/// and 1 for any other code. An error without a message prints nothing.
[[nodiscard]] int exit_status(const Status& status);

/// Runs a program's work and returns its exit status, which is 1 if standard output could not be
/// written. For main(): call it once.
[[nodiscard]] int run_main(int argc, char** argv, int (*work)(int, char**));

}  // namespace cairn::tools
