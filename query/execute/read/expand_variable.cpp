// Paths of a variable number of relationships, depth first, no relationship twice in a path. The
// walk keeps its place between batches, so that endless numbers of paths cost no memory.
// (a)-[*least..most]->(b). Each path is a row, given when it is reached; without an end of hops
// there may be as many as there are ways without repeating a relationship (openCypher's trail
// semantics), so that an early LIMIT matters. Held in memory: the adjacency of each node on the
// way, charged to the limit.
//
// Depth first, because breadth first would hold all paths of one length.

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
  /// `*` without an upper bound has none: the walk ends because no relationship is used twice on a
  /// path.
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
  /// A path of no hops is given first: it ends where it starts, whatever the types are.
  Status begin(Row row) override {
    clear();
    CAIRN_TRY(filter_.refresh());
    CAIRN_ASSIGN(const auto from, node_in(row, walk_.from, walk_.from_name));
    if (!from) return {};
    CAIRN_ASSIGN(const bool may_begin,
                 pass(evaluator(), content_.nodes, Value(Node(NodeId{*from})), row));
    if (!may_begin) return {};
    start_ = *from;
    gives_start_ = least_ == 0;
    return most_ == 0 || !filter_.can_match() ? Status() : descend(*from);
  }

  /// `*0..` gives the start itself before any step. What is held is one path: a level for each hop,
  /// with what is left to try at it; so a full batch interrupts the walk anywhere.
  Result<bool> emit(Row row, RowBatch& out) override {
    if (gives_start_) {
      gives_start_ = false;
      CAIRN_TRY(give(start_, row, out));
    }
    while (!levels_.empty() && !out.full()) CAIRN_TRY(advance(row, out));
    return !levels_.empty();
  }

 private:
  // The relationships of one node on the way, and how far they have been tried.
  struct Level {
    std::vector<engine::Adjacent> steps;
    std::size_t next = 0;
  };

  // A level with the step that led to it, in three containers.
  static constexpr std::size_t level_bytes = 2 * (sizeof(Level) + sizeof(engine::Adjacent)) + 64;

  void clear() {
    levels_.clear();
    path_.clear();
    taken_.clear();
    held_.clear();
    gives_start_ = false;
  }

  static constexpr std::size_t list_bytes = 64;  // beside its cells
  static constexpr std::size_t long_path = 64;

  static std::size_t bytes_of(const Level& level) {
    return level_bytes + level.steps.capacity() * sizeof(engine::Adjacent);
  }

  /// Opens a node. A path that is long enough already is not opened any further, see advance().
  Status descend(std::uint64_t node) {
    Level level;
    CAIRN_TRY(graph().expand(node, filter_.direction(), filter_.types(), level.steps));
    own_meter().ids_touched += level.steps.size();
    CAIRN_TRY(held_.add_bytes(bytes_of(level)));
    levels_.push_back(std::move(level));
    return {};
  }

  /// Back over the relationship that led to this level, which may be walked again on another path.
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

  // One relationship further, or back where a node has no more.
  // The path is given before it goes on from its end, so that short ones come before their
  // extensions.
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

  // Conditions on every relationship are checked here, which cuts off whole branches.
  // The element's slot of the input row is written: conditions read it there.
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

  // One row for the path so far, if it ends where it has to.
  // A bound end or a bound list does not steer the walk, it only keeps what fits; the walk is the
  // same.
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

  /// In the order of the pattern: from its left end.
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
  std::vector<Level> levels_;  // one more than path_, while there are any
  std::vector<engine::Adjacent> path_;
  std::unordered_set<std::uint64_t> taken_;
  Holding held_;  // of all three
};

}  // namespace

OperatorPtr make_operator(const ExpandVariable& content, Parts parts) {
  if (content.ends_only) return make_reach_operator(content, std::move(parts));
  return std::make_unique<ExpandVariableOperator>(content, std::move(parts));
}

}  // namespace cairn::query
