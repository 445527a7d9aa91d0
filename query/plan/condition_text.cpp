// Conditions as text. Labels and property maps of a pattern become conditions that stand nowhere in
// the statement, so they are put together from their parts.
// For EXPLAIN only. What is in the statement is shown as it was written.

#include "query/plan/plan_text.hpp"

#include <optional>

namespace cairn::query {
namespace {

std::string name_in(const SlotNames& names, Slot slot) {
  const auto found = names.find(slot);
  return found == names.end() || found->second.empty() ? "_" : found->second;
}

// variable.key.key, where the variable is one of the pattern.
std::optional<std::string> property_text(const Expression& expression, const SlotNames& names) {
  const auto path = property_path(expression);
  if (!path || !names.contains(path->slot)) return std::nullopt;
  std::string text = name_in(names, path->slot);
  for (const std::string& key : path->keys) text += "." + key;
  return text;
}

}  // namespace

SlotNames names_of(const PatternSource& pattern) {
  SlotNames names;
  for (const PathPattern& path : pattern.paths) {
    for (const NodePattern& node : path.nodes) names[node.slot] = node.name;
    for (const RelationshipPattern& step : path.relationships) names[step.slot] = step.name;
  }
  return names;
}

std::string text_of(const Expression& condition, std::string_view statement,
                    const SlotNames& names) {
  if (condition.kind == ExpressionKind::has_label &&
      condition.children[0]->kind == ExpressionKind::variable)
    return name_in(names, condition.children[0]->slot) + ":" + condition.name;
  if (condition.kind == ExpressionKind::equal)
    if (const auto property = property_text(*condition.children[0], names))
      return *property + " = " + text_of(*condition.children[1], statement);
  return text_of(condition, statement);
}

}  // namespace cairn::query
