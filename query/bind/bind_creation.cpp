// Patterns that CREATE and MERGE make.
// The difference to a pattern that is matched: what is named and bound stands bare, labels and
// properties are what is to be, not conditions, and everything else must be said in full (one type,
// for CREATE a direction). MERGE has its pattern bound here, too; merge_planner.cpp makes
// conditions of it.

#include "query/bind/binder.hpp"

namespace cairn::query {
namespace {

bool has_details(const ast::NodePattern& node) {
  return !node.labels.empty() || !node.properties.empty() || !node.system.empty();
}

}  // namespace

// Left to right: what is made first may be named by the properties of what is made later.
// `introduced` gets the slots that have no value before the clause, the path's own last.
Result<PathPattern> Binder::create_path(const ast::PathPattern& path, Creation creation,
                                        std::vector<Slot>& introduced) {
  if (path.element.search != ast::PathSearch::every) {
    return error(path, "a shortest path can be matched, but not made");
  }
  PathPattern bound;
  const bool is_alone = path.element.steps.empty();
  CAIRN_ASSIGN(auto first, create_node(path.element.first, creation, is_alone, introduced));
  bound.nodes.push_back(std::move(first));
  for (const ast::PathStep& step : path.element.steps) {
    CAIRN_ASSIGN(auto relationship, create_relationship(step.relationship, creation, introduced));
    bound.relationships.push_back(std::move(relationship));
    CAIRN_ASSIGN(auto node, create_node(step.node, creation, false, introduced));
    bound.nodes.push_back(std::move(node));
  }
  CAIRN_TRY(declare_path_variable(path, bound, introduced));
  return bound;
}

// A bound node stands bare, as an end of a relationship: anything more would be a second meaning.
// A node alone, CREATE (a), with `a` bound before, would do nothing and is refused as a second
// definition.
Result<NodePattern> Binder::create_node(const ast::NodePattern& node, Creation creation,
                                        bool is_alone, std::vector<Slot>& introduced) {
  if (!node.where.empty()) return error(node.where, "WHERE has no place in a pattern to be made");
  NodePattern bound;
  bound.name = node.variable.text;
  const auto known = node.variable.empty() ? std::nullopt : scope_->find(node.variable.text);
  if (known) {
    if (!known->type.is(TypeKind::node) && !known->type.is_open()) {
      return error(node.variable, "`" + bound.name + "` is " + std::string(known->type.text()) +
                                      " and cannot be a node of the pattern");
    }
    if (is_alone || has_details(node)) return already_bound(node.variable);
    bound.is_bound = true;
    bound.slot = known->slot;
    return bound;
  }
  CAIRN_ASSIGN(bound.labels, created_labels(node.labels));
  CAIRN_ASSIGN(bound.properties, created_properties(node.properties, creation));
  CAIRN_TRY(add_system(node.system, creation, TypeKind::node, bound.properties));
  bound.slot =
      node.variable.empty() ? scope_->allocate() : declare_local(node.variable, TypeKind::node);
  introduced.push_back(bound.slot);
  return bound;
}

// MERGE may leave the direction open, for it matches first; what it makes then points right.
Result<RelationshipPattern> Binder::create_relationship(
    const ast::RelationshipPattern& relationship, Creation creation,
    std::vector<Slot>& introduced) {
  const ast::RelationshipDetails& details = relationship.details;
  if (!details.where.empty()) {
    return error(details.where, "WHERE has no place in a pattern to be made");
  }
  if (relationship.hops().is_present) {
    return error(relationship, "a relationship of variable length can be matched, but not made");
  }
  if (details.types.kind != ast::LabelKind::name) {
    return error(relationship, "a relationship is made with exactly one type: -[:TYPE]->");
  }
  const bool is_directed = relationship.points_left != relationship.points_right;
  if (creation == Creation::create && !is_directed) {
    return error(relationship, "a relationship is made with a direction: --> or <--");
  }
  if (!details.variable.empty() && scope_->find(details.variable.text)) {
    return already_bound(details.variable);
  }
  RelationshipPattern bound;
  bound.name = details.variable.text;
  bound.types = {details.types.name};
  bound.direction = !is_directed               ? PatternDirection::any
                    : relationship.points_left ? PatternDirection::left
                                               : PatternDirection::right;
  CAIRN_ASSIGN(bound.properties, created_properties(details.properties, creation));
  CAIRN_TRY(add_system(details.system, creation, TypeKind::relationship, bound.properties));
  bound.slot = details.variable.empty() ? scope_->allocate()
                                        : declare_local(details.variable, TypeKind::relationship);
  introduced.push_back(bound.slot);
  return bound;
}

// Only a conjunction of names says which labels there are to be.
Result<std::vector<std::string>> Binder::created_labels(const ast::LabelExpression& labels) const {
  std::vector<std::string> names;
  if (labels.empty()) return names;
  if (labels.kind == ast::LabelKind::name) {
    names.push_back(labels.name);
    return names;
  }
  if (has_value(labels))
    return error(labels, "labels by value are set when there is a node: CREATE (n) SET n:$(names)");
  for (const ast::LabelExpression& operand : labels.operands) {
    if (labels.kind != ast::LabelKind::all_of || operand.kind != ast::LabelKind::name) {
      return error(labels, "labels to be set or removed are listed: :A:B or :A&B");
    }
    names.push_back(operand.name);
  }
  if (names.empty()) return error(labels, "a label is missing here");
  return names;
}

// In CREATE a parameter may stand for the map. MERGE needs the keys when it is planned, for each is
// a condition.
Result<ExpressionPtr> Binder::created_properties(const ast::Expression& properties,
                                                 Creation creation) {
  if (creation == Creation::merge && properties.get_if<ast::Parameter>() != nullptr) {
    return error(properties,
                 "a parameter cannot stand for all properties in MERGE; write {key: "
                 "$parameter.key}, or set them ON CREATE");
  }
  return bind_optional(properties);
}

}  // namespace cairn::query
