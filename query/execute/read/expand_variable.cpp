// Finds variable-length paths depth first. No path has a relationship twice. The walk retains its
// state between batches, so even an unlimited number of paths needs little memory.
// (a)-[*least..most]->(b). Each path becomes a row as soon as it is reached. Without an upper bound
// there is a path for each walk without a repeated relationship (openCypher's trail semantics), so
// an early LIMIT matters. The adjacency list of each node on the current path is held in memory and
// charged. A breadth-first search would hold all paths of one length.

#include "query/execute/read/operators.hpp"
#include "query/execute/read/path_steps.hpp"

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

class ExpandVariableOperator final : public FanOutOperator {
 public:
  /// `*` without an upper bound has no limit: the walk ends because no path uses a relationship
  /// twice.
  ExpandVariableOperator(const ExpandVariable& content, Parts parts)
      : FanOutOperator(parts.context, std::move(parts.input), parts.width),
        walk_(content.walk),
        content_(content),
        filter_(parts.context.graph, content.walk),
        least_(content.walk.pattern->hops->least),
        most_(
            content.walk.pattern->hops->most.value_or(std::numeric_limits<std::uint64_t>::max())) {
    held_ = Holding(parts.context.budget);
    for (const ExpressionPtr& condition : walk_.pattern->each) each_.push_back(condition.get());
  }

 protected:
  /// A path without relationships comes first. Such a path ends at its start, regardless of the
  /// types.
  Status begin(Row row) override {
    clear();
    CAIRN_TRY(filter_.refresh());
    CAIRN_ASSIGN(const auto from, node_in(row, walk_.from, walk_.from_name));
    if (!from || !filter_.may_start_at(*from)) return {};
    // No path leads to null, so nothing is searched.
    if (walk_.to_is_bound && walk_.from != walk_.to) {
      CAIRN_ASSIGN(const auto to, node_in(row, walk_.to, walk_.to_name));
      if (!to) return {};
    }
    CAIRN_ASSIGN(const bool may_begin,
                 pass(evaluator(), content_.nodes, Value(Node(NodeId{*from})), row));
    if (!may_begin) return {};
    start_ = *from;
    gives_start_ = least_ == 0;
    return most_ == 0 || !filter_.can_match() ? Status() : descend(*from);
  }

  /// Only the current path is held, with the remaining relationships of each node on it. So the
  /// walk can stop anywhere when the batch is full.
  Result<bool> emit(Row row, RowBatch& out) override {
    if (gives_start_) {
      gives_start_ = false;
      CAIRN_TRY(give(start_, row, out));
    }
    while (!levels_.empty() && !out.full()) CAIRN_TRY(advance(row, out));
    return !levels_.empty();
  }

 private:
  // The relationships of a node on the path, and the number of relationships that were tried.
  struct Level {
    std::vector<engine::Adjacent> steps;
    std::size_t next = 0;
  };

  // Bytes of a level and of the step that led to it. Two containers have this step.
  static constexpr std::size_t level_bytes = 2 * (sizeof(Level) + sizeof(engine::Adjacent)) + 64;

  void clear() {
    levels_.clear();
    path_.clear();
    taken_.clear();
    held_.clear();
    gives_start_ = false;
  }

  static constexpr std::size_t list_bytes = 64;  // list without its elements
  static constexpr std::size_t long_path = 64;

  static std::size_t bytes_of(const Level& level) {
    return level_bytes + level.steps.capacity() * sizeof(engine::Adjacent);
  }

  /// Opens a node. advance() does not open nodes at the end of a path of maximal length.
  Status descend(std::uint64_t node) {
    Level level;
    CAIRN_TRY(graph().expand(node, filter_.direction(), filter_.types(), level.steps));
    own_meter().ids_touched += level.steps.size();
    CAIRN_TRY(held_.add_bytes(bytes_of(level)));
    levels_.push_back(std::move(level));
    return {};
  }

  /// Goes back over the relationship that led to this level. Another path may use this relationship
  /// again.
  void ascend() {
    held_.give_back(bytes_of(levels_.back()));
    levels_.pop_back();
    leave();
  }

  void leave() {
    if (path_.empty()) return;
    taken_.erase(path_.back().relationship);
    path_.pop_back();
  }

  // Goes one relationship further, or back if the node has no more relationships. A path is
  // returned before it is extended, so short paths come first.
  Status advance(Row row, RowBatch& out) {
    Level& level = levels_.back();
    if (level.next == level.steps.size()) {
      ascend();
      return {};
    }
    const engine::Adjacent step = level.steps[level.next++];
    CAIRN_TRY(budget().step());
    CAIRN_ASSIGN(const bool is_admitted, admits(step, row));
    if (!is_admitted) return {};
    path_.push_back(step);
    taken_.insert(step.relationship);
    if (path_.size() >= least_) CAIRN_TRY(give(step.other, row, out));
    if (path_.size() < most_) return descend(step.other);
    leave();
    return {};
  }

  // Checks conditions on each relationship here, which cuts off whole branches. The conditions read
  // the relationship in a slot of the input row.
  Result<bool> admits(const engine::Adjacent& step, Row row) {
    if (!filter_.sees(step) || taken_.contains(step.relationship) ||
        !filter_.is_new(step.relationship, row))
      return false;
    const Value relationship = Relationship(RelationshipId{step.relationship});
    if (!each_.empty()) {
      row[walk_.pattern->element_slot] = relationship;
      CAIRN_ASSIGN(const bool holds, evaluator().all_hold(each_, row));
      if (!holds) return false;
    }
    CAIRN_ASSIGN(const bool passes, pass(evaluator(), content_.relationships, relationship, row));
    if (!passes) return false;
    return pass(evaluator(), content_.nodes, Value(Node(NodeId{step.other})), row);
  }

  // Returns one row for the current path if it ends at the right node. A bound end or a bound list
  // does not direct the walk, but only decides which paths are returned.
  Status give(std::uint64_t end, Row row, RowBatch& out) {
    const Value end_node = Node(NodeId{end});
    const bool must_end_here = walk_.from == walk_.to || walk_.to_is_bound;
    if (must_end_here && !(row[walk_.to] == end_node)) return {};
    const std::size_t bytes = list_bytes + path_.size() * sizeof(Value);
    if (path_.size() >= long_path) CAIRN_TRY(budget().check_room(bytes));
    const Value relationships = path_list();
    if (walk_.pattern->is_bound && !(row[walk_.pattern->slot] == relationships)) return {};
    CAIRN_TRY(out.hold(bytes));
    CAIRN_ASSIGN(const Row made, out.append(row));
    made[walk_.pattern->slot] = relationships;
    made[walk_.to] = end_node;
    return {};
  }

  /// Returns the relationships in the order of the pattern, from its left end.
  Value path_list() const {
    List list;
    list.reserve(path_.size());
    for (const engine::Adjacent& step : path_)
      list.push_back(Relationship(RelationshipId{step.relationship}));
    if (walk_.reversed) std::reverse(list.begin(), list.end());
    return list;
  }

  const Walk& walk_;
  const ExpandVariable& content_;
  StepFilter filter_;
  std::uint64_t least_;
  std::uint64_t most_;
  std::vector<const Expression*> each_;
  std::uint64_t start_ = 0;
  bool gives_start_ = false;
  std::vector<Level> levels_;  // one more than path_, unless empty
  std::vector<engine::Adjacent> path_;
  std::unordered_set<std::uint64_t> taken_;
  Holding held_;  // for levels_, path_ and taken_
};

}  // namespace

OperatorPtr make_operator(const ExpandVariable& content, Parts parts) {
  if (content.ends_only) return make_reach_operator(content, std::move(parts));
  return std::make_unique<ExpandVariableOperator>(content, std::move(parts));
}

}  // namespace cairn::query
