#pragma once
// `cairn bench`: figures that anyone can measure again.

#include "tools/command_line.hpp"

#include <cairn/result.hpp>

#include <iosfwd>
#include <string>

namespace cairn::tools {

/// Run the benchmark `command.name` in a new database at `directory`, which must not exist, and print
/// its figures. Errors: already_exists; those of the calls that are measured.
[[nodiscard]] Status run_benchmark(const std::string& directory, const BenchCommand& command,
                                   std::ostream& out);

}  // namespace cairn::tools
