// Rules that answer from an index alone or in its order: counts, groups, least and greatest values,
// the first rows.

#include "query/optimize/rules.hpp"
#include "query/plan/pattern_layout.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {

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

// MATCH (n ...) RETURN n.p, count(*), RETURN DISTINCT n.p and RETURN count(DISTINCT n.p): the sizes of the
// intersections of one bitmap with the postings of the property's values; no row is made and no record
// read, but for values that the index does not tell.
//    ScanNodes (n) | filter                                    IndexGroupCount (n) by p
//    Aggregate count(*) by n.p                               ->    | filter
//
// Sound where every other column counts rows of the scan: count(*), count(n), or of the whole
// count(DISTINCT n.p). Groups come in the order of their first records, as an Aggregate gives them.

const std::string* property_of_slot(const Expression& expression, Slot slot) {
  const bool is_own = expression.kind == ExpressionKind::property &&
                      expression.children[0]->kind == ExpressionKind::variable &&
                      expression.children[0]->slot == slot;
  return is_own ? &expression.name : nullptr;
}

namespace {

using Column = IndexGroupCount::Column;

/// What is asked of the values, and how many operators behind the scan ask it.
/// One of three forms; see grouped(), listed() and counted().
struct ValueQuestion {
  const std::string* property = nullptr;
  std::vector<Column> columns;
  bool is_grouped = true;
  std::size_t operators = 1;
};

///    RETURN n.p, count(*), count(n)
std::optional<ValueQuestion> grouped(const Pipeline& pipeline, Slot slot) {
  const auto* aggregate = std::get_if<Aggregate>(&pipeline.operators[1].content);
  if (aggregate == nullptr || aggregate->clause->keys.size() != 1) return std::nullopt;
  const auto& calls = aggregate->clause->aggregates;
  const auto* property = property_of_slot(*aggregate->clause->keys.front(), slot);
  const bool counts = std::ranges::all_of(
      calls, [&](const AggregateCall& call) { return counts_rows(call, slot); });
  if (property == nullptr || !counts) return std::nullopt;
  return ValueQuestion{property, std::vector(calls.size(), Column::rows)};
}

// A limit right behind would end the scan early, for which no value has to be counted.
//    RETURN DISTINCT n.p
std::optional<ValueQuestion> listed(const Pipeline& pipeline, Slot slot) {
  const auto& operators = pipeline.operators;
  if (operators.size() < 3) return std::nullopt;
  const auto* project = std::get_if<Project>(&operators[1].content);
  const auto* distinct = std::get_if<Distinct>(&operators[2].content);
  if (project == nullptr || distinct == nullptr || project->keep_input ||
      project->clause->items.size() != 1 || distinct->columns != 1)
    return std::nullopt;
  const bool ends_early =
      operators.size() > 3 && (std::holds_alternative<Limit>(operators[3].content) ||
                               std::holds_alternative<Skip>(operators[3].content));
  const auto* property = property_of_slot(*project->clause->items.front().expression, slot);
  if (property == nullptr || ends_early) return std::nullopt;
  return ValueQuestion{property, {}, true, 2};
}

const std::string* counted_distinctly(const AggregateCall& call, Slot slot) {
  const bool counts = call.function != nullptr && call.function->name == "count" && call.distinct &&
                      call.arguments.size() == 1;
  return counts ? property_of_slot(*call.arguments.front(), slot) : nullptr;
}

///    RETURN count(DISTINCT n.p), count(*)
/// All distinct counts must be of one property, for it is walked once.
std::optional<ValueQuestion> counted(const Pipeline& pipeline, Slot slot) {
  const auto* aggregate = std::get_if<Aggregate>(&pipeline.operators[1].content);
  if (aggregate == nullptr || !aggregate->clause->keys.empty()) return std::nullopt;
  ValueQuestion question{nullptr, {}, false};
  for (const AggregateCall& call : aggregate->clause->aggregates) {
    const std::string* property = counted_distinctly(call, slot);
    if (property == nullptr && !counts_rows(call, slot)) return std::nullopt;
    question.columns.push_back(property != nullptr ? Column::different_values : Column::rows);
    if (property == nullptr) continue;
    if (question.property != nullptr && *question.property != *property) return std::nullopt;
    question.property = property;
  }
  return question.property != nullptr ? std::optional(question) : std::nullopt;
}

}  // namespace

Status index_group_count(Pipeline& pipeline, const OptimizerInputs& inputs) {
  auto& operators = pipeline.operators;
  if (operators.size() < 2) return {};
  auto* scan = std::get_if<ScanNodes>(&operators[0].content);
  if (scan == nullptr) return {};
  const Slot slot = scan->filter.slot;
  std::optional<ValueQuestion> question = grouped(pipeline, slot);
  if (!question) question = listed(pipeline, slot);
  if (!question) question = counted(pipeline, slot);
  if (!question) return {};
  CAIRN_TRY(inputs.statistics.estimate(scan->filter));
  IndexGroupCount count{std::move(scan->filter), std::move(scan->name), *question->property,
                        std::move(question->columns), question->is_grouped};
  // The scanned entity needs its slot where records have to be checked.
  const std::uint32_t width = std::max(operators[1].width, pipeline.width);
  operators[0] = Operator{std::move(count), width, 0, 1};
  operators.erase(operators.begin() + 1,
                  operators.begin() + 1 + static_cast<std::ptrdiff_t>(question->operators));
  return {};
}

// MATCH (n ...) RETURN min(n.p), max(n.p): of all that the scan would give, the first node with the least
// value and the first with the greatest one are enough.
//    ScanNodes (n)                      ScanNodes (n) least and greatest p
//    Aggregate min(n.p), max(n.p)   ->  Aggregate min(n.p), max(n.p)
//
// Of several properties the nodes of all of them.
//
// Sound, because neither depends on any other row: both leave nulls out, and of equal values (3 and
// 3.0, which the index does not distinguish) they keep the first. The values are read from the records.

namespace {

/// Each property with those of its extremes that are asked for; none where a call is anything else.
std::vector<IndexMinMax> extremes_of(const ProjectClause& clause, Slot slot) {
  std::vector<IndexMinMax> extremes;
  for (const AggregateCall& call : clause.aggregates) {
    const bool is_min = call.function != nullptr && call.function->name == "min";
    const bool is_max = call.function != nullptr && call.function->name == "max";
    const std::string* property =
        is_min || is_max ? property_of_slot(*call.arguments[0], slot) : nullptr;
    if (property == nullptr) return {};
    auto known = std::ranges::find(extremes, *property, &IndexMinMax::property);
    if (known == extremes.end()) known = extremes.insert(known, {*property, false, false});
    (is_min ? known->least : known->greatest) = true;
  }
  return extremes;
}

}  // namespace

Status index_min_max(Pipeline& pipeline, const OptimizerInputs&) {
  auto& operators = pipeline.operators;
  if (operators.size() < 2) return {};
  auto* scan = std::get_if<ScanNodes>(&operators[0].content);
  const auto* aggregate = std::get_if<Aggregate>(&operators[1].content);
  if (scan == nullptr || aggregate == nullptr || !aggregate->clause->keys.empty()) return {};
  scan->extremes = extremes_of(*aggregate->clause, scan->filter.slot);
  return {};
}

// MATCH (n ...) RETURN ... ORDER BY n.p LIMIT k: the scan knows what the sort after it keeps, so that it
// can leave out what the order of the index says comes later. The sort stays and decides.
//    ScanNodes (n)                      ScanNodes (n) first by p
//    Project, SortFirst n.p limit 10  ->  Project, SortFirst n.p limit 10
//
// Sound, because the scan leaves out only what cannot be among the first LIMIT + SKIP by the first
// sort key, ties included. Saves reading the property of every record.

namespace {

// A row to be sorted has the columns first, then the row that they were made of.
const std::string* sorted_property(const Expression& key, const ProjectClause& clause, Slot slot) {
  const auto columns = static_cast<Slot>(clause.items.size());
  if (key.kind == ExpressionKind::variable && key.slot < columns)
    return property_of_slot(*clause.items[key.slot].expression, slot);
  if (key.kind != ExpressionKind::property || key.children[0]->kind != ExpressionKind::variable)
    return nullptr;
  const Slot owner = key.children[0]->slot;
  if (owner >= columns) return owner - columns == slot ? &key.name : nullptr;
  const Expression& column = *clause.items[owner].expression;
  const bool is_scanned = column.kind == ExpressionKind::variable && column.slot == slot;
  return is_scanned ? &key.name : nullptr;
}

}  // namespace

// The scan must be the first operator, so that there is one row before it and the sort takes all that the
// scan gives. Between them columns are computed, and no row comes or goes.
Status index_top_n(Pipeline& pipeline, const OptimizerInputs&) {
  auto& operators = pipeline.operators;
  if (operators.size() < 3) return {};
  auto* scan = std::get_if<ScanNodes>(&operators[0].content);
  const auto* project = std::get_if<Project>(&operators[1].content);
  const auto* sort = std::get_if<Sort>(&operators[2].content);
  if (scan == nullptr || project == nullptr || !project->keep_input || sort == nullptr ||
      !sort->is_limited)
    return {};
  const ProjectClause& clause = *sort->clause;
  const SortKey& first = clause.order.front();
  const std::string* property = sorted_property(*first.expression, clause, scan->filter.slot);
  if (property != nullptr)
    scan->first = IndexTopN{*property, first.descending, clause.limit.get(), clause.skip.get()};
  return {};
}

}  // namespace cairn::query
