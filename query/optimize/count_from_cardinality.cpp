// MATCH (n ...) RETURN count(*) and MATCH ()-[r ...]->() RETURN count(r): the answer is the size of
// a bitmap; no row is made and, where the indexes are exact, no record read.
//    ScanNodes (n) | filter                       CountRows (n)
//    Aggregate count(*)                        ->     | filter
//
//    ScanNodes (n) | filter                       CountRows (n)
//    Aggregate count(n.p)                      ->     | filter and n.p IS NOT NULL
//
//    ScanNodes (a), Expand (a)-[r:T]->(b)         CountRows (r)
//    Aggregate count(r)                        ->     | r:T
//
// Sound where each id is one row: no duplicates, no further condition, and for relationships a
// direction (without one each is met twice) and ends that may be seen. Where the filter is inexact,
// CountRows reads records.

#include "query/optimize/rules.hpp"
#include "query/plan/pattern_layout.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace cairn::query {
namespace {

bool counts_rows(const Operator& one, Slot slot) {
  const auto* aggregate = std::get_if<Aggregate>(&one.content);
  if (aggregate == nullptr || !aggregate->clause->keys.empty()) return false;
  const auto& calls = aggregate->clause->aggregates;
  return !calls.empty() && std::all_of(calls.begin(), calls.end(), [&](const AggregateCall& call) {
    return counts_rows(call, slot);
  });
}

// Each relationship is met once: from its start, or from its end, and by no other condition.
bool is_free_step(const Walk& walk) {
  return walk.pattern->direction != PatternDirection::any && walk.from != walk.to &&
         !walk.to_is_bound && walk.unlike.empty() && !walk.pattern->is_bound;
}

// What is counted, if it is one set of ids, and how many operators lead to it.
struct Counted {
  FilterPlan filter;
  std::string name;
  std::size_t operators = 1;
  ExpressionPtr condition = nullptr;
};

std::optional<Counted> counted_nodes(Pipeline& pipeline) {
  auto* scan = std::get_if<ScanNodes>(&pipeline.operators[0].content);
  if (scan == nullptr || !counts_rows(pipeline.operators[1], scan->filter.slot))
    return std::nullopt;
  return Counted{std::move(scan->filter), scan->name, 1};
}

/// The property whose values all calls count, each row's; or nothing.
const std::string* counted_property(const Operator& one, Slot slot) {
  const auto* aggregate = std::get_if<Aggregate>(&one.content);
  if (aggregate == nullptr || !aggregate->clause->keys.empty()) return nullptr;
  const std::string* counted = nullptr;
  for (const AggregateCall& call : aggregate->clause->aggregates) {
    const bool counts =
        call.function != nullptr && call.function->name == "count" && !call.distinct;
    const std::string* property = counts ? property_of_slot(*call.arguments[0], slot) : nullptr;
    if (property == nullptr || (counted != nullptr && *counted != *property)) return nullptr;
    counted = property;
  }
  return counted;
}

ExpressionPtr is_there(const std::string& property, Slot slot) {
  const auto make = [](ExpressionKind kind) {
    auto expression = std::make_unique<Expression>();
    expression->kind = kind;
    return expression;
  };
  ExpressionPtr variable = make(ExpressionKind::variable), read = make(ExpressionKind::property),
                condition = make(ExpressionKind::is_not_null);
  variable->slot = slot;
  read->name = property;
  read->children.push_back(std::move(variable));
  condition->children.push_back(std::move(read));
  return condition;
}

// count(n.p) counts the rows that have p.
std::optional<Counted> counted_values(Pipeline& pipeline) {
  auto* scan = std::get_if<ScanNodes>(&pipeline.operators[0].content);
  if (scan == nullptr) return std::nullopt;
  const Slot slot = scan->filter.slot;
  const std::string* property = counted_property(pipeline.operators[1], slot);
  if (property == nullptr) return std::nullopt;
  ExpressionPtr condition = is_there(*property, slot);
  FilterNodePtr node = build_filter(*condition, slot);
  if (node == nullptr) return std::nullopt;
  scan->filter.conjuncts.push_back({{condition.get()}, std::move(node)});
  scan->filter.is_estimated = false;
  return Counted{std::move(scan->filter), scan->name, 1, std::move(condition)};
}

std::optional<Counted> counted_relationships(Pipeline& pipeline) {
  auto* scan = std::get_if<ScanRelationships>(&pipeline.operators[0].content);
  if (scan == nullptr || !is_free_step(scan->walk) || scan->from_is_bound ||
      !counts_rows(pipeline.operators[1], scan->walk.pattern->slot))
    return std::nullopt;
  return Counted{std::move(scan->filter), scan->walk.pattern->name, 1};
}

// All nodes, and their relationships of some types: each relationship once.
std::optional<Counted> counted_steps(Pipeline& pipeline) {
  const auto* scan = std::get_if<ScanNodes>(&pipeline.operators[0].content);
  const auto* expand = std::get_if<Expand>(&pipeline.operators[1].content);
  if (scan == nullptr || expand == nullptr || pipeline.operators.size() < 3 ||
      !scan->filter.conjuncts.empty() || !is_free_step(expand->walk) ||
      !counts_rows(pipeline.operators[2], expand->walk.pattern->slot))
    return std::nullopt;
  return Counted{type_filter(*expand->walk.pattern), expand->walk.pattern->name, 2};
}

// The group row of a count without keys is its aggregates alone.
// The filter may have been made here.
Status replace(Pipeline& pipeline, Counted counted, const OptimizerInputs& inputs) {
  if (!counted.filter.is_estimated) CAIRN_TRY(inputs.statistics.estimate(counted.filter));
  Operator& aggregate = pipeline.operators[counted.operators];
  CountRows count;
  count.filter = std::move(counted.filter);
  count.name = std::move(counted.name);
  count.clause = std::get<Aggregate>(aggregate.content).clause;
  count.condition = std::move(counted.condition);
  // The scanned entity needs its slot where records have to be checked.
  const std::uint32_t width = std::max(aggregate.width, pipeline.width);
  aggregate = Operator{std::move(count), width, 0, 1};
  pipeline.operators.erase(
      pipeline.operators.begin(),
      pipeline.operators.begin() + static_cast<std::ptrdiff_t>(counted.operators));
  return {};
}

}  // namespace

// With DISTINCT as well: an entity is in one row of its scan.
bool counts_rows(const AggregateCall& call, Slot slot) {
  if (call.function == nullptr) return true;
  return call.function->name == "count" && call.arguments.size() == 1 &&
         call.arguments[0]->kind == ExpressionKind::variable && call.arguments[0]->slot == slot;
}

Status count_from_cardinality(Pipeline& pipeline, const OptimizerInputs& inputs) {
  if (pipeline.operators.size() < 2) return {};
  if (auto nodes = counted_nodes(pipeline)) return replace(pipeline, std::move(*nodes), inputs);
  if (auto values = counted_values(pipeline)) return replace(pipeline, std::move(*values), inputs);
  // A relationship counts only if both of its ends may be seen.
  CAIRN_ASSIGN(const bool sees_all, inputs.statistics.all_visible(codec::EntityKind::node));
  if (!sees_all) return {};
  if (auto found = counted_relationships(pipeline))
    return replace(pipeline, std::move(*found), inputs);
  if (auto found = counted_steps(pipeline)) return replace(pipeline, std::move(*found), inputs);
  return {};
}

}  // namespace cairn::query
