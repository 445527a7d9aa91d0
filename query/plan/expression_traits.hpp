#pragma once
// What the planner asks about an expression without evaluating it.

#include "query/bind/bound_query.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cairn::query {

using SlotSet = std::set<Slot>;

/// The slots of the surrounding row that `expression` reads; its own local variables, and those of
/// patterns and subqueries inside it, are not among them.
[[nodiscard]] SlotSet free_slots(const Expression& expression);

/// False where evaluating twice may give two answers (rand()).
[[nodiscard]] bool is_deterministic(const Expression& expression);

/// True for =, <>, <, <=, > and >=.
[[nodiscard]] constexpr bool is_comparison(ExpressionKind kind) noexcept {
  using enum ExpressionKind;
  return kind == equal || kind == not_equal || kind == less || kind == less_equal ||
         kind == greater || kind == greater_equal;
}

/// How long a row must be for `expression` to be evaluated on it, its local variables included.
[[nodiscard]] std::uint32_t needed_width(const Expression& expression);

/// `variable.key.key...`
struct PropertyPath {
  Slot slot = 0;
  std::vector<std::string> keys;
};
[[nodiscard]] std::optional<PropertyPath> property_path(const Expression& expression);

/// Call `visit` for the expression and for every expression in it, those of nested patterns and of
/// the first part of nested subqueries included. Later parts of a subquery have rows of their own.
void walk(const Expression& expression, const std::function<void(const Expression&)>& visit);

/// The slots that a MATCH gives values to.
[[nodiscard]] SlotSet introduced_slots(const MatchClause& clause);
[[nodiscard]] SlotSet introduced_slots(const std::vector<PathPattern>& paths);

/// Questions, weights and numbers of a search, those that are given; its conditions left out.
[[nodiscard]] std::vector<const Expression*> inputs_of(const SearchClause& search);

[[nodiscard]] bool contains_all(const SlotSet& all, const SlotSet& some);

}  // namespace cairn::query
