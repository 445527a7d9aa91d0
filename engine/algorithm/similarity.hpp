#pragma once
// Similarity: how much of their neighbourhoods two nodes share.
//
// With N(v) for the neighbours of v without itself, each once: common is |N(a) and N(b)|, jaccard is that divided by |N(a) or N(b)|
// (Jaccard, 1901), and adamic_adar the sum over the common ones c of 1 / log of how many nodes have c as a neighbour (Adamic
// and Adar, 2003).

#include "engine/algorithm/array.hpp"
#include "engine/algorithm/step_source.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstdint>

namespace cairn::engine {

struct Similarity {
  std::uint32_t node = 0;
  std::uint32_t common = 0;
  double jaccard = 0;
  double adamic_adar = 0;
};

/// Compares nodes of one graph. Neighbours are where steps lead to. Threads: one.
class SimilaritySearch {
 public:
  SimilaritySearch(StepSource& graph, Limits& limits) noexcept
      : graph_(graph),
        limits_(limits),
        last_seen_(limits),
        degrees_(limits),
        shared_(limits),
        pace_(&limits) {}

  /// All nodes that share a neighbour with one, in the order in which they were met. Errors: those of the source,
  /// resource_limit, cancelled. Cost: the steps of the node, of its neighbours, and of the nodes found.
  [[nodiscard]] Result<Array<Similarity>> similar_to(std::uint32_t node);

 private:
  struct Shared {
    std::uint32_t common = 0;
    double adamic_adar = 0;
  };
  /// The neighbours of a node, each once and without itself, or those whose neighbour it is.
  [[nodiscard]] Result<Array<std::uint32_t>> neighbours(std::uint32_t node, bool forward);
  [[nodiscard]] Result<std::uint32_t> degree(std::uint32_t node);
  [[nodiscard]] Status make_room();

  StepSource& graph_;
  Limits& limits_;
  Array<std::uint64_t> last_seen_;  // by node: the list in which it stood last
  Array<std::uint32_t> degrees_;    // by node: one more than its neighbours; 0 is not known
  Array<Shared> shared_;            // by node, while others are compared with one
  std::uint64_t lists_ = 0;
  Pace pace_;
};

}  // namespace cairn::engine
