// Patterns in MATCH and in expressions. All variables of a clause are declared before any condition is bound, so that
// a condition may use variables that occur later in the pattern.
//
// Labels, properties and WHERE become one list of conditions over slots. The bound pattern keeps only its shape:
// nodes, relationships, directions, plain types and hops. The planner chooses the order of steps by this shape.

#include "query/bind/binder.hpp"
#include "query/bind/scope.hpp"

#include <algorithm>

namespace cairn::query {
namespace {

bool may_be_node(StaticType type) { return type.is(TypeKind::node) || type.is_open(); }

/// The variable of a variable-length relationship is a list of relationships.
bool may_be_relationship(StaticType type, bool is_list) {
  if (type.is_open()) return true;
  if (!is_list) return type.is(TypeKind::relationship);
  return type.is_list() && (type.element().is_open() || type.element().is(TypeKind::relationship));
}

/// True for a path without steps whose node was bound before the MATCH, so that no step tests the node.
bool is_only_bound_node(const MatchClause& match, const PathPattern& path) {
  return path.relationships.empty() && path.nodes[0].is_bound &&
         std::ranges::find(match.introduced, path.nodes[0].slot) == match.introduced.end();
}

PathSearch search_of(const ast::PathElement& element) {
  if (element.selector.selection == ast::PathSelection::paths) return PathSearch::shortest;
  if (element.selector.selection == ast::PathSelection::groups) return PathSearch::all_shortest;
  return static_cast<PathSearch>(static_cast<std::uint8_t>(element.search));
}

}  // namespace

// A pattern with both arrowheads, <-->, means the same as one without.
PatternDirection Binder::direction_of(const ast::RelationshipPattern& relationship) {
  if (relationship.points_left == relationship.points_right) return PatternDirection::any;
  return relationship.points_left ? PatternDirection::left : PatternDirection::right;
}

// Returns an empty list for anything but a list of names. Then the types become a condition, and an expansion reads
// relationships of all types.
std::vector<std::string> Binder::simple_types(const ast::LabelExpression& types) {
  if (types.kind == ast::LabelKind::name) return {types.name};
  if (types.kind != ast::LabelKind::any_of) return {};
  std::vector<std::string> names;
  for (const ast::LabelExpression& operand : types.operands) {
    if (operand.kind != ast::LabelKind::name) return {};
    names.push_back(operand.name);
  }
  return names;
}

// Declares the elements from left to right and the path variable last, so that p = ()-[p]-() is refused at "p =". The
// limit of nodes applies to the whole statement, because ordering the steps of a pattern takes quadratic time.
Result<PathPattern> Binder::declare_path(const ast::PathPattern& path, PatternUse use,
                                         std::vector<Slot>& introduced) {
  CAIRN_TRY(check_shortest(path));
  pattern_steps_ += path.element.steps.size() + 1;
  if (pattern_steps_ > most_pattern_steps) {
    return too_many(path, "the patterns of a statement have at most " +
                              std::to_string(most_pattern_steps) + " nodes");
  }
  PathPattern bound;
  bound.search = search_of(path.element);
  bound.is_selected = path.element.is_selected();
  bound.count = path.element.selector.count;
  CAIRN_ASSIGN(auto first, declare_node(path.element.first, use, introduced));
  bound.nodes.push_back(std::move(first));
  for (const ast::PathStep& step : path.element.steps) {
    CAIRN_ASSIGN(auto relationship, declare_relationship(step.relationship, use, introduced));
    bound.relationships.push_back(std::move(relationship));
    CAIRN_ASSIGN(auto node, declare_node(step.node, use, introduced));
    bound.nodes.push_back(std::move(node));
  }
  CAIRN_TRY(declare_path_variable(path, bound, introduced));
  return bound;
}

// A shortest path has exactly one relationship pattern, usually of variable length.
Status Binder::check_shortest(const ast::PathPattern& path) const {
  if (path.element.is_selected()) return check_selected(path);
  if (path.element.search == ast::PathSearch::every || path.element.steps.size() == 1) return {};
  return error(path,
               "a shortest path is searched between two nodes: "
               "shortestPath((a)-[:TYPE*]->(b))");
}

// A selected path has one relationship of variable length. Its variable must be new, because a known list is a single
// path. ALL selects nothing, so any path is accepted.
Status Binder::check_selected(const ast::PathPattern& path) const {
  if (path.element.selector.selection == ast::PathSelection::all) return {};
  if (path.element.selector.count == 0)
    return error(path, "SHORTEST and ANY select at least one path, got 0");
  const auto& steps = path.element.steps;
  if (steps.size() != 1 || !steps.front().relationship.hops().is_present)
    return error(path,
                 "paths are selected between two nodes, with one relationship and its quantifier: "
                 "ANY SHORTEST (a)-[:TYPE]->+(b)");
  const ast::Name& variable = steps.front().relationship.details.variable;
  if (variable.empty() || !scope_->find(variable.text)) return {};
  return already_bound(variable);
}

// As in Neo4j: the relationships of one MATCH differ, so a second pattern would affect which paths exist.
Status Binder::check_alone(std::span<const ast::PathPattern> paths) const {
  const auto selects = [](const ast::PathPattern& path) {
    return path.element.is_selected() && path.element.selector.selection != ast::PathSelection::all;
  };
  const auto found = std::ranges::find_if(paths, selects);
  if (found == paths.end() || paths.size() == 1) return {};
  return error(
      *found,
      "a pattern with a selector is the only one of its MATCH; write a MATCH for each pattern");
}

// openCypher: a path variable must be new (VariableAlreadyBound); the elements of the path may be bound before.
Status Binder::declare_path_variable(const ast::PathPattern& path, PathPattern& bound,
                                     std::vector<Slot>& introduced) {
  if (path.variable.empty()) return {};
  if (scope_->find(path.variable.text)) return already_bound(path.variable);
  CAIRN_TRY(check_unseen(path.variable));
  bound.name = path.variable.text;
  bound.slot = declare_local(path.variable, TypeKind::path);
  introduced.push_back(*bound.slot);
  return {};
}

// A known node variable refers to the bound node. An unknown variable is declared if the use of the pattern allows it.
Result<NodePattern> Binder::declare_node(const ast::NodePattern& node, PatternUse use,
                                         std::vector<Slot>& introduced) {
  NodePattern bound;
  bound.name = node.variable.text;
  const auto known = node.variable.empty() ? std::nullopt : scope_->find(node.variable.text);
  if (known) {
    if (!may_be_node(known->type)) {
      return error(node.variable, "`" + bound.name + "` is " + std::string(known->type.text()) +
                                      " and cannot be a node of the pattern");
    }
    bound.is_bound = true;
    bound.slot = known->slot;
    return bound;
  }
  if (node.variable.empty()) {
    bound.slot = scope_->allocate();
  } else {
    if (use == PatternUse::predicate) return undefined(node.variable, bound.name);
    CAIRN_TRY(check_unseen(node.variable));
    bound.slot = declare_local(node.variable, TypeKind::node);
  }
  introduced.push_back(bound.slot);
  return bound;
}

// A variable-length relationship has two slots: one for the list of relationships, and one for the single
// relationship that its conditions test.
Result<RelationshipPattern> Binder::declare_relationship(
    const ast::RelationshipPattern& relationship, PatternUse use, std::vector<Slot>& introduced) {
  const ast::Name& name = relationship.details.variable;
  RelationshipPattern bound;
  bound.name = name.text;
  bound.direction = direction_of(relationship);
  bound.types = simple_types(relationship.details.types);
  const bool is_list = relationship.hops().is_present;
  if (is_list) {
    CAIRN_ASSIGN(bound.hops, bind_hops(relationship));
    bound.element_slot = scope_->allocate();
  }
  if (!name.empty() && !clause_relationships_.insert(name.text).second) {
    return error(
        name,
        "`" + name.text +
            "` is used twice in one pattern, but all relationships of a pattern must be different");
  }
  const auto known = name.empty() ? std::nullopt : scope_->find(name.text);
  if (known) {
    if (!may_be_relationship(known->type, is_list)) {
      return error(name, "`" + name.text + "` is " + std::string(known->type.text()) +
                             " and cannot be a relationship of the pattern");
    }
    bound.is_bound = true;
    bound.slot = known->slot;
    return bound;
  }
  if (name.empty()) {
    bound.slot = scope_->allocate();
  } else {
    if (use == PatternUse::predicate) return undefined(name, name.text);
    CAIRN_TRY(check_unseen(name));
    bound.slot = declare_local(
        name, is_list ? StaticType::list_of(TypeKind::relationship) : TypeKind::relationship);
  }
  introduced.push_back(bound.slot);
  return bound;
}

// The forms: * is one hop or more, and *n exactly n hops. *n.. and *..m leave one bound open.
Result<HopRange> Binder::bind_hops(const ast::RelationshipPattern& relationship) const {
  if (relationship.quantifier.is_present && relationship.details.hops.is_present)
    return error(relationship,
                 "the hops are given twice, in the brackets and after them; remove one of them");
  const ast::Hops& hops = relationship.hops();
  HopRange range;
  range.least = hops.least.value_or(1);
  range.most = hops.is_range ? hops.most : hops.least;
  return range;
}

// Labels, properties and WHERE of each element become conditions on its slot. Binds from left to right: the
// conditions of a node before those of the next relationship.
Status Binder::bind_path_conditions(const ast::PathPattern& path, PathPattern& bound,
                                    std::vector<ExpressionPtr>& conjuncts) {
  const auto bind_node = [&](const ast::NodePattern& node, Slot slot) -> Status {
    if (!node.labels.empty()) {
      CAIRN_ASSIGN(auto condition, label_condition(node.labels, slot, node.labels));
      add_conjuncts(std::move(condition), conjuncts);
    }
    CAIRN_TRY(bind_properties(node.properties, slot, conjuncts));
    CAIRN_TRY(bind_system_conditions(node.system, slot, TypeKind::node, conjuncts));
    return bind_conjuncts(node.where, conjuncts);
  };
  CAIRN_TRY(bind_node(path.element.first, bound.nodes.front().slot));
  for (std::size_t i = 0; i < path.element.steps.size(); ++i) {
    const ast::PathStep& step = path.element.steps[i];
    CAIRN_TRY(
        bind_relationship_conditions(step.relationship.details, bound.relationships[i], conjuncts));
    CAIRN_TRY(bind_node(step.node, bound.nodes[i + 1].slot));
  }
  return {};
}

// The conditions of a variable-length relationship apply to each of its relationships. Types of the form :A|B are
// part of the pattern's shape and need no condition.
Status Binder::bind_relationship_conditions(const ast::RelationshipDetails& details,
                                            RelationshipPattern& bound,
                                            std::vector<ExpressionPtr>& conjuncts) {
  const Slot slot = bound.hops ? bound.element_slot : bound.slot;
  std::vector<ExpressionPtr>& target = bound.hops ? bound.each : conjuncts;
  if (!details.types.empty() && bound.types.empty()) {
    CAIRN_ASSIGN(auto condition, label_condition(details.types, slot, details.types));
    add_conjuncts(std::move(condition), target);
  }
  CAIRN_TRY(bind_properties(details.properties, slot, target));
  CAIRN_TRY(bind_system_conditions(details.system, slot, TypeKind::relationship, target));
  if (!bound.hops || details.variable.empty()) return bind_conjuncts(details.where, target);
  // In this WHERE the variable means one relationship, and not the list of relationships.
  const Scope::Frame frame(*scope_);
  scope_->declare_at(details.variable.text, {slot, TypeKind::relationship});
  return bind_conjuncts(details.where, target);
}

// {a: 1} becomes n.a = 1, so an index can answer the condition, and null never matches.
Status Binder::bind_properties(const ast::Expression& properties, Slot slot,
                               std::vector<ExpressionPtr>& conjuncts) {
  if (properties.empty()) return {};
  const auto* map = properties.get_if<ast::MapLiteral>();
  if (map == nullptr) {
    return error(properties,
                 "a parameter cannot stand for all properties of a pattern; write "
                 "{key: $parameter.key}");
  }
  for (const ast::MapEntry& entry : map->entries) {
    auto property = make(ExpressionKind::property, entry.key);
    property->name = entry.key.text;
    property->children.push_back(make_variable(slot, entry.key));
    CAIRN_ASSIGN(auto value, bind_untyped(entry.value));
    auto condition = make(ExpressionKind::equal, entry.key);
    condition->children.push_back(std::move(property));
    condition->children.push_back(std::move(value));
    conjuncts.push_back(std::move(condition));
  }
  return {};
}

void Binder::add_conjuncts(ExpressionPtr condition, std::vector<ExpressionPtr>& conjuncts) {
  if (condition->kind != ExpressionKind::logical_and) {
    conjuncts.push_back(std::move(condition));
    return;
  }
  std::ranges::move(condition->children, std::back_inserter(conjuncts));
}

// Converts a label expression such as :(A&!B)|% to logical operations. Recursion is as deep as its parentheses. For a
// relationship, the names are types. The result is null for a null entity.
Result<ExpressionPtr> Binder::label_condition(const ast::LabelExpression& labels, Slot slot,
                                              const ast::Located& where) {
  using ast::LabelKind;
  if (labels.kind == LabelKind::by_value) return label_value_condition(labels, slot, where);
  const bool is_leaf = labels.kind == LabelKind::name || labels.kind == LabelKind::any_label;
  if (is_leaf) {
    const bool is_name = labels.kind == LabelKind::name;
    auto leaf = make(is_name ? ExpressionKind::has_label : ExpressionKind::has_any_label, where);
    leaf->name = labels.name;
    leaf->children.push_back(make_variable(slot, where));
    return leaf;
  }
  const auto kind = labels.kind == LabelKind::negation ? ExpressionKind::logical_not
                    : labels.kind == LabelKind::all_of ? ExpressionKind::logical_and
                                                       : ExpressionKind::logical_or;
  auto result = make(kind, where);
  for (const ast::LabelExpression& operand : labels.operands) {
    CAIRN_ASSIGN(auto child, label_condition(operand, slot, where));
    result->children.push_back(std::move(child));
  }
  return result;
}

// $(names) and $any(names). The value may use all variables of the clause.
Result<ExpressionPtr> Binder::label_value_condition(const ast::LabelExpression& labels, Slot slot,
                                                    const ast::Located& where) {
  CAIRN_ASSIGN(auto names, bind_untyped(labels.value.front()));
  auto result = make(ExpressionKind::has_labels, where);
  result->flag = labels.is_any;
  result->children.push_back(make_variable(slot, where));
  result->children.push_back(std::move(names));
  return result;
}

// MATCH: paths and one list of conditions: labels, inline properties, inline WHERE and the WHERE of the clause. The
// conditions keep their order, because conditions that are checked at the same step run in this order.

// Declares the variables of all paths first, because a condition may use variables of any path. `introduced` gets the
// slots that had no value before; OPTIONAL MATCH sets them to null if nothing matches. A relationship variable may
// occur only once in all paths.
Result<MatchClause> Binder::bind_match(std::span<const ast::PathPattern> paths, PatternUse use) {
  const Restored<std::unordered_set<std::string_view>> fresh(clause_relationships_, {});
  CAIRN_TRY(check_alone(paths));
  MatchClause match;
  for (const ast::PathPattern& path : paths) {
    CAIRN_ASSIGN(auto bound, declare_path(path, use, match.introduced));
    match.paths.push_back(std::move(bound));
  }
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (is_only_bound_node(match, match.paths[i])) {
      // This test comes first, because a test of labels would accept a relationship too.
      const ast::Name& variable = paths[i].element.first.variable;
      ExpressionPtr test = make(ExpressionKind::is_node, variable);
      test->name = variable.text;
      test->children.push_back(make_variable(match.paths[i].nodes[0].slot, variable));
      match.conjuncts.push_back(std::move(test));
    }
    CAIRN_TRY(bind_path_conditions(paths[i], match.paths[i], match.conjuncts));
    CAIRN_TRY(bind_conjuncts(paths[i].element.where, match.conjuncts));
  }
  match.inner_conjuncts = match.conjuncts.size();
  match.width = scope_->width();
  return match;
}

// The inputs of a SEARCH are bound before the variables of the pattern exist. Its filter and outputs are bound after
// the pattern, and before the WHERE of the MATCH, which may use the score.
Result<Clause> Binder::bind_clause(const ast::Match& clause, const ast::Clause&) {
  const bool has_search = !clause.search.variable.empty();
  std::optional<SearchClause> search;
  if (has_search) {
    CAIRN_ASSIGN(search, bind_search_inputs(clause.search));
  }
  CAIRN_ASSIGN(MatchClause match, bind_match(clause.paths, PatternUse::match));
  match.optional = clause.is_optional;
  match.search = std::move(search);
  if (has_search) CAIRN_TRY(bind_search_target(clause.search, match));
  CAIRN_TRY(bind_conjuncts(clause.where, match.conjuncts));
  match.width = scope_->width();
  return Clause(std::move(match));
}

}  // namespace cairn::query
