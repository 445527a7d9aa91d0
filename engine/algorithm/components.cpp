// Weak components are found by union-find over the entries. Strong components are found by Tarjan's depth-first search,
// which keeps an explicit stack: a recursion as deep as the graph would overflow the thread's stack.
#include "engine/algorithm/components.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn::engine {
namespace {

constexpr std::uint32_t no_number = std::numeric_limits<std::uint32_t>::max();

/// Returns the root of the tree that a node is in. Halves the path to the root on the way, which keeps later calls fast.
std::uint32_t root_of(Array<std::uint32_t>& parents, std::uint32_t node) {
  while (parents[node] != node) {
    parents[node] = parents[parents[node]];
    node = parents[node];
  }
  return node;
}

}  // namespace

Result<std::uint32_t> number_by_first(Array<std::uint32_t>& groups, std::size_t largest,
                                      Limits& limits) {
  CAIRN_ASSIGN(auto numbers, Array<std::uint32_t>::of(limits, largest + 1, no_number));
  std::uint32_t next = 0;
  for (std::uint32_t& group : groups) {
    if (numbers[group] == no_number) numbers[group] = next++;
    group = numbers[group];
  }
  return next;
}

// The lesser root becomes the parent of the other one, so the root of a tree is its least node, whatever the order of the
// entries.
Result<Array<std::uint32_t>> connected_components(const Adjacency& graph, Limits& limits) {
  CAIRN_ASSIGN(auto parents, Array<std::uint32_t>::of(limits, graph.nodes()));
  for (std::size_t node = 0; node < graph.nodes(); ++node)
    parents[node] = static_cast<std::uint32_t>(node);
  Pace pace(&limits);
  for (std::size_t node = 0; node < graph.nodes(); ++node) {
    const auto list = graph.list(node);
    for (const std::uint32_t other : list.neighbours) {
      const std::uint32_t a = root_of(parents, static_cast<std::uint32_t>(node));
      const std::uint32_t b = root_of(parents, other);
      parents[std::max(a, b)] = std::min(a, b);
    }
    if (pace.is_due(entry_bytes * (1 + list.size()))) CAIRN_TRY(pace.look());
  }
  for (std::size_t node = 0; node < graph.nodes(); ++node)
    parents[node] = root_of(parents, static_cast<std::uint32_t>(node));
  CAIRN_TRY(number_by_first(parents, graph.nodes(), limits));
  return parents;
}

namespace {

/// Tarjan's algorithm with an explicit stack.
class StrongComponents {
 public:
  StrongComponents(const Adjacency& graph, Limits& limits)
      : graph_(graph),
        limits_(limits),
        order_(limits),
        low_(limits),
        component_(limits),
        open_(limits),
        walk_(limits),
        pace_(&limits) {}

  Result<Array<std::uint32_t>> run() {
    CAIRN_TRY(order_.resize(graph_.nodes(), no_number));
    CAIRN_TRY(low_.resize(graph_.nodes(), no_number));
    CAIRN_TRY(component_.resize(graph_.nodes(), no_number));
    for (std::size_t node = 0; node < graph_.nodes(); ++node)
      if (order_[node] == no_number) CAIRN_TRY(walk_from(static_cast<std::uint32_t>(node)));
    CAIRN_TRY(number_by_first(component_, graph_.nodes(), limits_));
    return std::move(component_);
  }

 private:
  /// A node on the path of the depth-first search, and the next entry of its list to follow.
  struct Place {
    std::uint32_t node = 0;
    std::size_t next = 0;
  };

  Status enter(std::uint32_t node) {
    order_[node] = low_[node] = met_++;
    CAIRN_TRY(open_.push_back(node));
    CAIRN_TRY(pace_.add(entry_bytes * (1 + graph_.list(node).size())));
    return walk_.push_back({node, 0});
  }

  /// Tarjan's depth-first search from one node, with the path in walk_ and not on the call stack, which a long path
  /// would exceed.
  Status walk_from(std::uint32_t start) {
    CAIRN_TRY(enter(start));
    while (!walk_.empty()) {
      Place& place = walk_.back();
      const auto neighbours = graph_.list(place.node).neighbours;
      if (place.next == neighbours.size()) {
        leave(place.node);
        continue;
      }
      const std::uint32_t other = neighbours[place.next++];
      if (order_[other] == no_number)
        CAIRN_TRY(enter(other));
      else if (component_[other] == no_number)
        low_[place.node] = std::min(low_[place.node], order_[other]);
    }
    return {};
  }

  /// Called once all neighbours of a node are visited. If the node reaches no earlier node than itself, it is the first of
  /// its component, which consists of the nodes above it on the stack of open nodes.
  void leave(std::uint32_t node) {
    walk_.pop_back();
    if (!walk_.empty()) {
      std::uint32_t& low = low_[walk_.back().node];
      low = std::min(low, low_[node]);
    }
    if (low_[node] != order_[node]) return;
    for (bool is_last = false; !is_last; open_.pop_back()) {
      is_last = open_.back() == node;
      component_[open_.back()] = components_;
    }
    ++components_;
  }

  const Adjacency& graph_;
  Limits& limits_;
  Array<std::uint32_t> order_;      // by node: its rank in the order of the first visits
  Array<std::uint32_t> low_;        // by node: the least rank of an open node that it reaches
  Array<std::uint32_t> component_;  // by node; no_number: not known yet
  Array<std::uint32_t> open_;       // stack of visited nodes without a component
  Array<Place> walk_;               // path of the search
  Pace pace_;
  std::uint32_t met_ = 0;
  std::uint32_t components_ = 0;
};

}  // namespace

Result<Array<std::uint32_t>> strong_components(const Adjacency& outgoing, Limits& limits) {
  return StrongComponents(outgoing, limits).run();
}

}  // namespace cairn::engine
