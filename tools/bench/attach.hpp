#pragma once
// `cairn-bench attach`: what it costs to use a database through the process that has it open.

#include <cairn/result.hpp>

#include <cstdint>
#include <iosfwd>
#include <string>

namespace cairn::tools {

struct AttachBench {
  std::string directory;  ///< must not exist
  std::uint64_t nodes = 20'000;
  std::uint32_t dimension = 128;
  double seconds = 2;            ///< of each throughput
  std::uint64_t takeovers = 50;  ///< hosts that are killed
  std::uint64_t seed = 1;
};

/// Compare calls in the host with those of attached processes, side by side; print the figures and their ratios. The
/// database stays. To be called before the process has threads.
/// Errors: already_exists; those of the calls that are measured.
[[nodiscard]] Status bench_attach(const AttachBench& bench, std::ostream& out);

}  // namespace cairn::tools
