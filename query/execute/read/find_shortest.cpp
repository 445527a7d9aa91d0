// Shortest paths between two bound nodes, breadth first. Each node keeps the steps by which it was
// reached at its least distance; walking them back from the end gives all shortest paths.
// A search from one side only, level by level: nodes reached on an earlier level are settled. Cost:
// the relationships of all nodes nearer than the end. Held in memory: one arrival for each node,
// and for allShortestPaths, or with conditions on the path, each further way, charged to the limit.
//
// Conditions on each relationship or node hold during the search (PathTests). Other conditions on the path
// are checked on every shortest one; where they refuse all, longer ones are gone through, level by
// level, as openCypher asks: the shortest of the paths that pass is wanted. That may be every path there
// is, no relationship twice; what it holds is charged to the limit.

#include "query/execute/read/operators.hpp"
#include "query/execute/read/path_steps.hpp"
#include "query/execute/row_batch.hpp"
#include "query/functions/function_entry.hpp"
#include "query/plan/expression_traits.hpp"
#include "query/plan/operator_content.hpp"
#include "query/plan/path_conditions.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

namespace cairn::query {
namespace {

// PathTests: which relationships and nodes a shortest path may take, and whether a whole path passes.
//
// Conditions on every element of a path hold on the way already, so that a search finds the shortest path
// that passes them without looking at longer ones:
//
//   all(r IN relationships(p) WHERE r.w > 1)     each step
//   none(n IN nodes(p) WHERE n:Closed)           each node, both ends included
//
// They are part of the conditions on whole paths too, which decide.

/// All are evaluated on the row of the two ends, with what is asked about put into its slots.
class PathTests {
 public:
  PathTests(Evaluator& evaluator, GraphReader& graph, const FindShortest& content);

  /// Whether there are conditions that only a whole path can answer, or none.
  [[nodiscard]] bool are_any() const noexcept { return !content_.conjuncts.empty(); }
  /// False where no path with this step can pass: of [r* WHERE ...], and of conditions on all relationships
  /// or nodes of the path.
  [[nodiscard]] Result<bool> admit(const engine::Adjacent& step, Row row);
  [[nodiscard]] Result<bool> admit_node(std::uint64_t node, Row row);
  /// `steps` in the order of the pattern.
  [[nodiscard]] Result<bool> hold(List steps, Row row);
  /// No path of more steps passes, as length(p) <= 3 and its like say; `most` where none does.
  [[nodiscard]] Result<std::uint64_t> most_steps(std::uint64_t most, Row row);

 private:
  /// length(p) <= bound, or < bound.
  struct LengthTest {
    const Expression* bound = nullptr;
    bool is_strict = false;
  };

  void note_element_test(const Expression& condition);
  void note_length_test(const Expression& condition);
  Evaluator& evaluator_;
  GraphReader& graph_;
  const FindShortest& content_;
  std::vector<const Expression*> each_;
  std::vector<ElementTest> of_relationships_;
  std::vector<ElementTest> of_nodes_;
  std::vector<LengthTest> of_length_;
};

bool reads_path(const Expression& expression, const PathPattern& path) {
  const SlotSet read = free_slots(expression);
  return read.contains(path.relationships[0].slot) || (path.slot && read.contains(*path.slot));
}

/// length(p), or size() of its relationships.
bool is_length(const Expression& expression, const PathPattern& path) {
  if (is_call_on(expression, "length", path)) return true;
  return expression.kind == ExpressionKind::function_call && expression.function != nullptr &&
         expression.function->name == "size" && expression.children.size() == 1 &&
         expression.children[0]->kind == ExpressionKind::variable &&
         expression.children[0]->slot == path.relationships[0].slot;
}

PathTests::PathTests(Evaluator& evaluator, GraphReader& graph, const FindShortest& content)
    : evaluator_(evaluator), graph_(graph), content_(content) {
  for (const ExpressionPtr& condition : content.walk.pattern->each)
    each_.push_back(condition.get());
  for (const Expression* condition : content.conjuncts) {
    note_element_test(*condition);
    note_length_test(*condition);
  }
}

void PathTests::note_element_test(const Expression& condition) {
  const PathPattern& path = *content_.path;
  const auto found = element_condition(condition, path.relationships[0], &path);
  if (found) (found->is_of_nodes ? of_nodes_ : of_relationships_).push_back(found->test);
}

void PathTests::note_length_test(const Expression& condition) {
  using Kind = ExpressionKind;
  const bool is_turned = condition.kind == Kind::greater || condition.kind == Kind::greater_equal;
  const bool is_strict = condition.kind == Kind::less || condition.kind == Kind::greater;
  if (!is_turned && !is_strict && condition.kind != Kind::less_equal &&
      condition.kind != Kind::equal)
    return;
  const PathPattern& path = *content_.path;
  const Expression& bound = *condition.children[is_turned ? 0 : 1];
  if (is_length(*condition.children[is_turned ? 1 : 0], path) && !reads_path(bound, path))
    of_length_.push_back({&bound, is_strict});
}

// A bound that is not an integer, null among them, says nothing here; hold() decides.
Result<std::uint64_t> PathTests::most_steps(std::uint64_t most, Row row) {
  for (const LengthTest& test : of_length_) {
    CAIRN_ASSIGN(const Value bound, evaluator_.evaluate(*test.bound, row));
    const auto* number = bound.get_if<std::int64_t>();
    if (number == nullptr) continue;
    const std::int64_t last = *number <= 0 ? 0 : *number - (test.is_strict ? 1 : 0);
    most = std::min(most, static_cast<std::uint64_t>(last));
  }
  return most;
}

Result<bool> PathTests::admit(const engine::Adjacent& step, Row row) {
  const Relationship relationship(RelationshipId{step.relationship});
  if (!each_.empty()) {
    row[content_.walk.pattern->element_slot] = relationship;
    CAIRN_ASSIGN(const bool holds, evaluator_.all_hold(each_, row));
    if (!holds) return false;
  }
  CAIRN_ASSIGN(const bool passes, pass(evaluator_, of_relationships_, Value(relationship), row));
  if (!passes) return false;
  return admit_node(step.other, row);
}

Result<bool> PathTests::admit_node(std::uint64_t node, Row row) {
  if (of_nodes_.empty()) return true;
  return pass(evaluator_, of_nodes_, Value(Node(NodeId{node})), row);
}

Result<bool> PathTests::hold(List steps, Row row) {
  if (!are_any()) return true;
  row[content_.walk.pattern->slot] = std::move(steps);
  if (content_.path->slot) {
    CAIRN_ASSIGN(auto path, path_of(*content_.path, row, graph_));
    row[*content_.path->slot] = path ? Value(std::move(*path)) : Value();
  }
  return evaluator_.all_hold(content_.conjuncts, row);
}

class FindShortestOperator final : public FanOutOperator {
 public:
  /// Without `*` the pattern is one hop, as it is in MATCH.
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
    CAIRN_ASSIGN(const bool may_begin, tests_.admit_node(*from, row));
    if (!may_begin) return {};
    // Only a path of no length leads from a node to itself.
    if (*from == *to) return least_ == 0 ? keep({}, row) : Status();
    CAIRN_TRY(search(*from, *to, row));
    if (!reached_.contains(*to)) return {};
    CAIRN_TRY(trace(*to, row));
    return is_done() || !tests_.are_any() ? Status() : search_longer(*to, row);
  }

  /// The search went from the end that was bound first, so its paths may run against the pattern.
  Result<bool> emit(Row row, RowBatch& out) override {
    for (; next_ < found_.size() && !out.full(); ++next_) {
      CAIRN_ASSIGN(const Row made, out.append(row));
      CAIRN_TRY(out.put(made[walk_.pattern->slot], in_pattern_order(found_[next_])));
    }
    return next_ < found_.size();
  }

 private:
  // How a node was reached first: its distance and all steps of that length that lead to it.
  struct Arrival {
    std::uint64_t distance = 0;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> by;  // node before, relationship
  };
  // The last step of a longer path, and the path before it.
  struct Trail {
    std::uint64_t node = 0;
    std::uint64_t relationship = 0;
    std::size_t before = 0;
  };
  using Steps = std::vector<Relationship>;
  static constexpr std::size_t arrival_bytes = 96;

  void clear() {
    reached_.clear();
    trails_ = {};
    found_ = {};
    held_.clear();
    next_ = 0;
  }

  /// One more at the end of a list that doubles when it is full.
  template <class T>
  Status charge_next(const std::vector<T>& list) {
    if (list.size() < list.capacity()) return {};
    const std::size_t bytes = list.capacity() * sizeof(T);
    return held_.grow(bytes, std::max(2 * bytes, sizeof(T)));
  }

  /// All shortest ones are wanted of the level at which one was found.
  [[nodiscard]] bool is_done() const { return !found_.empty(); }

  [[nodiscard]] List in_pattern_order(const Steps& steps) const {
    List list(steps.begin(), steps.end());
    if (walk_.reversed) std::reverse(list.begin(), list.end());
    return list;
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

  /// An arrival on the same level is one more shortest way, and recorded only where all are wanted.
  Status visit(std::uint64_t node, std::uint64_t distance, Row row,
               std::vector<std::uint64_t>& next) {
    CAIRN_TRY(expand(node));
    for (const engine::Adjacent& step : steps_) {
      CAIRN_ASSIGN(const bool is_admitted, admits(step, row));
      if (!is_admitted) continue;
      const auto [arrival, is_first] = reached_.try_emplace(step.other, Arrival{distance, {}});
      if (arrival->second.distance != distance) continue;
      if (is_first) next.push_back(step.other);
      // With conditions any of them may be the one that passes.
      if (!is_first && !content_.all && !tests_.are_any()) continue;
      arrival->second.by.emplace_back(node, step.relationship);
      CAIRN_TRY(held_.add_bytes(arrival_bytes));
    }
    return {};
  }

  Status expand(std::uint64_t node) {
    steps_.clear();
    CAIRN_TRY(graph().expand(node, filter_.direction(), filter_.types(), steps_));
    own_meter().ids_touched += steps_.size();
    return budget().step(steps_.size() + 1);
  }

  /// Visibility before conditions: what may not be seen must not be evaluated either.
  Result<bool> admits(const engine::Adjacent& step, Row row) {
    if (!filter_.sees(step)) return false;
    return tests_.admit(step, row);
  }

  // Every way on from the start, the paths of each level before those of the next. Paths as long as the
  // shortest were refused already.
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

  Status go_on(std::size_t trail, Row row) {
    CAIRN_TRY(expand(trails_[trail].node));
    for (const engine::Adjacent& step : steps_) {
      if (is_on(trail, step.relationship)) continue;
      CAIRN_ASSIGN(const bool is_admitted, admits(step, row));
      if (!is_admitted) continue;
      CAIRN_TRY(charge_next(trails_));
      trails_.push_back({step.other, step.relationship, trail});
    }
    return {};
  }

  /// The first trail is of no step.
  [[nodiscard]] bool is_on(std::size_t trail, std::uint64_t relationship) const {
    for (; trail != 0; trail = trails_[trail].before)
      if (trails_[trail].relationship == relationship) return true;
    return false;
  }

  [[nodiscard]] Steps steps_back(std::size_t trail) const {
    Steps backwards;
    for (; trail != 0; trail = trails_[trail].before)
      backwards.push_back(Relationship(RelationshipId{trails_[trail].relationship}));
    return backwards;
  }

  // All ways back from `to`, depth first with a place for each level.
  // The arrivals form a graph without cycles, distances falling by one, so that every way ends at
  // the start.
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

  /// Paths are found from the end backwards and stored forwards, if they pass.
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
  std::vector<Trail> trails_;
  std::vector<engine::Adjacent> steps_;
  std::vector<Steps> found_;
  std::size_t next_ = 0;
  Holding held_;
};

}  // namespace

OperatorPtr make_operator(const FindShortest& content, Parts parts) {
  return std::make_unique<FindShortestOperator>(content, std::move(parts));
}

}  // namespace cairn::query
