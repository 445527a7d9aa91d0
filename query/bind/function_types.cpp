// Two tables. A function that is in neither takes and gives anything; what it takes in truth it checks
// when it runs.
// Only functions are listed whose argument can be refused before running, or whose result helps
// to tell it of another: size(1), type(n), length(r). Keys are in lower case, as in the registry.
// An unlisted function is not less checked, only later.
#include "query/bind/function_types.hpp"

#include <algorithm>
#include <iterator>

namespace cairn::query {
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
