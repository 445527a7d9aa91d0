#include "query/bind/declared_type.hpp"

namespace cairn::query {
namespace {

StaticType static_kind(DeclaredType::Kind kind) {
  using Kind = DeclaredType::Kind;
  switch (kind) {
    case Kind::boolean:
      return TypeKind::boolean;
    case Kind::integer:
      return TypeKind::integer;
    case Kind::floating:
      return TypeKind::floating;
    case Kind::number:
      return TypeKind::number;
    case Kind::string:
      return TypeKind::string;
    case Kind::list:
      return StaticType::list_of(TypeKind::any);
    case Kind::map:
      return TypeKind::map;
    case Kind::node:
      return TypeKind::node;
    case Kind::relationship:
      return TypeKind::relationship;
    case Kind::path:
      return TypeKind::path;
    default:
      return TypeKind::any;
  }
}

/// Integers are floats as well; of a number nobody knows which it is.
bool may_be(StaticType wanted, StaticType given) {
  if (wanted.is_open() || given.is_open()) return true;
  if (wanted.is_list() && given.is_list()) return may_be(wanted.element(), given.element());
  if (wanted.is(TypeKind::integer))
    return given.is(TypeKind::integer) || given.is(TypeKind::number);
  if (wanted.is_numeric()) return given.is_numeric();
  return wanted == given;
}

}  // namespace

StaticType static_type(const DeclaredType& declared) {
  StaticType type = static_kind(declared.kind);
  for (std::uint16_t i = 0; i < declared.list_depth; ++i) type = StaticType::list_of(type);
  return type;
}

bool may_fit(const DeclaredType& declared, StaticType type) {
  // The binder knows no kinds for dates and vectors.
  const bool is_unknown_kind =
      declared.kind != DeclaredType::Kind::any && static_kind(declared.kind).is_open();
  if (is_unknown_kind && declared.list_depth == 0) return type.is_open();
  return may_be(static_type(declared), type);
}

}  // namespace cairn::query
