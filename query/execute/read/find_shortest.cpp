// Finds shortest paths between two bound nodes by a breadth-first search, level by level. Each node stores the steps by
// which it was reached at its least distance. Following these steps back from the end gives all shortest paths. One
// arrival per node is held in memory and charged. With allShortestPaths or with conditions on the path, each further
// arrival is too.
//
// Without conditions, the search is bidirectional: the next level is expanded around the end if that reads fewer
// relationships than the next level around the start. If adjacency lists are not in memory, the number of nodes
// decides. Once both sides meet, the search visits only nodes that are on a shortest path. So the paths and their order
// do not depend on the side. Cost: the relationships of the nodes within about half of the distance; with conditions,
// of all nodes that are nearer than the end.
//
// Conditions on every relationship or node are checked during the search (PathTests). Other
// conditions are checked on every shortest path. If all shortest paths fail, longer paths are tried
// level by level, because openCypher requires the shortest path that passes. In the worst case this
// visits every path without a repeated relationship. All memory is charged.

#include "engine/segment/adjacency_segment.hpp"
#include "query/execute/read/operators.hpp"
#include "query/execute/read/path_steps.hpp"
#include "query/execute/read/path_tests.hpp"
#include "query/execute/row_batch.hpp"
#include "query/plan/operator_content.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

namespace cairn::query {
namespace {

engine::Direction opposite(engine::Direction direction) {
  using enum engine::Direction;
  return direction == both ? both : direction == outgoing ? incoming : outgoing;
}

class FindShortestOperator final : public FanOutOperator {
 public:
  /// Without `*`, the pattern is one hop, as in MATCH.
  FindShortestOperator(const FindShortest& content, Parts parts)
      : FanOutOperator(parts.context, std::move(parts.input), parts.width),
        content_(content),
        walk_(content.walk),
        filter_(parts.context.graph, content.walk),
        tests_(parts.context.evaluator, parts.context.graph, content),
        held_(parts.context.budget) {
    const auto& hops = walk_.pattern->hops;
    least_ = hops ? hops->least : 1;
    most_ = hops ? hops->most.value_or(std::numeric_limits<std::uint64_t>::max()) : 1;
  }

 protected:
  /// All paths between the two nodes are found before the first is returned.
  Status begin(Row row) override {
    clear();
    if (least_ > 1)
      return Error{ErrorCode::unsupported,
                   "the least length of a shortest path must be 0 or 1, got " +
                       std::to_string(least_) +
                       "; write the condition on length(path) in WHERE instead",
                   std::nullopt};
    CAIRN_TRY(filter_.refresh());
    CAIRN_ASSIGN(const auto from, node_in(row, walk_.from, walk_.from_name));
    CAIRN_ASSIGN(const auto to, node_in(row, walk_.to, walk_.to_name));
    if (!from || !to || !filter_.may_start_at(*from)) return {};
    from_ = *from;
    CAIRN_ASSIGN(const bool may_begin, tests_.admit_node(*from, row));
    if (!may_begin) return {};
    // Only a path of length 0 leads from a node to itself.
    if (*from == *to) return least_ == 0 ? keep({}, row) : Status();
    CAIRN_TRY(search(*from, *to, row));
    if (!reached_.contains(*to)) return {};
    CAIRN_TRY(trace(*to, row));
    return is_done() || !tests_.are_any() ? Status() : search_longer(*to, row);
  }

  /// The search starts at the end that was bound first, so its paths may run against the pattern.
  Result<bool> emit(Row row, RowBatch& out) override {
    for (; next_ < found_.size() && !out.full(); ++next_) {
      CAIRN_ASSIGN(const Row made, out.append(row));
      CAIRN_TRY(out.put(made[walk_.pattern->slot], in_pattern_order(found_[next_])));
    }
    return next_ < found_.size();
  }

 private:
  // How a node was first reached: its distance, and all steps that reach it at this distance.
  struct Arrival {
    std::uint64_t distance = 0;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> by;  // previous node, relationship
  };
  // The last step of a longer path, and the index of the trail before it.
  struct Trail {
    std::uint64_t node = 0;
    std::uint64_t relationship = 0;
    std::size_t before = 0;
  };
  using Steps = std::vector<Relationship>;
  static constexpr std::size_t arrival_bytes = 96;
  static constexpr std::size_t back_bytes = 48;

  void clear() {
    reached_.clear();
    back_.clear();
    last_back_.clear();
    levels_back_ = 0;
    whole_.reset();
    trails_ = {};
    found_ = {};
    held_.clear();
    next_ = 0;
  }

  /// Charges one more element of a list that doubles when it is full.
  template <class T>
  Status charge_next(const std::vector<T>& list) {
    if (list.size() < list.capacity()) return {};
    const std::size_t bytes = list.capacity() * sizeof(T);
    return held_.grow(bytes, std::max(2 * bytes, sizeof(T)));
  }

  /// True if a path was found. Then only paths of the same length are still wanted.
  [[nodiscard]] bool is_done() const { return !found_.empty(); }

  [[nodiscard]] List in_pattern_order(const Steps& steps) const {
    List list(steps.begin(), steps.end());
    if (walk_.reversed) std::reverse(list.begin(), list.end());
    return list;
  }

  // Searches level by level until the end is reached. The last level is completed.
  Status search(std::uint64_t from, std::uint64_t to, Row row) {
    if (!filter_.can_match() || !filter_.sees_node(to)) return {};
    reached_[from] = {};
    back_[to] = 0;
    last_back_ = {to};
    std::vector<std::uint64_t> level{from};
    for (std::uint64_t distance = 1; distance <= most_ && !level.empty(); ++distance) {
      if (is_two_sided()) CAIRN_TRY(search_back(level, distance - 1));
      std::vector<std::uint64_t> next;
      for (std::uint64_t node : level) CAIRN_TRY(visit(node, distance, row, next));
      if (reached_.contains(to)) return {};
      level = std::move(next);
      if (is_two_sided()) meet(level, distance);
    }
    return {};
  }

  [[nodiscard]] bool is_two_sided() const { return !tests_.has_step_tests(); }

  /// Finds further levels around the end while each is cheaper than the next level around the start. `level` is the
  /// last level around the start, at the distance `reached`. Empties `level` if there is no path, and keeps only nodes
  /// on paths once both sides have met.
  Status search_back(std::vector<std::uint64_t>& level, std::uint64_t reached) {
    while (!whole_ && !last_back_.empty() && reached + levels_back_ < most_ &&
           is_back_cheaper(level)) {
      ++levels_back_;
      std::vector<std::uint64_t> next;
      for (const std::uint64_t node : last_back_) CAIRN_TRY(visit_back(node, next));
      last_back_ = std::move(next);
      if (std::ranges::any_of(last_back_, [&](auto node) { return reached_.contains(node); }))
        whole_ = reached + levels_back_;
    }
    if (!whole_ && (last_back_.empty() || reached + levels_back_ >= most_)) level.clear();
    std::erase_if(level, [&](std::uint64_t node) { return !is_on_the_way(node, reached); });
    return {};
  }

  [[nodiscard]] bool is_back_cheaper(const std::vector<std::uint64_t>& level) {
    const auto back = count_listed(last_back_, opposite(filter_.direction()));
    const auto front = count_listed(level, filter_.direction());
    return back && front ? *back < *front : last_back_.size() < level.size();
  }

  /// The number of relationships of these nodes; empty if some are not in memory.
  [[nodiscard]] std::optional<std::uint64_t> count_listed(const std::vector<std::uint64_t>& nodes,
                                                          engine::Direction direction) {
    std::uint64_t count = 0;
    for (const bool outgoing : {true, false}) {
      const auto unread = outgoing ? engine::Direction::incoming : engine::Direction::outgoing;
      if (direction == unread) continue;
      const engine::AdjacencyView& view = graph().adjacency(outgoing);
      for (const std::uint64_t node : nodes) {
        if (!view || !view.knows(node)) return std::nullopt;
        for (const std::uint32_t type :
             filter_.types().empty() ? view.segment->types() : filter_.types())
          count += view.segment->list(node, type).size();
      }
    }
    return count;
  }

  // Makes one step of the search from the target, against the direction of the pattern.
  Status visit_back(std::uint64_t node, std::vector<std::uint64_t>& next) {
    CAIRN_TRY(expand(node, opposite(filter_.direction())));
    for (const engine::Adjacent& step : steps_) {
      if (!filter_.sees(step) || !back_.try_emplace(step.other, levels_back_).second) continue;
      next.push_back(step.other);
      CAIRN_TRY(held_.add_bytes(back_bytes));
    }
    return {};
  }

  /// Sets `whole_` if a new level around the start meets the last level around the end.
  void meet(const std::vector<std::uint64_t>& level, std::uint64_t distance) {
    if (!whole_ && std::ranges::any_of(level, [&](auto node) { return back_.contains(node); }))
      whole_ = distance + levels_back_;
  }

  /// False if it is known that no shortest path has the node at this distance.
  [[nodiscard]] bool is_on_the_way(std::uint64_t node, std::uint64_t distance) const {
    if (!whole_ || distance + levels_back_ < *whole_) return true;
    const auto found = back_.find(node);
    return found != back_.end() && distance + found->second == *whole_;
  }

  /// A further arrival at the same distance is another shortest path. The arrival is recorded only if all shortest
  /// paths are wanted.
  Status visit(std::uint64_t node, std::uint64_t distance, Row row,
               std::vector<std::uint64_t>& next) {
    CAIRN_TRY(expand(node, filter_.direction()));
    for (const engine::Adjacent& step : steps_) {
      if (!is_on_the_way(step.other, distance)) continue;
      CAIRN_ASSIGN(const bool is_admitted, admits(step, row));
      if (!is_admitted) continue;
      const auto [arrival, is_first] = reached_.try_emplace(step.other, Arrival{distance, {}});
      if (arrival->second.distance != distance) continue;
      if (is_first) next.push_back(step.other);
      // With conditions, any of the arrivals may be the one that passes.
      if (!is_first && !content_.all && !tests_.are_any()) continue;
      arrival->second.by.emplace_back(node, step.relationship);
      CAIRN_TRY(held_.add_bytes(arrival_bytes));
    }
    return {};
  }

  Status expand(std::uint64_t node, engine::Direction direction) {
    steps_.clear();
    CAIRN_TRY(graph().expand(node, direction, filter_.types(), steps_));
    own_meter().ids_touched += steps_.size();
    return budget().step(steps_.size() + 1);
  }

  /// Checks visibility first, because conditions must not be evaluated on invisible entities.
  Result<bool> admits(const engine::Adjacent& step, Row row) {
    if (!filter_.sees(step)) return false;
    return tests_.admit(step, row);
  }

  // Extends all paths from the start, level by level. Paths of the shortest length have already
  // failed the conditions.
  Status search_longer(std::uint64_t to, Row row) {
    const std::uint64_t refused = reached_.at(to).distance;
    CAIRN_ASSIGN(const std::uint64_t most, tests_.most_steps(most_, row));
    if (most <= refused) return {};
    trails_.push_back({from_, 0, 0});
    std::size_t begin = 0;
    for (std::uint64_t distance = 1; distance <= most && begin < trails_.size(); ++distance) {
      const std::size_t end = trails_.size();
      for (; begin < end; ++begin) CAIRN_TRY(go_on(begin, row));
      for (std::size_t i = end; i < trails_.size() && distance > refused; ++i) {
        if (trails_[i].node != to) continue;
        CAIRN_TRY(keep(steps_back(i), row));
        if (is_done() && !content_.all) return {};
      }
      if (is_done()) return {};
    }
    return {};
  }

  // Extends one path by each relationship that it does not have yet.
  Status go_on(std::size_t trail, Row row) {
    CAIRN_TRY(expand(trails_[trail].node, filter_.direction()));
    for (const engine::Adjacent& step : steps_) {
      if (is_on(trail, step.relationship)) continue;
      CAIRN_ASSIGN(const bool is_admitted, admits(step, row));
      if (!is_admitted) continue;
      CAIRN_TRY(charge_next(trails_));
      trails_.push_back({step.other, step.relationship, trail});
    }
    return {};
  }

  /// The first trail has no steps.
  [[nodiscard]] bool is_on(std::size_t trail, std::uint64_t relationship) const {
    for (; trail != 0; trail = trails_[trail].before)
      if (trails_[trail].relationship == relationship) return true;
    return false;
  }

  // Follows the trails back to the start, so the result is in reverse order.
  [[nodiscard]] Steps steps_back(std::size_t trail) const {
    Steps backwards;
    for (; trail != 0; trail = trails_[trail].before)
      backwards.push_back(Relationship(RelationshipId{trails_[trail].relationship}));
    return backwards;
  }

  // Follows all ways back from `to`, depth first, with a position per level. Distances decrease by
  // one with each step, so every way ends at the start.
  Status trace(std::uint64_t to, Row row) {
    std::vector<std::pair<const Arrival*, std::size_t>> levels{{&reached_.at(to), 0}};
    Steps backwards;
    while (!levels.empty()) {
      auto& [arrival, next] = levels.back();
      if (next == arrival->by.size()) {
        levels.pop_back();
        if (!backwards.empty()) backwards.pop_back();
        continue;
      }
      const auto [node, relationship] = arrival->by[next++];
      backwards.push_back(Relationship(RelationshipId{relationship}));
      if (node != from_) {
        levels.emplace_back(&reached_.at(node), 0);
        continue;
      }
      CAIRN_TRY(keep(backwards, row));
      backwards.pop_back();
      if (is_done() && !content_.all) return {};
    }
    return {};
  }

  /// Paths are found backwards from the end. If a path passes, it is stored in forward order.
  Status keep(const Steps& backwards, Row row) {
    Steps steps(backwards.rbegin(), backwards.rend());
    CAIRN_TRY(budget().step(steps.size()));
    CAIRN_ASSIGN(const bool passes, tests_.hold(in_pattern_order(steps), row));
    if (!passes) return {};
    CAIRN_TRY(charge_next(found_));
    CAIRN_TRY(held_.add_bytes(steps.capacity() * sizeof(Relationship)));
    found_.push_back(std::move(steps));
    return {};
  }

  const FindShortest& content_;
  const Walk& walk_;
  StepFilter filter_;
  std::uint64_t least_;
  std::uint64_t most_;
  PathTests tests_;
  std::uint64_t from_ = 0;
  std::unordered_map<std::uint64_t, Arrival> reached_;
  std::unordered_map<std::uint64_t, std::uint64_t> back_;  // distances to the end of near nodes
  std::vector<std::uint64_t> last_back_;                   // the farthest of these nodes
  std::uint64_t levels_back_ = 0;                          // the distance of last_back_ to the end
  std::optional<std::uint64_t> whole_;  // the length of a shortest path, once both sides met
  std::vector<Trail> trails_;
  std::vector<engine::Adjacent> steps_;
  std::vector<Steps> found_;
  std::size_t next_ = 0;
  Holding held_;
};

}  // namespace

OperatorPtr make_operator(const FindShortest& content, Parts parts) {
  if (content.path->is_selected) return make_select_operator(content, std::move(parts));
  return std::make_unique<FindShortestOperator>(content, std::move(parts));
}

}  // namespace cairn::query
