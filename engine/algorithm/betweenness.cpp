// Betweenness by Brandes' algorithm, one source at a time. A forward search visits nodes in the order of their distance and
// counts the shortest paths to each. A backward pass in the reverse order sums up the dependencies: the share of the paths
// to farther nodes that lead through a node. A neighbour is next on a shortest path if its distance is that of the node plus
// the weight between them, so no lists of predecessors are stored.
#include "engine/algorithm/centrality.hpp"
#include "engine/algorithm/random.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

namespace cairn::engine {
namespace {

// Distance of a node that was not reached.
constexpr double unmet = std::numeric_limits<double>::infinity();

/// Accumulates the scores of all nodes, source by source.
class Brandes {
 public:
  Brandes(const Adjacency& graph, Limits& limits)
      : graph_(graph),
        scores_(limits),
        distance_(limits),
        paths_(limits),
        share_(limits),
        order_(limits),
        heap_(limits),
        pace_(&limits) {}

  static Error too_many_paths() {
    return {ErrorCode::resource_limit,
            "betweenness counts shortest paths, and between two nodes there are more of them than "
            "1.8e308; ask about fewer labels or types, or give relationships weights that differ",
            std::nullopt};
  }

  Status begin() {
    CAIRN_TRY(scores_.resize(graph_.nodes(), 0));
    CAIRN_TRY(distance_.resize(graph_.nodes(), unmet));
    CAIRN_TRY(paths_.resize(graph_.nodes(), 0));
    CAIRN_TRY(share_.resize(graph_.nodes(), 0));
    return order_.reserve(graph_.nodes());
  }

  /// Adds the shortest paths that begin at `source` to the scores. Leaves the working arrays cleared for the next source.
  Status add_paths_from(std::uint32_t source) {
    distance_[source] = 0;
    paths_[source] = 1;
    CAIRN_TRY(graph_.has_weights() ? find_by_weight(source) : find_by_steps(source));
    for (const std::uint32_t node : order_)
      if (!std::isfinite(paths_[node])) return too_many_paths();
    CAIRN_TRY(hand_back(source));
    for (const std::uint32_t node : order_) {
      distance_[node] = unmet;
      paths_[node] = share_[node] = 0;
    }
    order_.clear();
    return {};
  }

  [[nodiscard]] Array<double> take_scores() { return std::move(scores_); }

 private:
  using Reached = std::pair<double, std::uint32_t>;  // distance and node, for the heap

  /// Forward search without weights: breadth first.
  Status find_by_steps(std::uint32_t source) {
    CAIRN_TRY(order_.push_back(source));
    for (std::size_t next = 0; next < order_.size(); ++next) {
      const std::uint32_t node = order_[next];
      const auto neighbours = graph_.list(node).neighbours;
      for (const std::uint32_t other : neighbours) {
        if (distance_[other] == unmet) {
          distance_[other] = distance_[node] + 1;
          CAIRN_TRY(order_.push_back(other));
        }
        if (distance_[other] == distance_[node] + 1) paths_[other] += paths_[node];
      }
      if (pace_.is_due(entry_bytes * (1 + neighbours.size()))) CAIRN_TRY(pace_.look());
    }
    return {};
  }

  /// Forward search with weights: Dijkstra's algorithm. A node that is found again on a shorter path is in the heap twice,
  /// and its second entry is skipped. During the search share_[node] = -1 marks a node whose distance is final.
  Status find_by_weight(std::uint32_t source) {
    CAIRN_TRY(heap_.push_back({0, source}));
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      const auto [distance, node] = heap_.back();
      heap_.pop_back();
      if (distance > distance_[node] || share_[node] < 0) continue;
      share_[node] = -1;
      CAIRN_TRY(order_.push_back(node));
      CAIRN_TRY(reach_from(node));
    }
    for (const std::uint32_t node : order_) share_[node] = 0;
    return {};
  }

  /// Updates the neighbours of a node: a shorter path through the node replaces the paths found so far, and paths of
  /// equal length are added to them.
  Status reach_from(std::uint32_t node) {
    const auto list = graph_.list(node);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::uint32_t other = list.neighbours[i];
      const double distance = distance_[node] + list.weight(i);
      if (distance < distance_[other]) {
        distance_[other] = distance;
        paths_[other] = 0;
        CAIRN_TRY(heap_.push_back({distance, other}));
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
      }
      if (distance == distance_[other]) paths_[other] += paths_[node];
    }
    return pace_.add(4 * entry_bytes * (1 + list.size()));
  }

  /// Backward pass: computes the dependencies from the farthest node to the nearest, and adds them to the scores.
  Status hand_back(std::uint32_t source) {
    for (std::size_t place = order_.size(); place-- > 0;) {
      const std::uint32_t node = order_[place];
      const auto list = graph_.list(node);
      double share = 0;
      for (std::size_t i = 0; i < list.size(); ++i) {
        const std::uint32_t other = list.neighbours[i];
        if (distance_[other] == distance_[node] + list.weight(i))
          share += paths_[node] / paths_[other] * (1 + share_[other]);
      }
      share_[node] = share;
      if (node != source) scores_[node] += share;
      if (pace_.is_due(entry_bytes * (1 + list.size()))) CAIRN_TRY(pace_.look());
    }
    return {};
  }

  const Adjacency& graph_;
  Array<double> scores_;
  Array<double> distance_;
  Array<double> paths_;         // by node: the number of shortest paths from the source to it
  Array<double> share_;         // by node: its dependency, see above
  Array<std::uint32_t> order_;  // reached nodes by ascending distance
  Array<Reached> heap_;
  Pace pace_;
};

/// Returns the source nodes in ascending order, so that rounding errors of the sums do not depend on the order of the draw.
Result<Array<std::uint32_t>> draw_sources(std::size_t nodes, const BetweennessOptions& options,
                                          Limits& limits) {
  CAIRN_ASSIGN(auto sources, Array<std::uint32_t>::of(limits, nodes));
  for (std::size_t i = 0; i < nodes; ++i) sources[i] = static_cast<std::uint32_t>(i);
  if (options.samples >= nodes) return sources;
  Random(options.seed).shuffle(sources, options.samples);
  sources.truncate(options.samples);
  std::ranges::sort(sources);
  return sources;
}

}  // namespace

Result<Array<double>> betweenness(const Adjacency& outgoing, const BetweennessOptions& options,
                                  Limits& limits) {
  CAIRN_ASSIGN(const auto sources, draw_sources(outgoing.nodes(), options, limits));
  Brandes brandes(outgoing, limits);
  CAIRN_TRY(brandes.begin());
  for (const std::uint32_t source : sources) CAIRN_TRY(brandes.add_paths_from(source));
  auto scores = brandes.take_scores();
  const double scale =
      sources.empty() ? 1
                      : static_cast<double>(outgoing.nodes()) / static_cast<double>(sources.size());
  for (double& score : scores) score *= scale;
  return scores;
}

}  // namespace cairn::engine
