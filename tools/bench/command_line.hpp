#pragma once
// What was asked on the command line of `cairn-bench`.

#include "tools/bench/attach.hpp"
#include "tools/bench/facets.hpp"
#include "tools/bench/metadata.hpp"
#include "tools/bench/replay.hpp"
#include "tools/bench/retrieval.hpp"
#include "tools/bench/text.hpp"

#include <variant>

namespace cairn::tools {

using BenchCommand = std::variant<MetadataBench, FacetsBench, TextBench, LoadReplay, SearchReplay,
                                  StatementsReplay, ChangesReplay, RetrievalBench, AttachBench>;

/// The command, or the exit status after help, version or an error was printed.
[[nodiscard]] std::variant<BenchCommand, int> parse_bench_command(int argc, char** argv);

}  // namespace cairn::tools
