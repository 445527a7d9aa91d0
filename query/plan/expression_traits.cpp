// Computes what an expression reads. The result decides where a condition may be checked (push_filters), what an index
// may answer (choose_indexes), and what is the same for all rows. If the result lacked a slot, a condition could run
// before its variable has a value, and rows would be wrong. A superfluous slot only delays the condition.
//
// Of a subquery, only the first part counts, up to its first WITH or RETURN: its rows have the slots of the outer row.
// Later parts see only the columns of this projection, so they cannot read the outer row.
#include "query/plan/expression_traits.hpp"

#include <algorithm>

namespace cairn::query {
namespace {

using Visitor = std::function<void(const Expression&)>;

// Absent parts of an expression, such as the bounds of a slice, are null pointers.
void walk_pointer(const ExpressionPtr& expression, const Visitor& visit) {
  if (expression) walk(*expression, visit);
}

void walk_all(const std::vector<ExpressionPtr>& expressions, const Visitor& visit) {
  for (const ExpressionPtr& expression : expressions) walk_pointer(expression, visit);
}

/// The conditions in `each` read the slot of one element of a variable-length relationship. introduced_slots()
/// reports that slot too.
void walk_clause(const MatchClause& clause, const Visitor& visit) {
  for (const PathPattern& path : clause.paths)
    for (const RelationshipPattern& relationship : path.relationships)
      walk_all(relationship.each, visit);
  walk_all(clause.conjuncts, visit);
  if (!clause.search) return;
  for (const Expression* input : inputs_of(*clause.search)) walk(*input, visit);
  walk_all(clause.search->conjuncts, visit);
}

void walk_clause(const UnwindClause& clause, const Visitor& visit) {
  walk_pointer(clause.list, visit);
}

// ORDER BY, WHERE and the items of a grouping projection read other rows than the input row.
void walk_clause(const ProjectClause& clause, const Visitor& visit) {
  walk_all(clause.keys, visit);
  for (const AggregateCall& call : clause.aggregates) walk_all(call.arguments, visit);
  if (clause.aggregating) return;
  for (const ProjectionItem& item : clause.items) walk_pointer(item.expression, visit);
}

void walk_clause(const CallClause& clause, const Visitor& visit) {
  walk_all(clause.arguments, visit);
  walk_all(clause.conjuncts, visit);
}

void walk_clause(const CallSubqueryClause& clause, const Visitor& visit) {
  walk(*clause.subquery, visit);
}

// Writing clauses do not occur in expressions.
template <class Other>
void walk_clause(const Other&, const Visitor&) {}

// Adds what ORDER BY reads of the input row. The sort row has the output columns first and then the input row, so a
// slot after the columns may be a variable from outside.
void add_sorted_by(const ProjectClause& project, SlotSet& slots) {
  const auto columns = static_cast<Slot>(project.items.size());
  for (const SortKey& key : project.order)
    for (const Slot slot : free_slots(*key.expression))
      if (slot >= columns) slots.insert(slot - columns);
}

/// Adds what the first projection of each part of a subquery sorts by.
void add_sorted_by(const Expression& expression, SlotSet& slots) {
  if (!expression.subquery) return;
  for (const SingleQuery& part : expression.subquery->parts)
    for (const Clause& clause : part.clauses)
      if (const auto* project = std::get_if<ProjectClause>(&clause)) {
        add_sorted_by(*project, slots);
        break;
      }
}

/// Stops at the first projection: later clauses of a subquery see only its columns.
void walk_first_part(const SingleQuery& query, const Visitor& visit) {
  for (const Clause& clause : query.clauses) {
    std::visit([&](const auto& content) { walk_clause(content, visit); }, clause);
    if (std::holds_alternative<ProjectClause>(clause)) return;
  }
}

/// Adds the slots that the clauses of a subquery give values to. None of these slots is read from outside.
void add_introduced(const SingleQuery& query, SlotSet& slots) {
  for (const Clause& clause : query.clauses) {
    if (const auto* match = std::get_if<MatchClause>(&clause))
      slots.merge(introduced_slots(*match));
    else if (const auto* unwind = std::get_if<UnwindClause>(&clause))
      slots.insert(unwind->slot);
    else if (const auto* call = std::get_if<CallClause>(&clause))
      for (const CallClause::Yield& yield : call->yields) slots.insert(yield.slot);
    else if (const auto* subquery = std::get_if<CallSubqueryClause>(&clause))
      slots.insert(subquery->columns.begin(), subquery->columns.end());
    if (std::holds_alternative<ProjectClause>(clause)) return;
  }
}

// Adds the slots that `expression` declares for its inner expressions: the variables of comprehensions, quantifiers
// and reductions, the element of a filter's any_element, and the variables of nested patterns.
void add_locals(const Expression& expression, SlotSet& slots) {
  switch (expression.kind) {
    case ExpressionKind::reduce:
      slots.insert(expression.slot2);
      [[fallthrough]];
    case ExpressionKind::list_comprehension:
    case ExpressionKind::all_of:
    case ExpressionKind::any_of:
    case ExpressionKind::none_of:
    case ExpressionKind::single_of:
      slots.insert(expression.slot);
      break;
    case ExpressionKind::filter_test:
      if (expression.test == FilterOperator::any_element) slots.insert(expression.slot);
      break;
    default:
      break;
  }
  if (expression.match) slots.merge(introduced_slots(*expression.match));
  if (expression.subquery)
    for (const SingleQuery& part : expression.subquery->parts) add_introduced(part, slots);
}

// The variables from which a nested pattern starts are reads of the outer row.
void add_bound_ends(const std::vector<PathPattern>& paths, SlotSet& slots) {
  for (const PathPattern& path : paths) {
    for (const NodePattern& node : path.nodes) slots.insert(node.slot);
    for (const RelationshipPattern& relationship : path.relationships)
      slots.insert(relationship.slot);
  }
}

/// Stops at the first projection, after which only its own columns are visible.
void add_bound_ends(const Expression& expression, SlotSet& slots) {
  if (expression.match) add_bound_ends(expression.match->paths, slots);
  if (!expression.subquery) return;
  for (const SingleQuery& part : expression.subquery->parts)
    for (const Clause& clause : part.clauses) {
      if (const auto* match = std::get_if<MatchClause>(&clause))
        add_bound_ends(match->paths, slots);
      if (std::holds_alternative<ProjectClause>(clause)) break;
    }
}

}  // namespace

void walk(const Expression& expression, const Visitor& visit) {
  visit(expression);
  walk_all(expression.children, visit);
  if (expression.match) walk_clause(*expression.match, visit);
  if (expression.subquery)
    for (const SingleQuery& part : expression.subquery->parts) walk_first_part(part, visit);
}

// Two sets suffice: a slot number is used only once in a part. So a slot that is declared anywhere inside is not a slot
// of the outer row, at any depth of nesting.
SlotSet free_slots(const Expression& expression) {
  SlotSet used;
  SlotSet declared;
  walk(expression, [&](const Expression& part) {
    if (part.kind == ExpressionKind::variable) used.insert(part.slot);
    add_bound_ends(part, used);
    add_sorted_by(part, used);
    add_locals(part, declared);
    if (part.match)
      for (const PathPattern& path : part.match->paths)
        for (const RelationshipPattern& step : path.relationships)
          if (step.hops) declared.insert(step.element_slot);
  });
  for (Slot slot : declared) used.erase(slot);
  return used;
}

// Used for expressions that are evaluated on a row of their own, such as constants and LIMIT.
std::uint32_t needed_width(const Expression& expression) {
  std::uint32_t width = 0;
  walk(expression,
       [&](const Expression& part) { width = std::max({width, part.slot + 1, part.slot2 + 1}); });
  return width;
}

namespace {

// Visits the expressions that walk_clause() skips because they read other rows than the input row.
void walk_over_columns(const ProjectClause& project, const Visitor& visit) {
  if (project.aggregating)
    for (const ProjectionItem& item : project.items) walk_pointer(item.expression, visit);
  for (const SortKey& key : project.order) walk_pointer(key.expression, visit);
  for (const ExpressionPtr* one : {&project.skip, &project.limit, &project.where})
    walk_pointer(*one, visit);
}

// Visits what walk_first_part() skips: the rest of the first projection and all later clauses. Each expression is
// visited by only one of the two functions, so nesting does not multiply the work.
void walk_rest(const SingleQuery& query, const Visitor& visit) {
  bool is_first_part = true;
  for (const Clause& clause : query.clauses) {
    if (!is_first_part)
      std::visit([&](const auto& content) { walk_clause(content, visit); }, clause);
    const auto* project = std::get_if<ProjectClause>(&clause);
    if (project == nullptr) continue;
    walk_over_columns(*project, visit);
    is_first_part = false;
  }
}

}  // namespace

// rand() and randomUUID() differ from call to call. Functions of the clock do not, because a statement has one clock
// value. All parts of a subquery count here: ORDER BY and conditions on its columns affect its rows as well.
bool is_deterministic(const Expression& expression) {
  bool deterministic = true;
  const Visitor look = [&](const Expression& part) {
    if (part.function != nullptr && !part.function->is_deterministic) deterministic = false;
    if (!part.subquery) return;
    for (const SingleQuery& query : part.subquery->parts) walk_rest(query, look);
  };
  walk(expression, look);
  return deterministic;
}

// Recognises `n.a.b` of a variable. m['a'].b is not recognised, although it may mean the same, because 'a' is an
// expression. The walk goes from the outermost property inwards, so the keys come in reverse order.
std::optional<PropertyPath> property_path(const Expression& expression) {
  PropertyPath path;
  const Expression* part = &expression;
  while (part->kind == ExpressionKind::property) {
    path.keys.push_back(part->name);
    part = part->children[0].get();
  }
  if (path.keys.empty() || part->kind != ExpressionKind::variable) return std::nullopt;
  path.slot = part->slot;
  std::reverse(path.keys.begin(), path.keys.end());
  return path;
}

// A variable that occurs twice in a clause is marked as bound at its second place, so only its first place adds it.
SlotSet introduced_slots(const std::vector<PathPattern>& paths) {
  SlotSet slots;
  for (const PathPattern& path : paths) {
    if (path.slot) slots.insert(*path.slot);
    for (const NodePattern& node : path.nodes)
      if (!node.is_bound) slots.insert(node.slot);
    for (const RelationshipPattern& relationship : path.relationships) {
      if (!relationship.is_bound) slots.insert(relationship.slot);
      if (relationship.hops) slots.insert(relationship.element_slot);
    }
  }
  return slots;
}

SlotSet introduced_slots(const MatchClause& clause) {
  SlotSet slots = introduced_slots(clause.paths);
  if (!clause.search) return slots;
  if (clause.search->score) slots.insert(*clause.search->score);
  if (clause.search->parts) slots.insert(*clause.search->parts);
  return slots;
}

// Returns all expressions that must have a value before the search can start. The filter of the search is not
// included.
std::vector<const Expression*> inputs_of(const SearchClause& search) {
  std::vector<const Expression*> inputs;
  const auto add = [&](const ExpressionPtr& expression) {
    if (expression) inputs.push_back(expression.get());
  };
  for (const SearchRetriever& retriever : search.retrievers) {
    add(retriever.query);
    add(retriever.ef_search);
    add(retriever.seed);
    add(retriever.weight);
  }
  add(search.fusion_k);
  add(search.candidates);
  add(search.within);
  add(search.min_score);
  add(search.limit);
  return inputs;
}

bool contains_all(const SlotSet& all, const SlotSet& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

}  // namespace cairn::query
