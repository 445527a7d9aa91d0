// A lattice: null below every type, `number` above integer and float, `any` above all. It only has
// to be right where it refuses; whatever is uncertain is `any`.
#include "query/bind/static_type.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
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

// Two tables. A function that is in neither takes and gives anything; what it takes in truth it checks
// when it runs.
// Only functions are listed whose argument can be refused before running, or whose result helps
// to tell it of another: size(1), type(n), length(r). Keys are in lower case, as in the registry.
// An unlisted function is not less checked, only later.

namespace {

bool is_node(StaticType type) { return type.is(TypeKind::node); }
bool is_relationship(StaticType type) { return type.is(TypeKind::relationship); }
bool is_path(StaticType type) { return type.is(TypeKind::path); }
/// keys() takes the same and is not listed: its error at run time says as much.
bool is_entity_or_map(StaticType type) { return type.is_entity() || type.is(TypeKind::map); }
bool is_sized(StaticType type) {
  return type.is_list() || type.is(TypeKind::string) || type.is(TypeKind::map);
}
// A path has a length, and so has what may be one; older Cypher gives one to strings and lists.
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

// Null is taken by every function, and its type is open here.
std::string_view argument_refusal(std::string_view function, StaticType type) {
  if (type.is_open()) return {};
  const auto* rule = std::ranges::find(argument_rules, function, &ArgumentRule::function);
  if (rule == std::end(argument_rules) || rule->accepts(type)) return {};
  return rule->expected;
}

// Functions whose result follows their argument come first, then the table.
StaticType function_type(std::string_view function, StaticType first) {
  if (function == "collect") return StaticType::list_of(first);
  if (function == "head" || function == "last") return first.element();
  if (function == "tail" || function == "reverse") return first.is_list() ? first : StaticType();
  const auto* rule = std::ranges::find(result_rules, function, &ResultRule::function);
  return rule != std::end(result_rules) ? rule->type : StaticType();
}

}  // namespace cairn::query
