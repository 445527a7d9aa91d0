#pragma once
// The options of `cairn bench load | search | statements`; part of the home of the command line
// library.

#include "tools/command_line.hpp"

namespace CLI {
class App;
}

namespace cairn::tools {

/// Whether the arguments are `bench load`, `bench search` or `bench statements`.
[[nodiscard]] bool names_replay(int argc, char** argv);
/// Throws CLI::ParseError.
[[nodiscard]] CommandLine parse_replay(CLI::App& app, int argc, char** argv);

}  // namespace cairn::tools
