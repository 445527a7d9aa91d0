// MERGE as a MATCH: labels and properties of the pattern become conditions, with values that were
// evaluated once for the row into slots behind the variables. So matching and creating use the same
// values even where they are rand() or a changing property. The expressions are owned by the plan.
//
//    MERGE (a:A {x: f()})   ->   slot s = f();  MATCH (a) WHERE a:A AND a.x = s
#include "query/plan/merge_planner.hpp"

#include "query/bind/bound_query.hpp"
#include "query/functions/system_fields.hpp"
#include "query/plan/pattern_layout.hpp"

#include <span>
#include <utility>

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

// entity.name, or entity@name, = the value that was evaluated for this row.
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

// Collects the conditions that MERGE looks for its pattern with.
class MergePlanner {
 public:
  MergePlanner(Slot first_slot, std::vector<ExpressionPtr>& synthesized)
      : next_slot_(first_slot), synthesized_(synthesized) {}

  /// A parameter as a whole map is refused, because its keys must be known to be looked for. Each
  /// value has a slot of its own, evaluated once for the search and for what is created: rand()
  /// must be the same in both.
  Result<std::vector<MergePattern::Property>> properties(const ExpressionPtr& made, Slot entity) {
    std::vector<MergePattern::Property> properties;
    const Expression* map = properties_of(made);
    if (map != nullptr && map->kind != ExpressionKind::map)
      return Error{ErrorCode::parse_error,
                   "MERGE needs its properties written out, as in {key: $parameter.key}",
                   map->where};
    add_tests(map, false, entity, properties);
    add_tests(system_of(made), true, entity, properties);
    return properties;
  }

  void add(ExpressionPtr condition) {
    select_.conjuncts.push_back(condition.get());
    synthesized_.push_back(std::move(condition));
  }

  Select take() { return std::move(select_); }

 private:
  void add_tests(const Expression* map, bool is_system, Slot entity,
                 std::vector<MergePattern::Property>& properties) {
    if (map == nullptr) return;
    for (std::size_t i = 0; i < map->names.size(); ++i) {
      properties.push_back({next_slot_++, is_system, map->names[i], map->children[i].get()});
      add(make_property_test(entity, properties.back()));
    }
  }

  Slot next_slot_;
  std::vector<ExpressionPtr>& synthesized_;
  Select select_;
};

// The pattern as a MATCH of its own, from the row that MERGE works on.
// Laid out in the order of the text; the optimizer orders it like any other pipeline.
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
//    slots s, t hold x, y;  match  (a)-[r:R]->(b)  where  a:A and a.p = s and r.q = t
Result<MergePattern> plan_merge(const MergeClause& clause, const MergePlace& place,
                                std::vector<ExpressionPtr>& synthesized) {
  MergePattern merge;
  merge.clause = &clause;
  MergePlanner planner(place.first_slot, synthesized);
  for (const NodePattern& node : clause.path.nodes) {
    for (const std::string& label : node.labels) planner.add(make_label_test(node.slot, label));
    CAIRN_ASSIGN(auto properties, planner.properties(node.properties, node.slot));
    merge.node_properties.push_back(std::move(properties));
  }
  for (const RelationshipPattern& step : clause.path.relationships) {
    CAIRN_ASSIGN(auto properties, planner.properties(step.properties, step.slot));
    merge.relationship_properties.push_back(std::move(properties));
  }
  merge.match = look_for(clause.path, planner.take(), place);
  return merge;
}

}  // namespace cairn::query
