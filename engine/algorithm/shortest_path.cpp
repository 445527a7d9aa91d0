// Three searches over a graph that is read on demand:
//
// shortest_path   Dijkstra's search from both ends. It stops once no path through unvisited nodes can be shorter than the
//                 best path found so far.
// guided_path     A* from the source.
// shortest_paths  Yen's algorithm: branches off each node of each path found, and searches the rest with shortest_path().
#include "engine/algorithm/shortest_path.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace cairn::engine {
namespace {

constexpr std::uint64_t step_bytes = 64;  // work of following one step, as reported to a Pace

/// One end of a search for a shortest path: the nodes that it has reached, and a queue of those to visit next.
class SearchSide {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  static constexpr double unreached = std::numeric_limits<double>::infinity();

  /// How a node was reached.
  struct Reached {
    double cost = unreached;
    double weight = 0;               ///< of the last step
    std::uint64_t relationship = 0;  ///< of the last step
    std::uint32_t from = none;       ///< the node before; none for the node where the search begins
    bool is_settled = false;         ///< its cost is final, and its steps were followed
  };

  explicit SearchSide(Limits& limits) noexcept : reached_(limits), heap_(limits) {}

  /// Makes at() valid for node numbers below `size`.
  [[nodiscard]] Status make_room(std::size_t size) { return reached_.grow(size); }
  [[nodiscard]] Reached& at(std::uint32_t node) noexcept { return reached_[node]; }
  [[nodiscard]] const Reached& at(std::uint32_t node) const noexcept { return reached_[node]; }

  /// Queues a node. take() returns the node with the least `order`: its cost, or its cost plus an estimate.
  [[nodiscard]] Status wait(std::uint32_t node, double order) {
    CAIRN_TRY(heap_.push_back({order, node}));
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    return {};
  }
  [[nodiscard]] bool is_done() const noexcept { return heap_.empty(); }
  /// The `order` of the node that take() returns next.
  [[nodiscard]] double least() const noexcept { return std::get<0>(heap_[0]); }
  [[nodiscard]] std::uint32_t take() noexcept {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const std::uint32_t node = std::get<1>(heap_.back());
    heap_.pop_back();
    return node;
  }

 private:
  Array<Reached> reached_;  // by node; cost is `unreached` if the search has not reached it
  Array<std::tuple<double, std::uint32_t>> heap_;
};

/// The path by which a side reached a node, from that node back to where the search began.
struct Trail {
  std::vector<std::uint32_t> nodes;
  std::vector<std::uint64_t> relationships;
  std::vector<double> weights;
};

/// Follows the links of `reached` back from a node.
Trail trail_to(const SearchSide& side, std::uint32_t node) {
  Trail trail;
  trail.nodes.push_back(node);
  for (; side.at(node).from != SearchSide::none; node = side.at(node).from) {
    trail.relationships.push_back(side.at(node).relationship);
    trail.weights.push_back(side.at(node).weight);
    trail.nodes.push_back(side.at(node).from);
  }
  return trail;
}

void append(WeightedPath& path, std::uint32_t node, std::uint64_t relationship, double weight) {
  path.nodes.push_back(node);
  path.relationships.push_back(relationship);
  path.weights.push_back(weight);
  path.cost += weight;
}

/// Returns the path along `there` reversed, then along `back`. The last node of the first part is the first node of `back`.
/// Costs are summed from the beginning of the path, so that they do not depend on where the two sides met.
WeightedPath joined(const Trail& there, const Trail& back) {
  WeightedPath path;
  path.nodes.push_back(there.nodes.back());
  for (std::size_t i = there.relationships.size(); i-- > 0;)
    append(path, there.nodes[i], there.relationships[i], there.weights[i]);
  for (std::size_t i = 0; i < back.relationships.size(); ++i)
    append(path, back.nodes[i + 1], back.relationships[i], back.weights[i]);
  return path;
}

/// Bidirectional Dijkstra search.
class TwoSidedSearch {
 public:
  TwoSidedSearch(StepSource& graph, const ForbiddenParts& forbidden, Limits& limits)
      : graph_(graph),
        forbidden_(forbidden),
        sides_{SearchSide(limits), SearchSide(limits)},
        pace_(&limits) {}

  Result<FoundPath> run(std::uint32_t source, std::uint32_t target) {
    CAIRN_TRY(begin(sides_[0], source));
    CAIRN_TRY(begin(sides_[1], target));
    if (source == target) meeting_ = source;
    while (meeting_cost() > 0 && !sides_[0].is_done() && !sides_[1].is_done()) {
      if (sides_[0].least() + sides_[1].least() >= meeting_cost()) break;
      CAIRN_TRY(advance(sides_[0].least() <= sides_[1].least() ? 0 : 1));
    }
    if (meeting_ == SearchSide::none) return FoundPath();
    return FoundPath(joined(trail_to(sides_[0], meeting_), trail_to(sides_[1], meeting_)));
  }

 private:
  Status begin(SearchSide& side, std::uint32_t node) {
    CAIRN_TRY(make_room());
    side.at(node).cost = 0;
    return side.wait(node, 0);
  }
  /// Both sides grow together, as reach() looks up each node on the other side too.
  Status make_room() {
    for (SearchSide& side : sides_) CAIRN_TRY(side.make_room(graph_.size()));
    return {};
  }
  [[nodiscard]] double meeting_cost() const {
    return meeting_ == SearchSide::none ? SearchSide::unreached : meeting_cost_;
  }

  /// Settles the next node of a side and follows its steps.
  Status advance(std::size_t number) {
    SearchSide& side = sides_[number];
    const std::uint32_t node = side.take();
    if (std::exchange(side.at(node).is_settled, true)) return {};
    CAIRN_ASSIGN(const auto steps, graph_.steps(node, number == 0));
    CAIRN_TRY(make_room());
    for (const WeightedStep& step : steps)
      if (forbidden_.allow(step)) CAIRN_TRY(reach(number, node, step));
    return pace_.add(step_bytes * (1 + steps.size()));
  }

  /// Notes a step of a side if it is the cheapest one to its node, and the whole path if it is the cheapest one through both
  /// sides.
  Status reach(std::size_t number, std::uint32_t node, const WeightedStep& step) {
    SearchSide& side = sides_[number];
    const double cost = side.at(node).cost + step.weight;
    auto& reached = side.at(step.node);
    if (cost >= reached.cost) return {};
    reached = {cost, step.weight, step.relationship, node, false};
    const double whole = cost + sides_[1 - number].at(step.node).cost;
    if (whole < meeting_cost()) {
      meeting_ = step.node;
      meeting_cost_ = whole;
    }
    return side.wait(step.node, cost);
  }

  StepSource& graph_;
  const ForbiddenParts& forbidden_;
  SearchSide sides_[2];  // from the source, from the target
  // Where the best path changes from one side to the other.
  std::uint32_t meeting_ = SearchSide::none;
  double meeting_cost_ = 0;  // cost of the best path; valid once meeting_ is set
  Pace pace_;
};

}  // namespace

Result<FoundPath> shortest_path(StepSource& graph, std::uint32_t source, std::uint32_t target,
                                const ForbiddenParts& forbidden, Limits& limits) {
  return TwoSidedSearch(graph, forbidden, limits).run(source, target);
}

// A node is queued again whenever its cost falls, even if it was settled: inconsistent estimates can make that happen.
Result<FoundPath> guided_path(StepSource& graph, std::uint32_t source, std::uint32_t target,
                              const RemainingCost& remaining, Limits& limits) {
  SearchSide side(limits);
  Pace pace(&limits);
  CAIRN_TRY(side.make_room(graph.size()));
  side.at(source).cost = 0;
  CAIRN_TRY(side.wait(source, 0));
  while (!side.is_done()) {
    const std::uint32_t node = side.take();
    if (node == target) return FoundPath(joined(trail_to(side, node), {{node}, {}, {}}));
    if (std::exchange(side.at(node).is_settled, true)) continue;
    CAIRN_ASSIGN(const auto steps, graph.steps(node, true));
    CAIRN_TRY(side.make_room(graph.size()));
    for (const WeightedStep& step : steps) {
      const double cost = side.at(node).cost + step.weight;
      if (cost >= side.at(step.node).cost) continue;
      side.at(step.node) = {cost, step.weight, step.relationship, node, false};
      CAIRN_ASSIGN(const double left, remaining(step.node));
      CAIRN_TRY(side.wait(step.node, cost + left));
    }
    CAIRN_TRY(pace.add(step_bytes * (1 + steps.size())));
  }
  return FoundPath();
}

namespace {

/// The order of the result: by cost, then by the number of steps, then by the ids of the relationships.
bool comes_before(const WeightedPath& a, const WeightedPath& b) {
  if (a.cost != b.cost) return a.cost < b.cost;
  if (a.relationships.size() != b.relationships.size())
    return a.relationships.size() < b.relationships.size();
  return a.relationships < b.relationships;
}

struct PathOrder {
  bool operator()(const WeightedPath& a, const WeightedPath& b) const { return comes_before(a, b); }
};

/// Yen's algorithm. `found_` has the shortest paths so far, `candidates_` the paths that branch off them.
class YenSearch {
 public:
  YenSearch(StepSource& graph, std::uint32_t target, Limits& limits)
      : graph_(graph), target_(target), limits_(limits) {}
  ~YenSearch() { limits_.release(charged_); }

  Result<std::vector<WeightedPath>> run(std::uint32_t source, std::size_t count) {
    CAIRN_ASSIGN(auto first, shortest_path(graph_, source, target_, {}, limits_));
    if (first && count > 0) CAIRN_TRY(keep(*std::move(first)));
    while (found_.size() < count && !candidates_.empty()) {
      auto next = candidates_.extract(candidates_.begin());
      CAIRN_TRY(keep(std::move(next.value())));
    }
    return std::move(found_);
  }

 private:
  /// Adds a path to the result. For each of its nodes finds the shortest path that leaves it there, as a candidate.
  Status keep(WeightedPath path) {
    found_.push_back(std::move(path));
    const std::size_t steps = found_.back().relationships.size();
    ForbiddenParts forbidden;
    for (std::size_t i = 0; i < steps; ++i) {
      forbidden.relationships = taken_after(i);
      CAIRN_TRY(branch(i, forbidden));
      forbidden.nodes.insert(found_.back().nodes[i]);
    }
    return {};
  }

  /// Returns the next relationships of all found paths that share the first `length` relationships of the last one. A branch
  /// must avoid them, so that it is a new path.
  [[nodiscard]] std::set<std::uint64_t> taken_after(std::size_t length) const {
    std::set<std::uint64_t> taken;
    const auto& own = found_.back().relationships;
    for (const WeightedPath& path : found_) {
      const auto& other = path.relationships;
      if (other.size() > length &&
          std::equal(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(length), other.begin()))
        taken.insert(other[length]);
    }
    return taken;
  }

  /// Adds the candidate that follows the last path for `length` relationships and then a shortest path to the target.
  Status branch(std::size_t length, const ForbiddenParts& forbidden) {
    CAIRN_TRY(limits_.step(1 + found_.size()));
    WeightedPath path;
    const WeightedPath& own = found_.back();
    CAIRN_ASSIGN(const auto rest,
                 shortest_path(graph_, own.nodes[length], target_, forbidden, limits_));
    if (!rest) return {};
    const auto end = static_cast<std::ptrdiff_t>(length);
    path.nodes.assign(own.nodes.begin(), own.nodes.begin() + end + 1);
    path.relationships.assign(own.relationships.begin(), own.relationships.begin() + end);
    path.weights.assign(own.weights.begin(), own.weights.begin() + end);
    path.cost = std::accumulate(path.weights.begin(), path.weights.end(), 0.0);
    for (std::size_t i = 0; i < rest->relationships.size(); ++i)
      append(path, rest->nodes[i + 1], rest->relationships[i], rest->weights[i]);
    const std::size_t bytes = sizeof(WeightedPath) + 24 * path.nodes.size() + 64;
    CAIRN_TRY(limits_.charge(bytes));
    charged_ += bytes;
    candidates_.insert(std::move(path));
    return {};
  }

  StepSource& graph_;
  std::uint32_t target_;
  Limits& limits_;
  std::vector<WeightedPath> found_;
  std::set<WeightedPath, PathOrder> candidates_;  // each once, best first
  std::size_t charged_ = 0;                       // bytes of candidates, charged to limits_
};

}  // namespace

Result<std::vector<WeightedPath>> shortest_paths(StepSource& graph, std::uint32_t source,
                                                 std::uint32_t target, std::size_t count,
                                                 Limits& limits) {
  return YenSearch(graph, target, limits).run(source, count);
}

}  // namespace cairn::engine
