#pragma once
// The ways in which an index finds the nearest vectors.

#include <cairn/visibility.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cairn {

/// How the hits of a vector search were found.
enum class VectorExecutor : std::uint8_t {
  none,              ///< there was nothing to search for: `k` is 0
  exact,             ///< compared every allowed vector
  flat,              ///< scanned all codes, then compared the best
  partitions,        ///< the same for near partitions
  graph,             ///< searched the graph
  graph_by_hnswlib,  ///< searched the graph by hnswlib, another implementation
};

/// Returns "", "exact", "flat", "partitions", "graph" or "graph by hnswlib". Precondition: one of
/// the enumerators. Lifetime: as long as the program.
[[nodiscard]] constexpr std::string_view to_string(VectorExecutor executor) noexcept {
  constexpr std::string_view names[] = {"",           "exact", "flat",
                                        "partitions", "graph", "graph by hnswlib"};
  return names[static_cast<std::size_t>(executor)];
}

}  // namespace cairn
