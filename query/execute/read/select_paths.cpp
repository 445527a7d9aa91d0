// Selects the shortest paths between two bound nodes: SHORTEST k and SHORTEST k GROUPS. Unlike the paths of
// shortestPath(), these may visit a node twice and may return to their start. No path uses a relationship twice. Only
// paths that meet the conditions of the pattern are selected.
//
// A* over paths: the next path to be extended has the least sum of its length and its distance to the end. A
// breadth-first search from the end computes the distances, only as far as the paths need them. So complete paths are
// found in the order of their lengths, and paths that cannot be completed within the length of the last one are never
// extended.
// Cost: the relationships of the nodes of all extended paths. All memory is charged.

#include "engine/view/view.hpp"
#include "query/execute/holding.hpp"
#include "query/execute/read/operators.hpp"
#include "query/execute/read/path_steps.hpp"
#include "query/execute/read/path_tests.hpp"
#include "query/execute/row_batch.hpp"
#include "query/plan/operator_content.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

engine::Direction opposite(engine::Direction direction) {
  if (direction == engine::Direction::both) return direction;
  return direction == engine::Direction::outgoing ? engine::Direction::incoming
                                                  : engine::Direction::outgoing;
}

/// The distance from each node to the end of the paths, as far as it is known.
struct Distances {
  std::unordered_map<std::uint64_t, std::uint64_t> of;
  std::vector<std::uint64_t> level;  ///< the nodes at the distance `depth`
  std::uint64_t depth = 0;           ///< all nodes up to this distance are known

  /// Returns a lower bound for the distance, or nullopt if no path leads to the end.
  [[nodiscard]] std::optional<std::uint64_t> least(std::uint64_t node) const {
    if (const auto found = of.find(node); found != of.end()) return found->second;
    return level.empty() ? std::nullopt : std::optional(depth + 1);
  }
};

class SelectPathsOperator final : public FanOutOperator {
 public:
  SelectPathsOperator(const FindShortest& content, Parts parts)
      : FanOutOperator(parts.context, std::move(parts.input), parts.width),
        content_(content),
        walk_(content.walk),
        filter_(parts.context.graph, content.walk),
        tests_(parts.context.evaluator, parts.context.graph, content),
        held_(parts.context.budget) {}

 protected:
  /// All paths between the two nodes are selected before the first is returned.
  Status begin(Row row) override {
    clear();
    CAIRN_TRY(filter_.refresh());
    CAIRN_ASSIGN(const auto from, node_in(row, walk_.from, walk_.from_name));
    CAIRN_ASSIGN(const auto to, node_in(row, walk_.to, walk_.to_name));
    if (!from || !to || !filter_.may_start_at(*from) || !filter_.may_start_at(*to)) return {};
    CAIRN_ASSIGN(const bool may_begin, tests_.admit_node(*from, row));
    CAIRN_ASSIGN(const bool may_end, tests_.admit_node(*to, row));
    if (!may_begin || !may_end) return {};
    const std::uint64_t most =
        walk_.pattern->hops->most.value_or(std::numeric_limits<std::uint64_t>::max());
    CAIRN_ASSIGN(most_, tests_.most_steps(most, row));
    return search(*from, *to, row);
  }

  /// The search starts at the end that was bound first, so its paths may run against the pattern.
  Result<bool> emit(Row row, RowBatch& out) override {
    for (; next_ < found_.size() && !out.full(); ++next_) {
      CAIRN_ASSIGN(const Row made, out.append(row));
      CAIRN_TRY(out.put(made[walk_.pattern->slot], found_[next_]));
    }
    return next_ < found_.size();
  }

 private:
  /// The last step of a path, and the index of the path without this step. The first trail has no step.
  struct Trail {
    std::uint64_t node = 0;
    std::uint64_t relationship = 0;
    std::size_t before = 0;
    std::uint64_t length = 0;
  };
  static constexpr std::size_t distance_bytes = 64;
  static constexpr std::size_t trail_bytes = 2 * (sizeof(Trail) + sizeof(std::size_t));

  void clear() {
    distances_ = {};
    trails_ = {};
    waiting_.clear();
    found_ = {};
    lengths_ = 0;
    held_.clear();
    next_ = 0;
  }

  // Takes the waiting paths in the order of the least length of their completions.
  Status search(std::uint64_t from, std::uint64_t to, Row row) {
    end_ = to;
    distances_.of[to] = 0;
    distances_.level = {to};
    CAIRN_TRY(add({from, 0, 0, 0}));
    while (!waiting_.empty()) {
      const auto first = waiting_.begin();
      const std::uint64_t length = first->first;
      if (length > most_ || is_done(length)) return {};
      if (first->second.empty()) {
        waiting_.erase(first);
        continue;
      }
      const std::size_t trail = first->second.back();
      first->second.pop_back();
      CAIRN_TRY(visit(trail, length, row));
    }
    return {};
  }

  /// True if no path of this length, or of a greater one, is wanted.
  [[nodiscard]] bool is_done(std::uint64_t length) const {
    if (!content_.all) return found_.size() >= content_.path->count;
    return lengths_ >= content_.path->count && length > last_length_;
  }

  /// The least length of a complete path that starts with this many steps, with at least `rest` steps left to the end.
  /// Of paths with equal least lengths, the last one is extended first, so that a large least length of the pattern is
  /// reached soon.
  [[nodiscard]] std::uint64_t least_length(std::uint64_t steps, std::uint64_t rest) const {
    return std::max<std::uint64_t>(steps + rest, walk_.pattern->hops->least);
  }

  /// Adds a path to the waiting ones, unless no path leads on to the end.
  Status add(Trail trail) {
    const auto rest = distances_.least(trail.node);
    if (!rest) return {};
    CAIRN_TRY(held_.add_bytes(trail_bytes));
    waiting_[least_length(trail.length, *rest)].push_back(trails_.size());
    trails_.push_back(trail);
    return {};
  }

  // `length` is the least length of the complete path. If the path turns out to need more steps, it waits again.
  Status visit(std::size_t trail, std::uint64_t length, Row row) {
    const Trail one = trails_[trail];
    CAIRN_TRY(budget().step());
    CAIRN_TRY(look_back(one.node, length - one.length, row));
    const auto rest = distances_.least(one.node);
    if (!rest) return {};
    if (const std::uint64_t least = least_length(one.length, *rest); least > length) {
      waiting_[least].push_back(trail);
      return {};
    }
    if (one.node == end_ && one.length >= walk_.pattern->hops->least) {
      CAIRN_TRY(keep(trail, row));
      if (is_done(length)) return {};
    }
    return one.length < most_ ? extend(trail, row) : Status();
  }

  // Extends a path by each relationship that it does not have yet.
  Status extend(std::size_t trail, Row row) {
    const Trail one = trails_[trail];
    CAIRN_TRY(expand(one.node, filter_.direction()));
    for (const engine::Adjacent& step : steps_) {
      if (!filter_.sees(step) || !distances_.least(step.other)) continue;
      CAIRN_ASSIGN(const bool is_on, has(trail, step.relationship));
      if (is_on) continue;
      CAIRN_ASSIGN(const bool is_admitted, tests_.admit(step, row));
      if (is_admitted) CAIRN_TRY(add({step.other, step.relationship, trail, one.length + 1}));
    }
    return {};
  }

  // Finds all nodes up to this distance from the end. Stops early once `wanted` is found.
  Status look_back(std::uint64_t wanted, std::uint64_t distance, Row row) {
    while (distances_.depth < distance && !distances_.level.empty() &&
           !distances_.of.contains(wanted)) {
      std::vector<std::uint64_t> next;
      for (const std::uint64_t node : distances_.level) {
        CAIRN_TRY(expand(node, opposite(filter_.direction())));
        for (const engine::Adjacent& step : steps_) CAIRN_TRY(arrive(step, row, next));
      }
      distances_.level = std::move(next);
      ++distances_.depth;
    }
    return {};
  }

  Status arrive(const engine::Adjacent& step, Row row, std::vector<std::uint64_t>& next) {
    if (!filter_.sees(step) || distances_.of.contains(step.other)) return {};
    CAIRN_ASSIGN(const bool is_admitted, may_pass(step, row));
    if (!is_admitted) return {};
    CAIRN_TRY(held_.add_bytes(distance_bytes));
    distances_.of.emplace(step.other, distances_.depth + 1);
    next.push_back(step.other);
    return {};
  }

  // If the condition fails with an error, the step passes, because it may be on no path from the start. If the step is
  // on a path from the start, extend() reports the error.
  Result<bool> may_pass(const engine::Adjacent& step, Row row) {
    auto admitted = tests_.admit(step, row);
    if (!admitted && is_of_values(admitted.error())) return true;
    return admitted;
  }

  Status expand(std::uint64_t node, engine::Direction direction) {
    steps_.clear();
    if (!filter_.can_match()) return {};
    CAIRN_TRY(graph().expand(node, direction, filter_.types(), steps_));
    own_meter().ids_touched += steps_.size();
    return budget().step(steps_.size() + 1);
  }

  Result<bool> has(std::size_t trail, std::uint64_t relationship) {
    CAIRN_TRY(budget().step(trails_[trail].length));
    for (; trails_[trail].length > 0; trail = trails_[trail].before)
      if (trails_[trail].relationship == relationship) return true;
    return false;
  }

  // Follows the steps back to the start. If the path passes, it is selected.
  Status keep(std::size_t trail, Row row) {
    const std::uint64_t length = trails_[trail].length;
    List steps;
    for (; trails_[trail].length > 0; trail = trails_[trail].before)
      steps.emplace_back(Relationship(RelationshipId{trails_[trail].relationship}));
    if (!walk_.reversed) std::ranges::reverse(steps);
    CAIRN_TRY(budget().step(steps.size()));
    CAIRN_ASSIGN(const bool passes, tests_.hold(steps, row));
    if (!passes) return {};
    if (found_.empty() || length != last_length_) ++lengths_;
    last_length_ = length;
    CAIRN_TRY(held_.add_bytes(sizeof(Value)));
    found_.emplace_back(std::move(steps));
    return held_.add_one(found_.back());
  }

  const FindShortest& content_;
  const Walk& walk_;
  StepFilter filter_;
  PathTests tests_;
  std::uint64_t end_ = 0;
  std::uint64_t most_ = 0;
  Distances distances_;
  std::vector<Trail> trails_;
  /// The paths to extend, by the least length of their completions.
  std::map<std::uint64_t, std::vector<std::size_t>> waiting_;
  std::vector<engine::Adjacent> steps_;
  std::vector<Value> found_;
  std::uint64_t lengths_ = 0;      // number of different lengths of the paths found
  std::uint64_t last_length_ = 0;  // length of the last path found
  std::size_t next_ = 0;
  Holding held_;
};

}  // namespace

OperatorPtr make_select_operator(const FindShortest& content, Parts parts) {
  return std::make_unique<SelectPathsOperator>(content, std::move(parts));
}

}  // namespace cairn::query
