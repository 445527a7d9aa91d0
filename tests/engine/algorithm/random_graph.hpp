#pragma once
// RandomGraph: a small graph as a list of edges, with loops and parallel ones, as algorithms take it and as naive code does.

#include "engine/algorithm/adjacency.hpp"
#include "engine/algorithm/random.hpp"
#include "engine/algorithm/step_source.hpp"
#include "tests/engine/algorithm/counted_limits.hpp"
#include "tests/support/graph_builder.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace cairn::test {

struct Edge {
  std::uint32_t source = 0;
  std::uint32_t target = 0;
  double weight = 1;
};

struct RandomGraph {
  std::uint32_t nodes = 0;
  std::vector<Edge> edges;

  /// Of up to 14 nodes, some in parts of their own.
  [[nodiscard]] static RandomGraph draw(std::uint32_t seed) {
    engine::Random random(seed);
    RandomGraph graph;
    graph.nodes = random.below(15);
    const std::uint32_t count = graph.nodes == 0 ? 0 : random.below(3 * graph.nodes);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t source = random.below(graph.nodes);
      const std::uint32_t target =
          random.below(4) == 0 ? source % 3 % graph.nodes : random.below(graph.nodes);
      graph.edges.push_back({source, target, static_cast<double>(1 + random.below(6))});
    }
    return graph;
  }

  [[nodiscard]] engine::Adjacency lists(engine::Limits& limits, bool with_weights) const {
    engine::Adjacency made(limits);
    must(made.begin(nodes));
    for (std::uint32_t node = 0; node < nodes; ++node) {
      for (const Edge& edge : edges) {
        if (edge.source != node) continue;
        must(made.add(edge.target));
        if (with_weights) must(made.add_weight(edge.weight));
      }
      must(made.end_list());
    }
    return made;
  }

  /// The neighbours of each node in either direction, without itself.
  [[nodiscard]] std::vector<std::set<std::uint32_t>> around() const {
    std::vector<std::set<std::uint32_t>> sets(nodes);
    for (const Edge& edge : edges) {
      if (edge.source == edge.target) continue;
      sets[edge.source].insert(edge.target);
      sets[edge.target].insert(edge.source);
    }
    return sets;
  }
  /// The least weight from one node to another.
  [[nodiscard]] std::map<std::pair<std::uint32_t, std::uint32_t>, double> arcs(bool both) const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> least;
    const auto add = [&](std::uint32_t a, std::uint32_t b, double weight) {
      const auto [place, is_new] = least.emplace(std::pair(a, b), weight);
      if (!is_new && weight < place->second) place->second = weight;
    };
    for (const Edge& edge : edges) {
      if (edge.source == edge.target) continue;
      add(edge.source, edge.target, edge.weight);
      if (both) add(edge.target, edge.source, edge.weight);
    }
    return least;
  }
};

/// Its steps, all known from the beginning.
class GraphStepSource final : public engine::StepSource {
 public:
  GraphStepSource(const RandomGraph& graph, bool both) : steps_(2 * std::size_t{graph.nodes}) {
    nodes_ = graph.nodes;
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
      const Edge& edge = graph.edges[i];
      add(edge.source, edge.target, {i, edge.weight}, true);
      add(edge.target, edge.source, {i, edge.weight}, false);
      if (!both || edge.source == edge.target) continue;
      add(edge.target, edge.source, {i, edge.weight}, true);
      add(edge.source, edge.target, {i, edge.weight}, false);
    }
  }
  [[nodiscard]] std::uint32_t size() const noexcept override { return nodes_; }
  [[nodiscard]] Result<std::span<const engine::WeightedStep>> steps(std::uint32_t node,
                                                                    bool forward) override {
    return std::span<const engine::WeightedStep>(steps_[2 * std::size_t{node} + (forward ? 0 : 1)]);
  }

 private:
  void add(std::uint32_t from, std::uint32_t to, std::pair<std::size_t, double> edge,
           bool forward) {
    steps_[2 * std::size_t{from} + (forward ? 0 : 1)].push_back({to, edge.second, edge.first});
  }

  std::uint32_t nodes_ = 0;
  std::vector<std::vector<engine::WeightedStep>> steps_;
};

}  // namespace cairn::test
