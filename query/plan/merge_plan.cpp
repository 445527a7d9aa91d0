// Plans MERGE as a MATCH. Labels and properties of the pattern become conditions. Property
// values are evaluated once per row into slots after the variables. So matching and creating use the same values,
// even of rand() or of a property that changes. The plan owns the new expressions.
//
//    MERGE (a:A {x: f()})   ->   slot s = f();  MATCH (a) WHERE a:A AND a.x = s
#include "query/bind/bound_query.hpp"
#include "query/functions/system_fields.hpp"
#include "query/plan/pattern_layout.hpp"
#include "query/plan/planner.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

ExpressionPtr make(ExpressionKind kind, const TextRange& where) {
  auto expression = std::make_unique<Expression>();
  expression->kind = kind;
  expression->where = where;
  return expression;
}

ExpressionPtr make_variable(Slot slot, const TextRange& where) {
  ExpressionPtr variable = make(ExpressionKind::variable, where);
  variable->slot = slot;
  return variable;
}

ExpressionPtr make_label_test(Slot slot, const std::string& label) {
  ExpressionPtr test = make(ExpressionKind::has_label, {});
  test->name = label;
  test->children.push_back(make_variable(slot, {}));
  return test;
}

// Tests for all labels, or for the type, in the slot.
ExpressionPtr make_names_test(Slot entity, const MergePattern::Names& names) {
  const TextRange& where = names.value->where;
  ExpressionPtr test = make(ExpressionKind::has_labels, where);
  test->children.push_back(make_variable(entity, where));
  test->children.push_back(make_variable(names.slot, where));
  return test;
}

// Makes the test entity.name = slot, or entity@name = slot, where the slot holds the value for this row.
ExpressionPtr make_property_test(Slot entity, const MergePattern::Property& property) {
  const TextRange& where = property.value->where;
  ExpressionPtr read =
      make(property.is_system ? ExpressionKind::function_call : ExpressionKind::property, where);
  if (property.is_system)
    read->function = find_system_field(property.name);
  else
    read->name = property.name;
  read->children.push_back(make_variable(entity, where));
  ExpressionPtr test = make(ExpressionKind::equal, where);
  test->children.push_back(std::move(read));
  test->children.push_back(make_variable(property.slot, where));
  return test;
}

// Collects the conditions with which MERGE matches its pattern.
class MergePlanner {
 public:
  MergePlanner(Slot first_slot, std::vector<ExpressionPtr>& synthesized)
      : first_slot_(first_slot), next_slot_(first_slot), synthesized_(synthesized) {}

  /// Returns the properties of one node or relationship, each with a slot for its value. A parameter in place of the
  /// map is an error, because MERGE must know the keys to match.
  Result<std::vector<MergePattern::Property>> properties(const ExpressionPtr& made, Slot entity) {
    std::vector<MergePattern::Property> properties;
    const Expression* map = properties_of(made);
    if (map != nullptr && map->kind != ExpressionKind::map)
      return Error{
          ErrorCode::parse_error,
          "MERGE needs the keys of its properties in the statement, as in {key: $parameter.key}",
          map->where};
    add_tests(map, false, entity, properties);
    add_tests(system_of(made), true, entity, properties);
    return properties;
  }

  /// Returns the labels or the type by value with a slot, if `value` is not null.
  MergePattern::Names names(const ExpressionPtr& value, Slot entity) {
    if (value == nullptr) return {};
    const MergePattern::Names names{next_slot_++, value.get()};
    add(make_names_test(entity, names));
    return names;
  }

  [[nodiscard]] std::uint32_t slots() const { return next_slot_ - first_slot_; }

  void add(ExpressionPtr condition) {
    select_.conjuncts.push_back(condition.get());
    synthesized_.push_back(std::move(condition));
  }

  Select take() { return std::move(select_); }

 private:
  // Adds a slot and a condition for each entry of the map.
  void add_tests(const Expression* map, bool is_system, Slot entity,
                 std::vector<MergePattern::Property>& properties) {
    if (map == nullptr) return;
    for (std::size_t i = 0; i < map->names.size(); ++i) {
      properties.push_back({next_slot_++, is_system, map->names[i], map->children[i].get()});
      add(make_property_test(entity, properties.back()));
    }
  }

  Slot first_slot_;
  Slot next_slot_;
  std::vector<ExpressionPtr>& synthesized_;
  Select select_;
};

// Plans the pattern like a MATCH that starts from the row of the MERGE. The steps are in the order of the text, and
// the optimizer may reorder them.
Pipeline look_for(const PathPattern& path, Select select, const MergePlace& place) {
  const std::span paths(&path, 1);
  const PatternGraph graph(PatternSource{paths});
  PatternLayout layout(graph, place.clause, place.width);
  layout.finish();
  Pipeline pipeline;
  pipeline.width = place.width;
  pipeline.patterns.emplace(place.clause, PatternSource{paths, nullptr});
  pipeline.operators = layout.take();
  if (!select.conjuncts.empty())
    pipeline.operators.push_back({std::move(select), place.width, place.clause, 0});
  return pipeline;
}

}  // namespace

//    MERGE (a:A {p: x})-[:R {q: y}]->(b)
//    becomes: slots s and t hold x and y;  MATCH (a)-[r:R]->(b) WHERE a:A AND a.p = s AND r.q = t
Result<MergePattern> plan_merge(const MergeClause& clause, const MergePlace& place,
                                std::vector<ExpressionPtr>& synthesized) {
  MergePattern merge;
  merge.clause = &clause;
  MergePlanner planner(place.first_slot, synthesized);
  for (const NodePattern& node : clause.path.nodes) {
    for (const std::string& label : node.labels) planner.add(make_label_test(node.slot, label));
    merge.node_names.push_back(planner.names(node.labels_by_value, node.slot));
    CAIRN_ASSIGN(auto properties, planner.properties(node.properties, node.slot));
    merge.node_properties.push_back(std::move(properties));
  }
  for (const RelationshipPattern& step : clause.path.relationships) {
    merge.relationship_names.push_back(planner.names(step.type_by_value, step.slot));
    CAIRN_ASSIGN(auto properties, planner.properties(step.properties, step.slot));
    merge.relationship_properties.push_back(std::move(properties));
  }
  merge.slots = planner.slots();
  merge.match = look_for(clause.path, planner.take(), place);
  return merge;
}

}  // namespace cairn::query
