// MATCH (n ...) RETURN ... ORDER BY n.p LIMIT k: the scan knows what the sort after it keeps, so that it
// can leave out what the order of the index says comes later. The sort stays and decides.
//    ScanNodes (n)                      ScanNodes (n) first by p
//    Project, SortFirst n.p limit 10  ->  Project, SortFirst n.p limit 10
//
// Sound, because the scan leaves out only what cannot be among the first LIMIT + SKIP by the first
// sort key, ties kept. Saves reading the property of every record.

#include "query/optimize/rules.hpp"

namespace cairn::query {
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
