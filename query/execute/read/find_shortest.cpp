// Shortest paths between two bound nodes, breadth first. Each node keeps the steps by which it was
// reached at its least distance; walking them back from the end gives all shortest paths.
// A search from one side only, level by level: nodes reached on an earlier level are settled. Cost:
// the relationships of all nodes nearer than the end. Held in memory: one arrival for each node,
// and for allShortestPaths each further way, charged to the limit.
//
// Conditions on single relationships, [r* WHERE ...], hold during the search. Conditions of the
// MATCH are checked on what was found: there is no second search for a longer path that would pass
// them.

#include "query/execute/operators.hpp"
#include "query/execute/read/step_filter.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace cairn::query {
namespace {

class FindShortestOperator final : public FanOutOperator {
 public:
  /// Without `*` the pattern is one hop, as it is in MATCH.
  FindShortestOperator(const FindShortest& content, Parts parts)
      : FanOutOperator(parts.context, std::move(parts.input), parts.width),
        content_(content),
        walk_(content.walk),
        filter_(parts.context.graph, content.walk) {
    const auto& hops = walk_.pattern->hops;
    least_ = hops ? hops->least : 1;
    most_ = hops ? hops->most.value_or(std::numeric_limits<std::uint64_t>::max()) : 1;
    for (const ExpressionPtr& condition : walk_.pattern->each) each_.push_back(condition.get());
  }

 protected:
  /// All paths of a pair of nodes are found before the first is given.
  Status begin(Row row) override {
    clear();
    if (least_ > 1)
      return Error{ErrorCode::unsupported,
                   "shortest paths have a least length of 0 or 1; filter by length(path) instead",
                   std::nullopt};
    CAIRN_TRY(filter_.refresh());
    CAIRN_ASSIGN(const auto from, node_in(row, walk_.from, walk_.from_name));
    CAIRN_ASSIGN(const auto to, node_in(row, walk_.to, walk_.to_name));
    if (!from || !to) return {};
    from_ = *from;
    if (*from == *to) {
      // Only a path of no length leads from a node to itself.
      if (least_ == 0) found_.emplace_back();
      return {};
    }
    CAIRN_TRY(search(*from, *to, row));
    return reached_.contains(*to) ? trace(*to) : Status();
  }

  /// The search went from the end that was bound first, so its paths may run against the pattern.
  Result<bool> emit(Row row, RowBatch& out, std::size_t limit) override {
    for (; next_ < found_.size() && out.size() < limit; ++next_) {
      Row made = out.append(row);
      List list(found_[next_].begin(), found_[next_].end());
      if (walk_.reversed) std::reverse(list.begin(), list.end());
      made[walk_.pattern->slot] = std::move(list);
    }
    return next_ < found_.size();
  }

 private:
  // How a node was reached first: its distance and all steps of that length that lead to it.
  struct Arrival {
    std::uint64_t distance = 0;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> by;  // node before, relationship
  };
  using Steps = std::vector<Relationship>;
  static constexpr std::size_t arrival_bytes = 96;

  void clear() {
    budget().release(charged_);
    charged_ = 0;
    reached_.clear();
    found_.clear();
    next_ = 0;
  }

  Status charge(std::size_t bytes) {
    charged_ += bytes;
    return budget().charge(bytes);
  }

  // Level by level until the end is reached; the level it is reached on is finished.
  Status search(std::uint64_t from, std::uint64_t to, Row row) {
    if (!filter_.can_match()) return {};
    reached_[from] = {};
    std::vector<std::uint64_t> level{from};
    for (std::uint64_t distance = 1; distance <= most_ && !level.empty(); ++distance) {
      std::vector<std::uint64_t> next;
      for (std::uint64_t node : level) CAIRN_TRY(visit(node, distance, row, next));
      if (reached_.contains(to)) return {};
      level = std::move(next);
    }
    return {};
  }

  /// An arrival on the same level is one more shortest way, and kept only where all are wanted.
  Status visit(std::uint64_t node, std::uint64_t distance, Row row,
               std::vector<std::uint64_t>& next) {
    steps_.clear();
    CAIRN_TRY(graph().view().expand(node, filter_.direction(), filter_.types(), steps_));
    own_meter().ids_touched += steps_.size();
    CAIRN_TRY(budget().step(steps_.size() + 1));
    for (const engine::Adjacent& step : steps_) {
      CAIRN_ASSIGN(const bool is_admitted, admits(step, row));
      if (!is_admitted) continue;
      const auto [arrival, is_first] = reached_.try_emplace(step.other, Arrival{distance, {}});
      if (arrival->second.distance != distance) continue;
      if (is_first) next.push_back(step.other);
      if (!is_first && !content_.all) continue;
      arrival->second.by.emplace_back(node, step.relationship);
      CAIRN_TRY(charge(arrival_bytes));
    }
    return {};
  }

  /// Visibility before conditions: what may not be seen must not be evaluated either.
  Result<bool> admits(const engine::Adjacent& step, Row row) {
    if (!filter_.sees(step)) return false;
    if (each_.empty()) return true;
    row[walk_.pattern->element_slot] = Relationship(RelationshipId{step.relationship});
    return evaluator().all_hold(each_, row);
  }

  // All ways back from `to`, depth first with a place kept at each level.
  // The arrivals form a graph without cycles, distances falling by one, so that every way ends at
  // the start.
  Status trace(std::uint64_t to) {
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
      CAIRN_TRY(keep(backwards));
      backwards.pop_back();
      if (!content_.all) return {};
    }
    return {};
  }

  /// Paths are found from the end backwards and kept forwards.
  Status keep(const Steps& backwards) {
    found_.emplace_back(backwards.rbegin(), backwards.rend());
    CAIRN_TRY(budget().step(backwards.size()));
    return charge(sizeof(Steps) + backwards.size() * sizeof(Relationship));
  }

  const FindShortest& content_;
  const Walk& walk_;
  StepFilter filter_;
  std::uint64_t least_;
  std::uint64_t most_;
  std::vector<const Expression*> each_;
  std::uint64_t from_ = 0;
  std::unordered_map<std::uint64_t, Arrival> reached_;
  std::vector<engine::Adjacent> steps_;
  std::vector<Steps> found_;
  std::size_t next_ = 0;
  std::size_t charged_ = 0;
};

}  // namespace

OperatorPtr make_operator(const FindShortest& content, Parts parts) {
  return std::make_unique<FindShortestOperator>(content, std::move(parts));
}

}  // namespace cairn::query
