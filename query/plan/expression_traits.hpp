#pragma once
// What the planner must know about an expression without evaluating it.

#include "query/bind/bound_query.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cairn::query {

using SlotSet = std::set<Slot>;

/// Returns the slots of the surrounding row that `expression` reads. Local variables of the expression, and variables
/// of patterns and subqueries inside it, are not included.
[[nodiscard]] SlotSet free_slots(const Expression& expression);

/// True if every evaluation on the same row has the same result. False for rand().
[[nodiscard]] bool is_deterministic(const Expression& expression);

/// True for =, <>, <, <=, > and >=.
[[nodiscard]] constexpr bool is_comparison(ExpressionKind kind) noexcept {
  using enum ExpressionKind;
  return kind == equal || kind == not_equal || kind == less || kind == less_equal ||
         kind == greater || kind == greater_equal;
}

/// Returns the row length that `expression` needs, including its local variables.
[[nodiscard]] std::uint32_t needed_width(const Expression& expression);

/// `variable.key.key...`
struct PropertyPath {
  Slot slot = 0;
  std::vector<std::string> keys;
};
/// Returns nullopt if the expression is not a property of a variable.
[[nodiscard]] std::optional<PropertyPath> property_path(const Expression& expression);

/// Calls `visit` for the expression and every expression inside it, including those of nested patterns and of the
/// first part of nested subqueries. Later parts of a subquery have rows of their own and are not visited.
void walk(const Expression& expression, const std::function<void(const Expression&)>& visit);

/// Returns the slots that a MATCH gives values to.
[[nodiscard]] SlotSet introduced_slots(const MatchClause& clause);
[[nodiscard]] SlotSet introduced_slots(const std::vector<PathPattern>& paths);

/// Returns the input expressions of a search: queries, weights and numbers. The conditions are not included.
[[nodiscard]] std::vector<const Expression*> inputs_of(const SearchClause& search);

[[nodiscard]] bool contains_all(const SlotSet& all, const SlotSet& some);

}  // namespace cairn::query
