// Static types form a lattice: null is below every type, `number` is above integer and float, `any` is above all. The
// binder refuses only types that are certainly wrong, so an uncertain type is always `any`.
#include "query/bind/static_type.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>

namespace cairn::query {

// Nesting above 255 levels is not tracked.
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

// Null is a value of every type, so it does not change the other type. Lists of different types become lists of
// `any`.
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

namespace {

/// The StaticType of a declared kind without its lists. Dates and vectors become `any`.
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

/// True if a value of type `given` may be accepted for `wanted`. Integers are accepted as floats; a `number` may be
/// either.
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
  // Dates and vectors have no StaticType: only a value of unknown type may be one.
  const bool is_unknown_kind =
      declared.kind != DeclaredType::Kind::any && static_kind(declared.kind).is_open();
  if (is_unknown_kind && declared.list_depth == 0) return type.is_open();
  return may_be(static_type(declared), type);
}

// Two tables: functions whose first argument can be refused before a run, and functions whose result type helps to
// refuse another argument, as in size(1) or type(n). Names are in lower case, as in the registry.
//
// A function that is not listed accepts and returns `any`; it checks its arguments at run time.

namespace {

bool is_node(StaticType type) { return type.is(TypeKind::node); }
bool is_relationship(StaticType type) { return type.is(TypeKind::relationship); }
bool is_path(StaticType type) { return type.is(TypeKind::path); }
/// keys() has the same arguments but is not listed, because its error at run time is just as clear.
bool is_entity_or_map(StaticType type) { return type.is_entity() || type.is(TypeKind::map); }
bool is_sized(StaticType type) {
  return type.is_list() || type.is(TypeKind::string) || type.is(TypeKind::map);
}
// length() accepts paths. Older versions of Cypher also accept strings and lists.
bool is_measured(StaticType type) { return !type.is_entity(); }

struct ArgumentRule {
  std::string_view function;
  bool (*accepts)(StaticType);
  std::string_view expected;
};

constexpr ArgumentRule argument_rules[] = {
    {"endnode", is_relationship, "a relationship"},
    {"labels", is_node, "a node"},
    {"length", is_measured, "a path"},
    {"nodes", is_path, "a path"},
    {"properties", is_entity_or_map, "a node, a relationship or a map"},
    {"relationships", is_path, "a path"},
    {"size", is_sized, "a list or a string"},
    {"startnode", is_relationship, "a relationship"},
    {"type", is_relationship, "a relationship"},
};

struct ResultRule {
  std::string_view function;
  StaticType type;
};

constexpr StaticType list_of_strings{TypeKind::string, 1};

constexpr ResultRule result_rules[] = {
    {"count", TypeKind::integer},
    {"endnode", TypeKind::node},
    {"id", TypeKind::integer},
    {"keys", list_of_strings},
    {"labels", list_of_strings},
    {"length", TypeKind::integer},
    {"nodes", {TypeKind::node, 1}},
    {"properties", TypeKind::map},
    {"rand", TypeKind::floating},
    {"range", {TypeKind::integer, 1}},
    {"relationships", {TypeKind::relationship, 1}},
    {"size", TypeKind::integer},
    {"split", list_of_strings},
    {"startnode", TypeKind::node},
    {"tolower", TypeKind::string},
    {"toupper", TypeKind::string},
    {"type", TypeKind::string},
};

}  // namespace

// Every function accepts null, and values of unknown type pass.
std::string_view argument_refusal(std::string_view function, StaticType type) {
  if (type.is_open()) return {};
  const auto* rule = std::ranges::find(argument_rules, function, &ArgumentRule::function);
  if (rule == std::end(argument_rules) || rule->accepts(type)) return {};
  return rule->expected;
}

// Functions whose result type depends on the argument are handled first, all others by the table.
StaticType function_type(std::string_view function, StaticType first) {
  if (function == "collect") return StaticType::list_of(first);
  if (function == "head" || function == "last") return first.element();
  if (function == "tail" || function == "reverse") return first.is_list() ? first : StaticType();
  const auto* rule = std::ranges::find(result_rules, function, &ResultRule::function);
  return rule != std::end(result_rules) ? rule->type : StaticType();
}

}  // namespace cairn::query
