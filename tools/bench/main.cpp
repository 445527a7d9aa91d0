// The program `cairn-bench`: one verb, one benchmark. Exit status 0, or 1 after an error.
#include "tools/bench/command_line.hpp"
#include "tools/program.hpp"

#include <iostream>

namespace cairn::tools {
namespace {

Status run(const MetadataBench& bench) { return bench_metadata(bench, std::cout); }
Status run(const FacetsBench& bench) { return bench_facets(bench, std::cout); }
Status run(const TextBench& bench) { return bench_text(bench, std::cout); }
Status run(const LoadReplay& work) { return replay(work); }
Status run(const SearchReplay& work) { return replay(work); }
Status run(const StatementsReplay& work) { return replay(work); }
Status run(const ChangesReplay& work) { return replay(work); }
Status run(const AttachBench& bench) { return bench_attach(bench, std::cout); }
Status run(const RetrievalBench& bench) { return run_retrieval(bench, std::cout); }

int run(int argc, char** argv) {
  const auto parsed = parse_bench_command(argc, argv);
  if (const int* status = std::get_if<int>(&parsed)) return *status;
  return exit_status(
      std::visit([](const auto& command) { return run(command); }, std::get<BenchCommand>(parsed)));
}

}  // namespace
}  // namespace cairn::tools

int main(int argc, char** argv) { return cairn::tools::run_main(argc, argv, cairn::tools::run); }
