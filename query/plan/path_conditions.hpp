#pragma once
// Recognises conditions on every element of a path, and conditions that cannot fail.

#include "query/bind/bound_query.hpp"
#include "query/plan/operator_content.hpp"

#include <functional>
#include <optional>
#include <string_view>

namespace cairn::query {

/// A condition such as all(x IN relationships(p) WHERE ...), for a path with one step in the pattern.
struct ElementCondition {
  ElementTest test;
  bool is_of_nodes = false;  ///< true: a condition on nodes; false: on relationships
};

/// Recognises a condition about each relationship of `step` or each node of `path`. `path` is nullptr or has `step` as
/// its only step. Returns nullopt for other conditions, and for a condition that reads more of the path than one
/// element at a time.
[[nodiscard]] std::optional<ElementCondition> element_condition(const Expression& condition,
                                                                const RelationshipPattern& step,
                                                                const PathPattern* path);

/// True if the expression is the call `name(p)`, where p is the variable of the path.
[[nodiscard]] bool is_call_on(const Expression& expression, std::string_view name,
                              const PathPattern& path);

/// True if the expression cannot fail on any row. `is_entity` reports which slots hold nodes or relationships. Accepts
/// comparisons of properties of such slots, variables and constants, tests of null and labels, and AND, OR and NOT of
/// these.
[[nodiscard]] bool cannot_fail(const Expression& condition,
                               const std::function<bool(Slot)>& is_entity);

}  // namespace cairn::query
