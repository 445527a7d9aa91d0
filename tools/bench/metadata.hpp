#pragma once
// Filters and facets over records with metadata, measured.

#include <cairn/result.hpp>

#include <cstdint>
#include <iosfwd>
#include <string>

namespace cairn::tools {

// `cairn-bench metadata`: filters over generated nodes.

struct MetadataBench {
  std::string directory;  ///< must not exist
  std::uint64_t nodes = 1'000'000;
  std::uint64_t updates = 100'000;  ///< of one frequent value
  std::uint64_t seed = 1;
};

/// Load, filter, update and filter again; print the figures. The database stays.
/// Errors: already_exists; those of the calls that are measured.
[[nodiscard]] Status bench_metadata(const MetadataBench& bench, std::ostream& out);

// `cairn-bench facets`: faceted search over generated memories.

struct FacetsBench {
  std::string directory;  ///< must not exist
  std::uint64_t nodes = 1'000'000;
  std::uint64_t tags = 200;  ///< distinct ones
  std::uint64_t seed = 1;
};

/// Load memories with distinct tags, 10 types and distinct dates over two years, then search by tags,
/// type and period: page 1 of 10 with its total and three facets. The database stays.
/// Errors: already_exists; those of the calls that are measured.
[[nodiscard]] Status bench_facets(const FacetsBench& bench, std::ostream& out);

}  // namespace cairn::tools
