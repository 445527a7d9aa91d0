#pragma once
// Making the nodes of a filter's tree. Private to this folder.

#include "query/plan/expression_traits.hpp"
#include "query/plan/filter_plan.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {

inline FilterNodePtr leaf(FilterKind kind, bool negated, std::vector<std::string> keys = {}) {
  auto node = std::make_unique<FilterNode>();
  node->kind = kind;
  node->negated = negated;
  node->keys = std::move(keys);
  return node;
}

/// An operand without free slots is the same for all rows, so what it selects is found once.
inline FilterNodePtr with_operand(FilterNodePtr node, const Expression& operand) {
  node->low = &operand;
  node->depends_on_row = !free_slots(operand).empty();
  return node;
}

inline void adopt(FilterNode& parent, FilterNodePtr child) {
  parent.depends_on_row |= child->depends_on_row;
  parent.children.push_back(std::move(child));
}

}  // namespace cairn::query
