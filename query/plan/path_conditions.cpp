// Recognises two kinds of conditions. Conditions on every element of a path can be checked during the walk instead of
// on whole paths. Conditions that cannot fail may be moved to other places in the plan.
#include "query/plan/path_conditions.hpp"

#include "query/functions/function_entry.hpp"
#include "query/plan/expression_traits.hpp"

#include <algorithm>

namespace cairn::query {

// Compares the slot of the argument with that of the path variable.
bool is_call_on(const Expression& expression, std::string_view name, const PathPattern& path) {
  return expression.kind == ExpressionKind::function_call && expression.function != nullptr &&
         expression.function->name == name && expression.children.size() == 1 && path.slot &&
         expression.children[0]->kind == ExpressionKind::variable &&
         expression.children[0]->slot == *path.slot;
}

// The test may read variables of the row, but neither the path nor its list of relationships.
std::optional<ElementCondition> element_condition(const Expression& condition,
                                                  const RelationshipPattern& step,
                                                  const PathPattern* path) {
  const bool is_all = condition.kind == ExpressionKind::all_of;
  if (!is_all && condition.kind != ExpressionKind::none_of) return std::nullopt;
  const Expression& list = *condition.children[0];
  const Expression* const test = condition.children[1].get();
  if (test == nullptr) return std::nullopt;
  const SlotSet read = free_slots(*test);
  if (read.contains(step.slot) || (path != nullptr && path->slot && read.contains(*path->slot)))
    return std::nullopt;
  const ElementTest found{test, condition.slot, is_all};
  const bool is_variable = list.kind == ExpressionKind::variable && list.slot == step.slot;
  if (is_variable || (path != nullptr && is_call_on(list, "relationships", *path)))
    return ElementCondition{found, false};
  if (path != nullptr && is_call_on(list, "nodes", *path)) return ElementCondition{found, true};
  return std::nullopt;
}

namespace {

using IsEntity = std::function<bool(Slot)>;

// True if the expression is a variable whose value is a node or a relationship.
bool is_entity_variable(const Expression& expression, const IsEntity& is_entity) {
  return expression.kind == ExpressionKind::variable && is_entity(expression.slot);
}

/// A missing parameter is an error too, but every evaluation reports this error in the same way.
bool is_simple_operand(const Expression& operand, const IsEntity& is_entity) {
  switch (operand.kind) {
    case ExpressionKind::literal:
    case ExpressionKind::parameter:
    case ExpressionKind::variable:
      return true;
    case ExpressionKind::property:
      return is_entity_variable(*operand.children[0], is_entity);
    default:
      return false;
  }
}

}  // namespace

// Comparisons of any two values are safe: for values of different types they are null or false, not
// an error.
bool cannot_fail(const Expression& condition, const IsEntity& is_entity) {
  const auto all = [&](const auto& test) {
    return std::ranges::all_of(condition.children,
                               [&](const ExpressionPtr& child) { return test(*child, is_entity); });
  };
  if (is_comparison(condition.kind)) return all(is_simple_operand);
  switch (condition.kind) {
    case ExpressionKind::is_null:
    case ExpressionKind::is_not_null:
      return all(is_simple_operand);
    case ExpressionKind::has_label:
    case ExpressionKind::is_node:
      return all(is_entity_variable);
    case ExpressionKind::logical_and:
    case ExpressionKind::logical_or:
    case ExpressionKind::logical_not:
      return all(cannot_fail);
    default:
      return false;
  }
}

}  // namespace cairn::query
