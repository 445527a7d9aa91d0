// Core numbers: repeatedly removes the node with the fewest remaining neighbours. Its degree at that time is its core
// number.
//
// Triangles: directs each relationship to the end with more neighbours. Each triangle is then found exactly once, from the
// node that lists both others. No directed list is longer than about the square root of the number of entries.
#include "engine/algorithm/components.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace cairn::engine {
namespace {

/// Nodes sorted by degree in buckets, so that lowering a degree by one costs constant time.
class DegreeOrder {
 public:
  DegreeOrder(const Adjacency& graph, Limits& limits)
      : limits_(limits), degree_(limits), place_(limits), order_(limits), first_(limits) {
    nodes_ = graph.nodes();
  }

  Status fill(const Adjacency& graph) {
    CAIRN_TRY(degree_.resize(nodes_));
    CAIRN_TRY(place_.resize(nodes_));
    CAIRN_TRY(order_.resize(nodes_));
    std::uint32_t most = 0;
    for (std::size_t node = 0; node < nodes_; ++node) {
      degree_[node] = static_cast<std::uint32_t>(graph.list(node).size());
      most = std::max(most, degree_[node]);
    }
    CAIRN_TRY(first_.resize(std::size_t{most} + 2, 0));
    for (const std::uint32_t degree : degree_) ++first_[degree + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    CAIRN_ASSIGN(auto next, Array<std::uint32_t>::of(limits_, first_.size()));
    std::ranges::copy(first_, next.begin());
    for (std::uint32_t node = 0; node < nodes_; ++node) put(node, next[degree_[node]]++);
    return {};
  }

  [[nodiscard]] std::uint32_t at(std::size_t place) const { return order_[place]; }
  [[nodiscard]] std::uint32_t degree(std::uint32_t node) const { return degree_[node]; }

  /// Lowers the degree of a node by one. The node swaps places with the first node of its degree, and the bucket of that
  /// degree then begins one place later.
  void shrink(std::uint32_t node) {
    const std::uint32_t front = first_[degree_[node]]++;
    const std::uint32_t other = order_[front];
    put(other, place_[node]);
    put(node, front);
    --degree_[node];
  }
  [[nodiscard]] Array<std::uint32_t> take_degrees() { return std::move(degree_); }

 private:
  void put(std::uint32_t node, std::uint32_t place) {
    order_[place] = node;
    place_[node] = place;
  }

  Limits& limits_;
  std::size_t nodes_ = 0;
  Array<std::uint32_t> degree_;  // by node
  Array<std::uint32_t> place_;   // by node: its index in order_
  Array<std::uint32_t> order_;   // nodes by ascending degree
  Array<std::uint32_t> first_;  // by degree: the index in order_ of the first node with this degree
};

}  // namespace

// Only degrees above that of the removed node are lowered: the core number of a neighbour is at least as large.
Result<Array<std::uint32_t>> core_numbers(const Adjacency& graph, Limits& limits) {
  DegreeOrder order(graph, limits);
  CAIRN_TRY(order.fill(graph));
  Pace pace(&limits);
  for (std::size_t place = 0; place < graph.nodes(); ++place) {
    const std::uint32_t node = order.at(place);
    const auto neighbours = graph.list(node).neighbours;
    for (const std::uint32_t other : neighbours)
      if (order.degree(other) > order.degree(node)) order.shrink(other);
    if (pace.is_due(entry_bytes * (1 + neighbours.size()))) CAIRN_TRY(pace.look());
  }
  return order.take_degrees();
}

namespace {

/// Returns the graph in which each relationship is only in the list of the end with fewer neighbours. Ties go to the lesser
/// node.
Result<Adjacency> upward(const Adjacency& graph, Limits& limits) {
  Adjacency up(limits);
  CAIRN_TRY(up.begin(graph.nodes()));
  Pace pace(&limits);
  for (std::size_t node = 0; node < graph.nodes(); ++node) {
    const auto neighbours = graph.list(node).neighbours;
    for (const std::uint32_t other : neighbours) {
      const std::size_t degree = graph.list(other).size();
      if (std::pair(degree, std::size_t{other}) > std::pair(neighbours.size(), node))
        CAIRN_TRY(up.add(other));
    }
    CAIRN_TRY(up.end_list());
    if (pace.is_due(entry_bytes * (1 + neighbours.size()))) CAIRN_TRY(pace.look());
  }
  return up;
}

}  // namespace

Result<Array<std::uint64_t>> triangles(const Adjacency& graph, Limits& limits) {
  CAIRN_ASSIGN(auto counts, Array<std::uint64_t>::of(limits, graph.nodes(), 0));
  CAIRN_ASSIGN(const Adjacency up, upward(graph, limits));
  CAIRN_ASSIGN(auto is_above, Array<std::uint8_t>::of(limits, graph.nodes(), 0));
  Pace pace(&limits);
  for (std::size_t node = 0; node < up.nodes(); ++node) {
    const auto above = up.list(node).neighbours;
    for (const std::uint32_t other : above) is_above[other] = 1;
    for (const std::uint32_t other : above) {
      const auto further = up.list(other).neighbours;
      for (const std::uint32_t third : further) {
        if (is_above[third] == 0) continue;
        ++counts[node], ++counts[other], ++counts[third];
      }
      if (pace.is_due(entry_bytes * (1 + further.size()))) CAIRN_TRY(pace.look());
    }
    for (const std::uint32_t other : above) is_above[other] = 0;
  }
  return counts;
}

}  // namespace cairn::engine
