// Conditions on every element of a path hold on the way already, so that a search finds the shortest path
// that passes them without looking at longer ones:
//
//   all(r IN relationships(p) WHERE r.w > 1)     each step
//   none(n IN nodes(p) WHERE n:Closed)           each node, both ends included
//
// They are part of the conditions on whole paths too, which decide.
#include "query/execute/read/path_tests.hpp"

#include "query/execute/read/path_value.hpp"
#include "query/functions/function_entry.hpp"
#include "query/plan/expression_traits.hpp"

#include <algorithm>
#include <optional>

namespace cairn::query {
namespace {

/// The function of `name(p)`, where p is the variable of the path.
bool is_call_on(const Expression& expression, std::string_view name, const PathPattern& path) {
  return expression.kind == ExpressionKind::function_call && expression.function != nullptr &&
         expression.function->name == name && expression.children.size() == 1 && path.slot &&
         expression.children[0]->kind == ExpressionKind::variable &&
         expression.children[0]->slot == *path.slot;
}

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

}  // namespace

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
  const bool is_all = condition.kind == ExpressionKind::all_of;
  if (!is_all && condition.kind != ExpressionKind::none_of) return;
  const Expression& list = *condition.children[0];
  const PathPattern& path = *content_.path;
  if (condition.children[1] == nullptr || reads_path(*condition.children[1], path)) return;
  const ElementTest test{condition.children[1].get(), condition.slot, is_all};
  const bool is_variable =
      list.kind == ExpressionKind::variable && list.slot == path.relationships[0].slot;
  if (is_variable || is_call_on(list, "relationships", path)) of_relationships_.push_back(test);
  if (is_call_on(list, "nodes", path)) of_nodes_.push_back(test);
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

// An unknown answer lets no path pass, of all() as of none().
Result<bool> PathTests::pass(const std::vector<ElementTest>& tests, const Value& element, Row row) {
  for (const ElementTest& test : tests) {
    row[test.slot] = element;
    const auto answer = evaluator_.evaluate(*test.condition, row);
    // A step that no found path takes must not end the statement; of one that is taken hold() says so.
    if (!answer && (answer.error().code == ErrorCode::invalid_argument ||
                    answer.error().code == ErrorCode::type_error))
      continue;
    if (!answer) return answer.error();
    const bool* known = answer->get_if<bool>();
    if (known == nullptr || *known != test.wanted) return false;
  }
  return true;
}

Result<bool> PathTests::admit(const engine::Adjacent& step, Row row) {
  const Relationship relationship(RelationshipId{step.relationship});
  if (!each_.empty()) {
    row[content_.walk.pattern->element_slot] = relationship;
    CAIRN_ASSIGN(const bool holds, evaluator_.all_hold(each_, row));
    if (!holds) return false;
  }
  CAIRN_ASSIGN(const bool passes, pass(of_relationships_, Value(relationship), row));
  if (!passes) return false;
  return admit_node(step.other, row);
}

Result<bool> PathTests::admit_node(std::uint64_t node, Row row) {
  if (of_nodes_.empty()) return true;
  return pass(of_nodes_, Value(Node(NodeId{node})), row);
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

}  // namespace cairn::query
