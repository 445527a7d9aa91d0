// Conditions on shortest paths: recognises those that can be checked during the search.

#include "query/execute/read/path_tests.hpp"

#include "query/execute/read/path_steps.hpp"
#include "query/functions/function_entry.hpp"
#include "query/plan/expression_traits.hpp"
#include "query/plan/path_conditions.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query {
namespace {

bool reads_path(const Expression& expression, const PathPattern& path) {
  const SlotSet read = free_slots(expression);
  return read.contains(path.relationships[0].slot) || (path.slot && read.contains(*path.slot));
}

/// True for length(p), and for size() of the path's relationships.
bool is_length(const Expression& expression, const PathPattern& path) {
  if (is_call_on(expression, "length", path)) return true;
  return expression.kind == ExpressionKind::function_call && expression.function != nullptr &&
         expression.function->name == "size" && expression.children.size() == 1 &&
         expression.children[0]->kind == ExpressionKind::variable &&
         expression.children[0]->slot == path.relationships[0].slot;
}

}  // namespace

PathTests::PathTests(Evaluator& evaluator, GraphReader& graph, const FindShortest& content)
    : evaluator_(evaluator), graph_(graph), content_(content) {
  for (const ExpressionPtr& condition : content.walk.pattern->each)
    each_.push_back(condition.get());
  for (const Expression* condition : content.conjuncts) {
    // Each evaluation may return another result, so only hold() checks such a condition.
    if (!is_deterministic(*condition)) continue;
    note_element_test(*condition);
    note_length_test(*condition);
  }
}

// Registers conditions of the form all(...) and none(...).
void PathTests::note_element_test(const Expression& condition) {
  const PathPattern& path = *content_.path;
  const auto found = element_condition(condition, path.relationships[0], &path);
  if (found) (found->is_of_nodes ? of_nodes_ : of_relationships_).push_back(found->test);
}

// Registers conditions that compare the length of the path with a bound.
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

// Ignores a bound that is not an integer or cannot be evaluated, because there may be no path to
// test. If there is one, hold() evaluates the condition.
Result<std::uint64_t> PathTests::most_steps(std::uint64_t most, Row row) {
  for (const LengthTest& test : of_length_) {
    const auto bound = evaluator_.evaluate(*test.bound, row);
    if (!bound && is_of_values(bound.error())) continue;
    if (!bound) return bound.error();
    const auto* number = bound->get_if<std::int64_t>();
    if (number == nullptr) continue;
    const std::int64_t last = *number <= 0 ? 0 : *number - (test.is_strict ? 1 : 0);
    most = std::min(most, static_cast<std::uint64_t>(last));
  }
  return most;
}

// Tests the relationship first and then the node at its end.
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

// The conditions read the path variable and the list of relationships, so both are set.
Result<bool> PathTests::hold(List steps, Row row) {
  if (!are_any()) return true;
  row[content_.walk.pattern->slot] = std::move(steps);
  if (content_.path->slot) {
    CAIRN_ASSIGN(auto path, path_of(*content_.path, row, graph_));
    row[*content_.path->slot] = path ? Value(std::move(*path)) : Value();
  }
  return evaluator_.all_hold(content_.conjuncts, row);
}

}  // namespace cairn::query
