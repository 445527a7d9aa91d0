// CALL { query }: what it sees of the row around it, and which variables its columns become.
// A list imports variables for all of the query, as those around a subquery in an expression are seen; a WITH at the
// begin of a part makes them variables of its own, which the next WITH may drop.

#include "query/bind/binder.hpp"
#include "query/syntax/lexical.hpp"

#include <algorithm>

namespace cairn::query {
namespace {

const ast::Project* return_of(const std::vector<ast::Clause>& clauses) {
  const auto* project = std::get_if<ast::Project>(&clauses.back().content);
  return project != nullptr && project->is_return ? project : nullptr;
}

bool is_named(const ast::ProjectionItem& item) {
  return !item.alias.empty() || item.expression.get_if<ast::Name>() != nullptr;
}

/// WITH * and WITH a, b.
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

/// Where the column stands; the whole clause for one that * stands for.
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

// The query ends before its columns are declared, so that it cannot see them.
Result<Clause> Binder::bind_clause(const ast::CallSubquery& clause, const ast::Clause& whole) {
  CAIRN_TRY(check_transactions(clause.transactions));
  CAIRN_TRY(check_columns(clause.query));
  CallSubqueryClause call;
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
  call.in_transactions = clause.transactions.is_present;
  call.width = scope_->width();
  return Clause(std::move(call));
}

// Imported variables keep their slots, and all that the query declares comes behind the row around it.
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

/// For messages: a name that is there outside is not a misspelling.
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

// Columns become variables.
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

// How many rows a transaction would have is for nobody to know: there is one.
Status Binder::check_transactions(const ast::InTransactions& transactions) {
  if (!transactions.is_present) return {};
  if (transactions.is_concurrent) {
    return error(transactions,
                 "CONCURRENT is not possible: a statement runs in one transaction; leave it out");
  }
  std::uint32_t width = 0;
  CAIRN_TRY(bind_row_count(transactions.rows, width));
  const std::string& word = transactions.on_error.text;
  if (word.empty() || lexical::is_keyword(word, "FAIL")) return {};
  return error(transactions.on_error, "ON ERROR " + word +
                                          " is not possible: a statement is done as a whole or "
                                          "not at all; write ON ERROR FAIL, or leave it out");
}

bool Binder::returns_rows(const ast::CallSubquery& clause) {
  return return_of(clause.query.first) != nullptr;
}

}  // namespace cairn::query
