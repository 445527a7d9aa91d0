#pragma once
// Conditions on every element of a path.

#include "query/bind/bound_query.hpp"
#include "query/plan/operator_content.hpp"

#include <functional>
#include <optional>
#include <string_view>

namespace cairn::query {

/// all(x IN relationships(p) WHERE ...) and its like, of a path of one step.
struct ElementCondition {
  ElementTest test;
  bool is_of_nodes = false;
};

/// Whether a condition is one on all relationships of `step`, or on all nodes of `path`, which is that step alone or
/// null; nothing for other ones, and for those that read more of the path than one element.
[[nodiscard]] std::optional<ElementCondition> element_condition(const Expression& condition,
                                                                const RelationshipPattern& step,
                                                                const PathPattern* path);

/// The function of `name(p)`, where p is the variable of the path.
[[nodiscard]] bool is_call_on(const Expression& expression, std::string_view name,
                              const PathPattern& path);

/// Whether an expression never fails on rows where the slots that `is_entity` tells hold nodes or relationships:
/// comparisons of their properties with each other, with variables and with constants, tests of null and of labels, and
/// what logic makes of these.
[[nodiscard]] bool cannot_fail(const Expression& condition,
                               const std::function<bool(Slot)>& is_entity);

}  // namespace cairn::query
