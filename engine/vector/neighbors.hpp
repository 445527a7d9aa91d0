#pragma once
// What a search of vectors within the engine aims at and what it finds: ids and scores, without
// what a public hit has beside them.

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::engine {

// What a search of vectors finds within the engine: ids and scores, without what a public hit has beside them.

struct Neighbor {
  std::uint64_t id = 0;
  double score = 0;  ///< larger is nearer, by the metric of the index
};

/// Best first, equal scores by id, and the strategy that found them: see VectorHits::executor.
struct Neighbors {
  std::vector<Neighbor> hits;
  std::string executor;
};

/// How many of the true nearest a search should find, on average: .90, .95, .99 of them.
enum class Accuracy : std::uint8_t { fast, standard, high };

}  // namespace cairn::engine
