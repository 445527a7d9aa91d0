#pragma once
// The result of a vector search within the engine (ids and scores), and the accuracy that it aims
// at. Public hits (cairn/hit.hpp) carry more.

#include <cairn/vector_executor.hpp>

#include <cstdint>
#include <vector>

namespace cairn::engine {

/// One hit of a vector search.
struct Neighbor {
  std::uint64_t id = 0;
  double score = 0;  ///< greater is nearer, by the metric of the index
};

/// The hits of one search, best first, equal scores in ascending order of ids.
struct Neighbors {
  std::vector<Neighbor> hits;
  VectorExecutor executor = VectorExecutor::none;  ///< how the hits were found
};

/// Expected recall of a search: on average it finds .90, .95 or .99 of the true nearest vectors.
enum class Accuracy : std::uint8_t { fast, standard, high };

}  // namespace cairn::engine
