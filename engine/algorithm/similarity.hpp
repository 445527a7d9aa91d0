#pragma once
// Similarity: how much of their neighbourhoods two nodes share.
//
// N(v) is the set of the neighbours of v, without v itself. The measures of two nodes a and b are:
//
// common        |N(a) and N(b)|
// jaccard       |N(a) and N(b)| / |N(a) or N(b)|   (Jaccard, 1901)
// adamic_adar   the sum of 1 / log(d(c)) over the common neighbours c, where d(c) is the number of nodes that have c as a
//               neighbour (Adamic and Adar, 2003)

#include "engine/algorithm/array.hpp"
#include "engine/algorithm/step_source.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstdint>

namespace cairn::engine {

/// The measures of one node, compared with the node in question.
struct Similarity {
  std::uint32_t node = 0;
  std::uint32_t common = 0;
  double jaccard = 0;
  double adamic_adar = 0;
};

/// Compares nodes of one graph. The neighbours of a node are the ends of its steps. Threads: one at a time.
class SimilaritySearch {
 public:
  SimilaritySearch(StepSource& graph, Limits& limits) noexcept
      : graph_(graph),
        limits_(limits),
        last_seen_(limits),
        degrees_(limits),
        shared_(limits),
        pace_(&limits) {}

  /// Returns every node that shares a neighbour with `node`, in the order in which the search meets them. Errors: those of
  /// the graph, resource_limit, cancelled. Cost: reads the steps of the node, of its neighbours, and of the nodes found.
  [[nodiscard]] Result<Array<Similarity>> similar_to(std::uint32_t node);

 private:
  /// Sums over the common neighbours that were visited so far.
  struct Shared {
    std::uint32_t common = 0;
    double adamic_adar = 0;
  };
  /// Returns the neighbours of a node, each once and without the node itself. If not `forward`, returns the nodes that
  /// have `node` as a neighbour.
  [[nodiscard]] Result<Array<std::uint32_t>> neighbours(std::uint32_t node, bool forward);
  /// Returns |N(node)|, which is cached.
  [[nodiscard]] Result<std::uint32_t> degree(std::uint32_t node);
  [[nodiscard]] Status make_room();

  StepSource& graph_;
  Limits& limits_;
  Array<std::uint64_t>
      last_seen_;  // by node: the number of the last list that had it, to skip duplicates
  Array<std::uint32_t> degrees_;  // by node: degree + 1; 0: not known yet
  Array<Shared> shared_;          // by node; all zero between calls of similar_to()
  std::uint64_t lists_ = 0;       // number of the current list
  Pace pace_;
};

}  // namespace cairn::engine
