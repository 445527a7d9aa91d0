#pragma once
// What a pattern of CREATE or MERGE gives a record that it makes: the map of its properties, or, where
// system fields stand there as well, a list of that map and theirs.

#include "query/bind/expression.hpp"

namespace cairn::query {

/// The properties, or null.
[[nodiscard]] inline const Expression* properties_of(const ExpressionPtr& made) {
  if (made == nullptr || made->kind != ExpressionKind::list) return made.get();
  return made->children[0].get();
}

/// The map of the system fields, or null.
[[nodiscard]] inline const Expression* system_of(const ExpressionPtr& made) {
  if (made == nullptr || made->kind != ExpressionKind::list) return nullptr;
  return made->children[1].get();
}

}  // namespace cairn::query
