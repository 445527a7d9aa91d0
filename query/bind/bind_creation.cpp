// Patterns of CREATE and MERGE, and system fields in all clauses.
//
// In these patterns, a bound variable must have no labels and properties. Labels and properties of unbound elements are
// values to create and not conditions. A relationship needs exactly one type and, in CREATE, a direction. The planner
// turns the pattern of a MERGE into conditions as well, because MERGE matches first.

#include "query/bind/binder.hpp"
#include "query/bind/bound_query.hpp"
#include "query/functions/system_fields.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

// True if the pattern would set anything on a new node.
bool has_details(const ast::NodePattern& node) {
  return !node.labels.empty() || !node.properties.empty() || !node.system.empty();
}

}  // namespace

// Binds from left to right: the properties of an element may use elements before it. `introduced` gets the slots that
// had no value before the clause; the slot of the path is the last.
Result<PathPattern> Binder::create_path(const ast::PathPattern& path, Creation creation,
                                        std::vector<Slot>& introduced) {
  if (path.element.search != ast::PathSearch::every || path.element.is_selected()) {
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

// A bound node must have no labels and properties, and be the end of a relationship. A bound node alone, as in
// CREATE (a), would do nothing and is refused as a second definition.
Result<NodePattern> Binder::create_node(const ast::NodePattern& node, Creation creation,
                                        bool is_alone, std::vector<Slot>& introduced) {
  if (!node.where.empty())
    return error(node.where, "WHERE is not allowed in a pattern of CREATE or MERGE");
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
  if (!node.labels.empty()) {
    CAIRN_ASSIGN(ChangedLabels labels, changed_labels(node.labels));
    bound.labels = std::move(labels.names);
    bound.labels_by_value = std::move(labels.by_value);
  }
  CAIRN_ASSIGN(bound.properties, created_properties(node.properties, creation));
  CAIRN_TRY(add_system(node.system, creation, TypeKind::node, bound.properties));
  bound.slot =
      node.variable.empty() ? scope_->allocate() : declare_local(node.variable, TypeKind::node);
  introduced.push_back(bound.slot);
  return bound;
}

// MERGE may omit the direction, because it matches first. A relationship that it creates then points right.
Result<RelationshipPattern> Binder::create_relationship(
    const ast::RelationshipPattern& relationship, Creation creation,
    std::vector<Slot>& introduced) {
  const ast::RelationshipDetails& details = relationship.details;
  if (!details.where.empty()) {
    return error(details.where, "WHERE is not allowed in a pattern of CREATE or MERGE");
  }
  if (relationship.hops().is_present) {
    return error(relationship, "a relationship of variable length can be matched, but not made");
  }
  const bool is_by_value = details.types.kind == ast::LabelKind::by_value;
  if (details.types.kind != ast::LabelKind::name && !is_by_value) {
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
  if (is_by_value) {
    CAIRN_ASSIGN(bound.type_by_value, changed_value(details.types, details.types));
  } else {
    bound.types = {details.types.name};
  }
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

// Accepts only a list of names, because other label expressions do not determine the labels to create.
Result<std::vector<std::string>> Binder::created_labels(const ast::LabelExpression& labels,
                                                        const ast::Located& where) const {
  std::vector<std::string> names;
  if (labels.kind == ast::LabelKind::name) {
    names.push_back(labels.name);
    return names;
  }
  for (const ast::LabelExpression& operand : labels.operands) {
    if (labels.kind != ast::LabelKind::all_of || operand.kind != ast::LabelKind::name) {
      return error(where, "labels to create, set or remove must be a list: :A:B or :A&B");
    }
    names.push_back(operand.name);
  }
  if (names.empty()) return error(where, "a label is missing here, such as :Person");
  return names;
}

// Labels by value, as in n:A:$(names), become one list. Its elements are names or lists of names.
Result<Binder::ChangedLabels> Binder::changed_labels(const ast::LabelExpression& labels) {
  ChangedLabels changed;
  const bool is_single = labels.kind != ast::LabelKind::all_of;
  std::vector<ExpressionPtr> values;
  for (const ast::LabelExpression& one :
       is_single ? std::span(&labels, 1) : std::span(labels.operands)) {
    if (one.kind != ast::LabelKind::by_value) {
      CAIRN_ASSIGN(const auto names, created_labels(one, labels));
      changed.names.insert(changed.names.end(), names.begin(), names.end());
      continue;
    }
    CAIRN_ASSIGN(auto value, changed_value(one, labels));
    values.push_back(std::move(value));
  }
  if (values.empty()) return changed;
  changed.by_value = make(ExpressionKind::list, labels);
  changed.by_value->children = std::move(values);
  return changed;
}

Result<ExpressionPtr> Binder::changed_value(const ast::LabelExpression& labels,
                                            const ast::Located& where) {
  if (labels.is_any)
    return error(where,
                 "$any(names) is a condition; to give a record all these names, write $(names)");
  return bind_untyped(labels.value.front());
}

// In CREATE a parameter may replace the map. MERGE needs the keys when it is planned, because each key becomes a
// condition.
Result<ExpressionPtr> Binder::created_properties(const ast::Expression& properties,
                                                 Creation creation) {
  if (creation == Creation::merge && properties.get_if<ast::Parameter>() != nullptr) {
    return error(properties,
                 "a parameter cannot stand for all properties in MERGE; write {key: "
                 "$parameter.key}, or set them ON CREATE");
  }
  return bind_optional(properties);
}

// System fields: n@expires_at, (n @ {external_id: $id}), SET n@expires_at = ...
//
// Reading a field becomes a call of a function that has no name in the language. So estimates, plans and EXPLAIN treat
// fields as calls. `n @ {field: value}` is the condition n@field = value if the pattern is matched, and a map of values
// if it is created.

namespace {

// The two fields that a statement can set.
constexpr std::string_view expires_at = "expires_at";
constexpr std::string_view external_id = "external_id";

bool may_have_fields(StaticType type) { return type.is_entity() || type.is_open(); }

}  // namespace

// Finds the function that reads a system field.
Result<const FunctionEntry*> Binder::system_field(std::string_view name,
                                                  const ast::Located& where) const {
  if (const FunctionEntry* entry = find_system_field(name)) return entry;
  const std::string_view near = nearest_system_field(name);
  return error(where, "there is no system field `" + std::string(name) + "`" +
                          (near.empty() ? "; the system fields are " + system_field_names()
                                        : ", did you mean @" + std::string(near) + "?"));
}

// Binds n@field to a call of the function that reads the field.
Result<Typed> Binder::bind_system_field(Typed base, const ast::SystemField& field,
                                        const ast::Located& where) {
  CAIRN_ASSIGN(const FunctionEntry* entry, system_field(field.name, field));
  if (!may_have_fields(base.type)) return wrong_type(where, base.type, "a node or a relationship");
  if (field.name == external_id && base.type.is(TypeKind::relationship))
    return error(where, "a relationship has no external id; only nodes have one");
  auto result = make(ExpressionKind::function_call, where);
  result->function = entry;
  result->children.push_back(std::move(base.expression));
  return Typed{std::move(result), {}};
}

// Converts n @ {field: value} to conditions n@field = value.
Status Binder::bind_system_conditions(const ast::Expression& fields, Slot slot, StaticType type,
                                      std::vector<ExpressionPtr>& conjuncts) {
  const auto* map = fields.get_if<ast::MapLiteral>();
  if (map == nullptr) return {};
  for (const ast::MapEntry& entry : map->entries) {
    ast::SystemField field;
    static_cast<ast::Located&>(field) = entry.key;
    field.name = entry.key.text;
    CAIRN_ASSIGN(Typed read,
                 bind_system_field({make_variable(slot, entry.key), type}, field, entry.key));
    CAIRN_ASSIGN(auto value, bind_untyped(entry.value));
    auto condition = make(ExpressionKind::equal, entry.key);
    condition->children.push_back(std::move(read.expression));
    condition->children.push_back(std::move(value));
    conjuncts.push_back(std::move(condition));
  }
  return {};
}

// MERGE finds a node by its external id. The expiry does not identify a node, so a MERGE must not have an expiry.
Status Binder::check_given(const ast::Name& field, Creation creation, StaticType type) const {
  const std::string& name = field.text;
  CAIRN_TRY(system_field(name, field));
  if (name != external_id && name != expires_at)
    return error(field, "@" + name + " is read only; only external_id and expires_at can be given");
  if (name == external_id && !type.is(TypeKind::node))
    return error(field, "a relationship has no external id; only nodes have one");
  if (name == expires_at && creation == Creation::merge)
    return error(
        field,
        "MERGE finds a node by its external_id; set the expiry by ON CREATE SET and ON MATCH "
        "SET n@expires_at");
  return {};
}

// Extends the expression for properties to a list of two maps: properties and system fields.
Status Binder::add_system(const ast::Expression& fields, Creation creation, StaticType type,
                          ExpressionPtr& made) {
  const auto* map = fields.get_if<ast::MapLiteral>();
  if (map == nullptr) return {};
  for (const ast::MapEntry& entry : map->entries) CAIRN_TRY(check_given(entry.key, creation, type));
  CAIRN_ASSIGN(auto bound, bind_untyped(fields));
  auto both = make(ExpressionKind::list, fields);
  both->children.push_back(made != nullptr ? std::move(made) : make(ExpressionKind::map, fields));
  both->children.push_back(std::move(bound));
  made = std::move(both);
  return {};
}

// SET can change expires_at only. An external id is set when the node is created.
Status Binder::check_settable(const ast::SystemField& field) const {
  CAIRN_TRY(system_field(field.name, field));
  if (field.name == expires_at) return {};
  if (field.name == external_id)
    return error(field,
                 "@external_id is set when the node is created, and cannot be changed: CREATE (n @ "
                 "{external_id: ...})");
  return error(field, "@" + field.name + " is read only");
}

// SET must assign with =. REMOVE has no assignment and no value.
Result<SetItem> Binder::bind_expiry(const ast::SuffixChain& chain, const ast::Expression& whole,
                                    const ast::SetAssignment* assignment) {
  CAIRN_TRY(check_settable(std::get<ast::SystemField>(chain.suffixes.back().content)));
  SetItem bound;
  bound.kind = SetItem::Kind::expiry;
  if (assignment != nullptr) {
    if (assignment->op != ast::SetOperator::assign)
      return error(whole, "@expires_at must be set with = and a datetime");
    CAIRN_ASSIGN(bound.value, bind_untyped(assignment->value));
  }
  CAIRN_ASSIGN(bound.target, bind_owner(chain, whole));
  return bound;
}

}  // namespace cairn::query
