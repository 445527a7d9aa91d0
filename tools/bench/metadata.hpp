#pragma once
// `cairn-bench metadata`: filters over generated nodes.

#include <cairn/result.hpp>

#include <cstdint>
#include <iosfwd>
#include <string>

namespace cairn::tools {

struct MetadataBench {
  std::string directory;  ///< must not exist
  std::uint64_t nodes = 1'000'000;
  std::uint64_t updates = 100'000;  ///< of one frequent value
  std::uint64_t seed = 1;
};

/// Load, filter, update and filter again; print the figures. The database stays.
/// Errors: already_exists; those of the calls that are measured.
[[nodiscard]] Status bench_metadata(const MetadataBench& bench, std::ostream& out);

}  // namespace cairn::tools
