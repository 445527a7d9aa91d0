// A lattice: null below every type, `number` above integer and float, `any` above all. It only has
// to be right where it refuses; whatever is uncertain is `any`.
#include "query/bind/static_type.hpp"

#include <cstddef>
#include <limits>

namespace cairn::query {

// Beyond 255 levels of lists nothing is known any more.
StaticType StaticType::list_of(StaticType element) noexcept {
  if (element.list_depth_ == std::numeric_limits<std::uint8_t>::max()) return {TypeKind::any, 1};
  return {element.kind_, static_cast<std::uint8_t>(element.list_depth_ + 1)};
}

StaticType StaticType::element() const noexcept {
  if (list_depth_ == 0) return TypeKind::any;
  return {kind_, static_cast<std::uint8_t>(list_depth_ - 1)};
}

std::string_view StaticType::text() const noexcept {
  static constexpr std::string_view names[] = {
      "any value", "null",  "a boolean", "an integer",     "a float", "a number",
      "a string",  "a map", "a node",    "a relationship", "a path"};
  return is_list() ? "a list" : names[static_cast<std::size_t>(kind_)];
}

// Null is a value of every type, so it adds nothing. Lists of different things are lists of anything.
StaticType join(StaticType a, StaticType b) noexcept {
  if (a == b || b.is(TypeKind::null)) return a;
  if (a.is(TypeKind::null)) return b;
  if (a.is_numeric() && b.is_numeric()) return TypeKind::number;
  if (!a.is_list() || !b.is_list()) return TypeKind::any;
  StaticType left = a;
  StaticType right = b;
  std::uint8_t depth = 0;
  for (; left.is_list() && right.is_list(); ++depth) {
    left = left.element();
    right = right.element();
  }
  const bool both_numeric = left.is_numeric() && right.is_numeric();
  StaticType result = both_numeric ? TypeKind::number : TypeKind::any;
  for (; depth > 0; --depth) result = StaticType::list_of(result);
  return result;
}

}  // namespace cairn::query
