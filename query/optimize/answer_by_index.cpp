// Rules that answer from an index alone, or in the order of an index: counts, groups, least and
// greatest values, and the first rows of a sort.

#include "query/optimize/rules.hpp"
#include "query/plan/pattern_layout.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {

// Rule count_from_cardinality, for MATCH (n ...) RETURN count(*) and MATCH ()-[r ...]->() RETURN
// count(r). The answer is the cardinality of a bitmap. No rows are made. If the indexes are exact,
// no record is read.
//    ScanNodes (n) | filter                       CountRows (n)
//    Aggregate count(*)                        ->     | filter
//
//    ScanNodes (n) | filter                       CountRows (n)
//    Aggregate count(n.p)                      ->     | filter and n.p IS NOT NULL
//
//    ScanNodes (a), Expand (a)-[r:T]->(b)         CountRows (r)
//    Aggregate count(r)                        ->     | r:T
//
// The rule is sound if each id gives exactly one row. Therefore it applies only without further conditions. A
// relationship pattern must have a direction, because an undirected pattern matches each relationship twice, and all
// nodes must be visible. If the filter is inexact, CountRows reads records.

namespace {

bool counts_rows(const Operator& one, Slot slot) {
  const auto* aggregate = std::get_if<Aggregate>(&one.content);
  if (aggregate == nullptr || !aggregate->clause->keys.empty()) return false;
  const auto& calls = aggregate->clause->aggregates;
  return !calls.empty() && std::all_of(calls.begin(), calls.end(), [&](const AggregateCall& call) {
    return counts_rows(call, slot);
  });
}

// True if the step matches each relationship exactly once: it has a direction, two different ends
// that are not bound, and no relationship that it must differ from.
bool is_free_step(const Walk& walk) {
  return walk.pattern->direction != PatternDirection::any && walk.from != walk.to &&
         !walk.to_is_bound && walk.unlike.empty() && !walk.pattern->is_bound;
}

// The set of ids to count.
struct Counted {
  FilterPlan filter;
  std::string name;
  // Number of operators between the start of the pipeline and the aggregate.
  std::size_t operators = 1;
  ExpressionPtr condition = nullptr;  // condition of the filter, if not in the statement
};

std::optional<Counted> counted_nodes(Pipeline& pipeline) {
  auto* scan = std::get_if<ScanNodes>(&pipeline.operators[0].content);
  if (scan == nullptr || !counts_rows(pipeline.operators[1], scan->filter.slot))
    return std::nullopt;
  return Counted{std::move(scan->filter), scan->name, 1};
}

/// Returns the property if all aggregates are count(n.p) of the same property without DISTINCT,
/// otherwise nullptr.
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

// Makes the expression `n.p IS NOT NULL`.
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

// count(n.p) counts the rows in which n has p.
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

// Matches a scan of all nodes and a step along their relationships, which finds each relationship
// once.
std::optional<Counted> counted_steps(Pipeline& pipeline) {
  const auto* scan = std::get_if<ScanNodes>(&pipeline.operators[0].content);
  const auto* expand = std::get_if<Expand>(&pipeline.operators[1].content);
  if (scan == nullptr || expand == nullptr || pipeline.operators.size() < 3 ||
      !scan->filter.conjuncts.empty() || !is_free_step(expand->walk) ||
      !counts_rows(pipeline.operators[2], expand->walk.pattern->slot))
    return std::nullopt;
  return Counted{type_filter(*expand->walk.pattern), expand->walk.pattern->name, 2};
}

// Replaces the operators by CountRows. Without grouping keys, the output row has only the
// aggregates. The filter has no estimate yet if this rule made it.
Status replace(Pipeline& pipeline, Counted counted, const OptimizerInputs& inputs) {
  if (!counted.filter.is_estimated) CAIRN_TRY(inputs.statistics.estimate(counted.filter));
  Operator& aggregate = pipeline.operators[counted.operators];
  CountRows count;
  count.filter = std::move(counted.filter);
  count.name = std::move(counted.name);
  count.clause = std::get<Aggregate>(aggregate.content).clause;
  count.condition = std::move(counted.condition);
  // If records must be checked, the scanned entity needs its slot in the row.
  const std::uint32_t width = std::max(aggregate.width, pipeline.width);
  aggregate = Operator{std::move(count), width, 0, 1};
  pipeline.operators.erase(
      pipeline.operators.begin(),
      pipeline.operators.begin() + static_cast<std::ptrdiff_t>(counted.operators));
  return {};
}

}  // namespace

// count(DISTINCT n) qualifies too, because each entity is in one row of its scan.
bool counts_rows(const AggregateCall& call, Slot slot) {
  if (call.function == nullptr) return true;
  return call.function->name == "count" && call.arguments.size() == 1 &&
         call.arguments[0]->kind == ExpressionKind::variable && call.arguments[0]->slot == slot;
}

// Tries one form after the other. Each form applies only at the beginning of the pipeline.
Status count_from_cardinality(Pipeline& pipeline, const OptimizerInputs& inputs) {
  if (pipeline.operators.size() < 2) return {};
  if (auto nodes = counted_nodes(pipeline)) return replace(pipeline, std::move(*nodes), inputs);
  if (auto values = counted_values(pipeline)) return replace(pipeline, std::move(*values), inputs);
  // A relationship counts only if both ends are visible. A write of the statement may hide some of them.
  if (inputs.is_writing) return {};
  CAIRN_ASSIGN(const bool sees_all, inputs.statistics.all_visible(codec::EntityKind::node));
  if (!sees_all) return {};
  if (auto found = counted_relationships(pipeline))
    return replace(pipeline, std::move(*found), inputs);
  if (auto found = counted_steps(pipeline)) return replace(pipeline, std::move(*found), inputs);
  return {};
}

// Rule index_group_count, for RETURN n.p, count(*), for RETURN DISTINCT n.p and for RETURN
// count(DISTINCT n.p). The counts are the cardinalities of intersections of one bitmap with the
// posting lists of the property's values. No rows are made. Records are read only for values that
// the index does not contain.
//    ScanNodes (n) | filter                                    IndexGroupCount (n) by p
//    Aggregate count(*) by n.p                               ->    | filter
//
// The rule is sound if every other column counts the rows of the scan: count(*) or count(n). Groups
// are returned in the order of their first records, as Aggregate returns them.

const std::string* property_of_slot(const Expression& expression, Slot slot) {
  const bool is_own = expression.kind == ExpressionKind::property &&
                      expression.children[0]->kind == ExpressionKind::variable &&
                      expression.children[0]->slot == slot;
  return is_own ? &expression.name : nullptr;
}

namespace {

using Column = IndexGroupCount::Column;

/// The counts to compute for the values of a property. grouped(), listed() and counted() recognise
/// the three forms.
struct ValueQuestion {
  const std::string* property = nullptr;
  std::vector<Column> columns;  ///< one count for each aggregate
  bool is_grouped = true;
  std::size_t operators = 1;  ///< number of operators after the scan that IndexGroupCount replaces
};

/// Recognises RETURN n.p, count(*), count(n).
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

// Recognises RETURN DISTINCT n.p. If a LIMIT or SKIP follows immediately, the scan would end early,
// and counting every value would cost more.
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

// Returns the property of count(DISTINCT n.p), or nullptr for any other call.
const std::string* counted_distinctly(const AggregateCall& call, Slot slot) {
  const bool counts = call.function != nullptr && call.function->name == "count" && call.distinct &&
                      call.arguments.size() == 1;
  return counts ? property_of_slot(*call.arguments.front(), slot) : nullptr;
}

/// Recognises RETURN count(DISTINCT n.p), count(*). All distinct counts must be of the same
/// property, because its values are visited once.
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

// Applies only if the scan is the first operator, so that it runs once.
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
  // If records must be checked, the scanned entity needs its slot in the row.
  const std::uint32_t width = std::max(operators[1].width, pipeline.width);
  operators[0] = Operator{std::move(count), width, 0, 1};
  operators.erase(operators.begin() + 1,
                  operators.begin() + 1 + static_cast<std::ptrdiff_t>(question->operators));
  return {};
}

// Rule index_min_max, for MATCH (n ...) RETURN min(n.p), max(n.p). Of all rows of the scan, the
// first node with the least value and the first node with the greatest value suffice.
//    ScanNodes (n)                      ScanNodes (n) least and greatest p
//    Aggregate min(n.p), max(n.p)   ->  Aggregate min(n.p), max(n.p)
//
// With several properties, the scan returns such nodes for each of them.
//
// The rule is sound because min() and max() depend on no other row. Both ignore nulls and return
// the first of equal values, such as 3 and 3.0, which the index does not distinguish. The values
// themselves are read from the records.

namespace {

/// Returns each property with its requested extremes, or an empty list if any call is not min() or
/// max() of a property.
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

// Rule index_top_n, for MATCH (n ...) RETURN ... ORDER BY n.p LIMIT k. The scan learns which rows
// the later sort keeps, so that it can omit rows that come later in the order of the index. The
// sort remains in the plan and decides.
//    ScanNodes (n)                      ScanNodes (n) first by p
//    Project, SortFirst n.p limit 10  ->  Project, SortFirst n.p limit 10
//
// The rule is sound because the scan omits only rows that cannot be among the first LIMIT + SKIP rows by the first sort
// key. Rows that are equal to the last of these by the first key are kept, unless the sort orders them by id. The rule
// saves reading the property of every record.

namespace {

// Returns the property by which a key sorts, or nullptr if the key is not a property of the scanned
// node. The sort row has the output columns first and then the input row.
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

bool is_id_of(const Expression& expression, Slot slot) {
  return expression.kind == ExpressionKind::function_call && expression.function != nullptr &&
         expression.function->name == "id" &&
         expression.children[0]->kind == ExpressionKind::variable &&
         expression.children[0]->slot == slot;
}

// Returns whether a key sorts by the id of the scanned node.
bool sorts_by_id(const SortKey& key, const ProjectClause& clause, Slot slot) {
  const Expression& sorted = *key.expression;
  const auto columns = static_cast<Slot>(clause.items.size());
  if (key.descending) return false;
  if (sorted.kind == ExpressionKind::variable && sorted.slot < columns)
    return is_id_of(*clause.items[sorted.slot].expression, slot);
  if (is_id_of(sorted, slot + columns)) return true;
  for (Slot i = 0; i < columns; ++i) {
    const Expression& column = *clause.items[i].expression;
    if (column.kind == ExpressionKind::variable && column.slot == slot && is_id_of(sorted, i))
      return true;
  }
  return false;
}

// Returns whether the sort keeps rows with equal first keys in the order of ids. Without a second key it does, because a
// sort is stable and the scan returns its rows in the order of ids.
bool breaks_ties_by_id(const ProjectClause& clause, Slot slot) {
  return clause.order.size() == 1 || sorts_by_id(clause.order[1], clause, slot);
}

}  // namespace

// The scan must be the first operator, so that it runs once and the sort receives all its rows. The
// operator between them only computes columns, so it adds and removes no row.
Status index_top_n(Pipeline& pipeline, const OptimizerInputs&) {
  auto& operators = pipeline.operators;
  if (operators.size() < 3) return {};
  auto* scan = std::get_if<ScanNodes>(&operators[0].content);
  const auto* project = std::get_if<Project>(&operators[1].content);
  const auto* sort = std::get_if<Sort>(&operators[2].content);
  if (scan == nullptr || project == nullptr || sort == nullptr || !sort->is_limited) return {};
  const ProjectClause& clause = *sort->clause;
  const SortKey& first = clause.order.front();
  const std::string* property = sorted_property(*first.expression, clause, scan->filter.slot);
  if (property != nullptr)
    scan->first =
        IndexTopN{*property, first.descending, breaks_ties_by_id(clause, scan->filter.slot),
                  clause.limit.get(), clause.skip.get()};
  return {};
}

}  // namespace cairn::query
