// CALL { query } and expressions with rows or elements of their own.
//
// CALL imports variables in two forms. A list, CALL (a) { }, makes variables visible in the whole query, like the
// variables around EXISTS { }. An initial WITH makes them ordinary variables of a part, which the next WITH may drop.

#include "query/bind/binder.hpp"
#include "query/syntax/lexical.hpp"

#include <algorithm>
#include <span>

namespace cairn::query {
namespace {

// Returns the RETURN at the end of a query, or nullptr.
const ast::Project* return_of(const std::vector<ast::Clause>& clauses) {
  const auto* project = std::get_if<ast::Project>(&clauses.back().content);
  return project != nullptr && project->is_return ? project : nullptr;
}

bool is_named(const ast::ProjectionItem& item) {
  return !item.alias.empty() || item.expression.get_if<ast::Name>() != nullptr;
}

/// Returns the clause if it is an importing WITH: WITH * or WITH a, b. Else returns nullptr.
const ast::Project* importing_with(const ast::Clause& clause) {
  const auto* project = std::get_if<ast::Project>(&clause.content);
  if (project == nullptr || project->is_return) return nullptr;
  const bool is_plain = std::ranges::all_of(project->list.items, [](const auto& item) {
    return item.alias.empty() && item.expression.template get_if<ast::Name>() != nullptr;
  });
  return is_plain ? project : nullptr;
}

void import_name(std::string_view name, const Scope& outer, Scope& scope) {
  if (const auto found = outer.find(name)) scope.declare_at(name, {found->slot, found->type});
}

/// Returns the place of a column in the RETURN of the query; the whole clause for a column of *.
const ast::Located& place_of_column(const std::string& column, const ast::CallSubquery& clause,
                                    const ast::Clause& whole) {
  const ast::Project* project = return_of(clause.query.first);
  if (project == nullptr) return whole;
  for (const ast::ProjectionItem& item : project->list.items) {
    const auto* name = item.expression.get_if<ast::Name>();
    if (item.alias.text == column) return item.alias;
    if (item.alias.empty() && name != nullptr && name->text == column) return item.expression;
  }
  return whole;
}

}  // namespace

// Imports all variables for WITH *, and the named ones for WITH a, b. Without an importing WITH, nothing is visible.
Scope Binder::imported_by_with(const ast::Clause& first, const Scope& outer) {
  Scope own;
  if (const ast::Project* with = importing_with(first)) {
    if (with->list.has_star)
      for (const std::string_view name : outer.names()) import_name(name, outer, own);
    for (const ast::ProjectionItem& item : with->list.items)
      import_name(item.expression.get_if<ast::Name>()->text, outer, own);
  }
  own.reserve(outer.width());
  return own;
}

// The query is bound before its columns are declared, so that it cannot use them.
Result<Clause> Binder::bind_clause(const ast::CallSubquery& clause, const ast::Clause& whole) {
  CallSubqueryClause call;
  CAIRN_TRY(bind_transactions(clause.transactions, call));
  CAIRN_TRY(check_columns(clause.query));
  call.subquery = make(ExpressionKind::collect_subquery, whole);
  CAIRN_ASSIGN(Query query, bind_called(clause));
  for (const std::string& column : query.parts.front().columns) {
    if (scope_->find(column)) {
      return error(place_of_column(column, clause, whole),
                   "`" + column + "` is defined already outside of the subquery; return it under " +
                       "another name with AS");
    }
    call.columns.push_back(scope_->declare(column, {}).slot);
  }
  call.subquery->subquery = std::make_unique<Query>(std::move(query));
  CAIRN_TRY(declare_status(clause.transactions, call));
  call.width = scope_->width();
  return Clause(std::move(call));
}

// Imported variables keep their slots. Slots of the query follow the slots of the outer row.
Result<Query> Binder::bind_called(const ast::CallSubquery& clause) {
  Scope imports;
  if (clause.imports.kind == ast::ImportKind::list) {
    CAIRN_TRY(import_list(clause.imports.names, imports));
    imports.reserve(scope_->width());
  } else {
    imports = Scope(scope_, 0, scope_->width());
  }
  const bool by_with = clause.imports.kind == ast::ImportKind::by_with;
  auto query = [&] {
    const Restored lost(lost_names_, not_imported(clause.imports.kind, imports));
    const Restored<Scope*> inside(scope_, &imports);
    const Restored<bool> in_call(in_call_, true);
    return bind_query(clause.query, by_with ? QueryUse::importing : QueryUse::call);
  }();
  scope_->reserve(imports.width());
  return query;
}

Status Binder::import_list(const std::vector<ast::Name>& names, Scope& imports) const {
  for (const ast::Name& name : names) {
    if (imports.has_own(name.text)) return error(name, "`" + name.text + "` is imported twice");
    CAIRN_ASSIGN(const Variable found, find_variable(name));
    imports.declare_at(name.text, {found.slot, found.type});
  }
  return {};
}

/// Returns outer names that the query does not import, with the reason. Otherwise they would be reported as misspelt.
std::unordered_map<std::string, std::string> Binder::not_imported(ast::ImportKind kind,
                                                                  const Scope& imports) const {
  if (kind == ast::ImportKind::all) return lost_names_;
  std::unordered_map<std::string, std::string> names;
  for (const std::string_view each : scope_->names()) {
    const std::string name(each);
    if (!imports.has_own(name))
      names[name] = "the subquery does not import it; write CALL (" + name + ") { ... }";
  }
  return names;
}

// Columns become variables, so each column needs a name.
Status Binder::check_columns(const ast::Query& query) const {
  const auto check = [&](const std::vector<ast::Clause>& clauses) -> Status {
    const ast::Project* project = return_of(clauses);
    if (project == nullptr) return {};
    const auto nameless = std::ranges::find_if_not(project->list.items, is_named);
    if (nameless == project->list.items.end()) return {};
    return error(nameless->expression, "a column of a subquery needs a name: ... AS name");
  };
  CAIRN_TRY(check(query.first));
  for (const ast::UnionPart& part : query.rest) CAIRN_TRY(check(part.clauses));
  return {};
}

// Only the statement itself can commit: a subquery is a part of a transaction that is open already.
Status Binder::bind_transactions(const ast::InTransactions& transactions,
                                 CallSubqueryClause& call) {
  if (!transactions.is_present) return {};
  if (in_call_ || in_expression_) {
    return error(transactions,
                 "IN TRANSACTIONS is not possible inside of a subquery, which is a part of the "
                 "transaction around it; write it at the outermost CALL { }");
  }
  if (transactions.is_concurrent) {
    return error(transactions,
                 "CONCURRENT is not possible: one transaction writes at a time; leave it out");
  }
  call.in_transactions = true;
  std::uint32_t width = 0;
  CAIRN_ASSIGN(call.batch_rows, bind_row_count(transactions.rows, width));
  return bind_on_error(transactions, call);
}

Status Binder::bind_on_error(const ast::InTransactions& transactions,
                             CallSubqueryClause& call) const {
  const std::string& word = transactions.on_error.text;
  if (lexical::is_keyword(word, "CONTINUE")) {
    call.on_error = OnError::go_on;
  } else if (lexical::is_keyword(word, "BREAK")) {
    call.on_error = OnError::stop;
  } else if (!word.empty() && !lexical::is_keyword(word, "FAIL")) {
    return error(transactions.on_error,
                 "ON ERROR " + word + " is not possible; write CONTINUE, BREAK or FAIL");
  }
  return {};
}

// With ON ERROR FAIL the status would be the same in all rows that the statement returns.
Status Binder::declare_status(const ast::InTransactions& transactions, CallSubqueryClause& call) {
  const bool is_early = !transactions.early_status.empty();
  const ast::Name& name = is_early ? transactions.early_status : transactions.status;
  if (name.empty()) return {};
  if (is_early && !transactions.status.empty())
    return error(transactions.status, "REPORT STATUS is given twice; leave one of them out");
  if (call.on_error == OnError::fail)
    return error(
        name,
        "REPORT STATUS is not possible with ON ERROR FAIL, which is the default: the first "
        "error ends the statement, so each row that it returns is committed; write ON "
        "ERROR CONTINUE or ON ERROR BREAK before it");
  if (scope_->find(name.text)) return already_bound(name);
  call.status = scope_->declare(name.text, TypeKind::map).slot;
  return {};
}

bool Binder::returns_rows(const ast::CallSubquery& clause) {
  return return_of(clause.query.first) != nullptr;
}

// Expressions over several rows or elements: comprehensions, quantifiers, patterns and subqueries.
//
// Their variables are local. The list of a comprehension is bound in the outer scope, its WHERE and its result in the
// inner one. Aggregates are refused inside, because they are over rows. Local variables have slots of the outer row, so
// their evaluation needs no second row.

namespace {

ExpressionKind kind_of(ast::QuantifierKind kind) {
  using enum ExpressionKind;
  static constexpr ExpressionKind table[] = {all_of, any_of, none_of, single_of};
  return table[static_cast<std::size_t>(kind)];
}

}  // namespace

Slot Binder::declare_local(const ast::Name& name, StaticType type) {
  locals_.push_back(name.text);
  return scope_->declare(name.text, type).slot;
}

// The list is bound before the variable is declared: in [x IN x | x], the list is the outer x. Children: list,
// condition or nullptr, result or nullptr (the element itself).
Result<Typed> Binder::bind_part(const ast::ListComprehension& part, const ast::Expression& whole) {
  auto result = make(ExpressionKind::list_comprehension, whole);
  CAIRN_ASSIGN(Typed list, bind(part.list));
  const LocalNames names(*this);
  result->slot = declare_local(part.variable, list.type.element());
  ExpressionPtr where;
  if (!part.where.empty()) {
    CAIRN_ASSIGN(where, bind_condition(part.where));
  }
  Typed item{nullptr, list.type.element()};
  if (!part.result.empty()) {
    CAIRN_ASSIGN(item, bind(part.result));
  }
  result->children.push_back(std::move(list.expression));
  result->children.push_back(std::move(where));
  result->children.push_back(std::move(item.expression));
  return Typed{std::move(result), StaticType::list_of(item.type)};
}

// Children: list, condition. The result follows three-valued logic, see evaluate_list.cpp.
Result<Typed> Binder::bind_part(const ast::Quantifier& part, const ast::Expression& whole) {
  auto result = make(kind_of(part.kind), whole);
  CAIRN_ASSIGN(Typed list, bind(part.list));
  const LocalNames names(*this);
  result->slot = declare_local(part.variable, list.type.element());
  CAIRN_ASSIGN(auto where, bind_condition(part.where));
  result->children.push_back(std::move(list.expression));
  result->children.push_back(std::move(where));
  return Typed{std::move(result), TypeKind::boolean};
}

// The initial value and the list are bound before the local names are declared: reduce(s = s, ...) reads an outer s.
Result<Typed> Binder::bind_part(const ast::Reduce& part, const ast::Expression& whole) {
  auto result = make(ExpressionKind::reduce, whole);
  CAIRN_ASSIGN(Typed initial, bind(part.initial));
  CAIRN_ASSIGN(Typed list, bind(part.list));
  const LocalNames names(*this);
  // A step may change the type of the accumulator.
  result->slot2 = declare_local(part.accumulator, {});
  result->slot = declare_local(part.variable, list.type.element());
  CAIRN_ASSIGN(Typed step, bind(part.step));
  result->children.push_back(std::move(initial.expression));
  result->children.push_back(std::move(list.expression));
  result->children.push_back(std::move(step.expression));
  return Typed{std::move(result), join(initial.type, step.type)};
}

// In openCypher a bare pattern is a predicate: it is allowed as a condition and has no value.
Result<Typed> Binder::bind_part(const ast::PathPattern& part, const ast::Expression& whole) {
  if (part.element.search != ast::PathSearch::every) return bind_pattern_value(part, whole);
  return error(whole,
               "a pattern is a condition and has no value here; use EXISTS { }, COUNT { } or a "
               "pattern comprehension [(a)-->(b) | b]");
}

// In openCypher a pattern as a condition must not introduce names (TCK: expressions/pattern), so all of its named
// variables are bound before. Unnamed elements get slots that nothing else reads.
Result<Typed> Binder::bind_pattern_condition(const ast::PathPattern& part,
                                             const ast::Expression& whole) {
  const LocalNames names(*this);
  auto result = make(ExpressionKind::pattern_exists, whole);
  CAIRN_ASSIGN(MatchClause match, bind_match(std::span(&part, 1), PatternUse::predicate));
  result->match = std::make_unique<MatchClause>(std::move(match));
  return Typed{std::move(result), TypeKind::boolean};
}

// shortestPath(...) is the first element of the list of all shortest paths.
Result<Typed> Binder::bind_pattern_value(const ast::PathPattern& part,
                                         const ast::Expression& whole) {
  const LocalNames names(*this);
  auto paths = make(ExpressionKind::pattern_comprehension, whole);
  CAIRN_ASSIGN(MatchClause match, bind_match(std::span(&part, 1), PatternUse::predicate));
  const Slot slot = scope_->allocate();
  match.paths.front().slot = slot;
  match.introduced.push_back(slot);
  match.width = scope_->width();
  paths->match = std::make_unique<MatchClause>(std::move(match));
  paths->children.push_back(make_variable(slot, whole));
  if (part.element.search == ast::PathSearch::all_shortest) {
    return Typed{std::move(paths), StaticType::list_of(TypeKind::path)};
  }
  auto first = make(ExpressionKind::subscript, whole);
  auto zero = make(ExpressionKind::literal, whole);
  zero->value = 0;
  first->children.push_back(std::move(paths));
  first->children.push_back(std::move(zero));
  return Typed{std::move(first), TypeKind::path};
}

// A name that is not bound becomes a local variable of the comprehension.
Result<Typed> Binder::bind_part(const ast::PatternComprehension& part,
                                const ast::Expression& whole) {
  const LocalNames names(*this);
  auto result = make(ExpressionKind::pattern_comprehension, whole);
  CAIRN_ASSIGN(MatchClause match,
               bind_match(std::span(&part.pattern, 1), PatternUse::comprehension));
  CAIRN_TRY(bind_conjuncts(part.where, match.conjuncts));
  CAIRN_ASSIGN(Typed item, bind(part.result));
  match.width = scope_->width();
  result->match = std::make_unique<MatchClause>(std::move(match));
  result->children.push_back(std::move(item.expression));
  return Typed{std::move(result), StaticType::list_of(item.type)};
}

// The result is a boolean, an integer or a list of any type. A subquery inside of an aggregate may use aggregates
// itself, because they are over rows of its own.
Result<Typed> Binder::bind_part(const ast::Subquery& part, const ast::Expression& whole) {
  using enum ExpressionKind;
  static constexpr ExpressionKind kinds[] = {exists_subquery, count_subquery, collect_subquery};
  auto result = make(kinds[static_cast<std::size_t>(part.kind)], whole);
  // Only variables of the outer expression are visible inside; grouping and known columns are not.
  const Restored<Grouping*> no_grouping(grouping_, nullptr);
  const Restored<bool> no_aggregate(in_aggregate_, false);
  const Restored<bool> no_changes(in_expression_, true);
  const Restored<const KnownExpressions*> nothing_known(known_, nullptr);
  CAIRN_ASSIGN(Query query,
               part.paths.empty() ? bind_subquery(part, whole) : bind_short_subquery(part, whole));
  result->subquery = std::make_unique<Query>(std::move(query));
  if (part.kind == ast::SubqueryKind::exists) return Typed{std::move(result), TypeKind::boolean};
  const bool is_count = part.kind == ast::SubqueryKind::count;
  return Typed{std::move(result),
               is_count ? StaticType(TypeKind::integer) : StaticType(TypeKind::any, 1)};
}

// Binds the long form, which has a whole query.
Result<Query> Binder::bind_subquery(const ast::Subquery& part, const ast::Expression& whole) {
  using enum QueryUse;
  static constexpr QueryUse uses[] = {exists, count, collect};
  if (!part.where.empty()) return error(part.where, "a pattern must stand before this WHERE");
  if (part.query.first.empty()) return error(whole, "the subquery is empty");
  return bind_query(part.query, uses[static_cast<std::size_t>(part.kind)]);
}

// EXISTS { (a)-->(b) WHERE ... } becomes a query with one MATCH. The WHERE belongs to the MATCH. No RETURN is needed,
// because only the existence or the number of rows counts.
Result<Query> Binder::bind_short_subquery(const ast::Subquery& part, const ast::Expression& whole) {
  if (part.kind == ast::SubqueryKind::collect) {
    return error(whole, "COLLECT takes a query: COLLECT { MATCH ... RETURN value }");
  }
  if (!part.query.first.empty()) {
    return error(part.query.first.front(), "a subquery with further clauses must begin with MATCH");
  }
  const LocalNames names(*this);
  CAIRN_ASSIGN(MatchClause match, bind_match(part.paths, PatternUse::comprehension));
  CAIRN_TRY(bind_conjuncts(part.where, match.conjuncts));
  match.width = scope_->width();
  Query query;
  query.parts.emplace_back().clauses.emplace_back(std::move(match));
  return query;
}

}  // namespace cairn::query
