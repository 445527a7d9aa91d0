// WITH and RETURN: columns, grouping, and the rows that follow.
//
//   input row -> [group row ->] output row -> sort row
//
// Without aggregates, columns are bound over the input row. With aggregates, grouping keys and arguments of
// aggregates are bound over the input row, and columns over the group row. ORDER BY is bound over the sort row.
#include "query/bind/ast_walk.hpp"
#include "query/bind/binder.hpp"
#include "query/bind/scope.hpp"
#include "query/syntax/printer.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {
namespace {

// Reasons why a variable is not visible; Unseen::why refers to them.
constexpr std::string_view not_grouped =
    "is neither a column of its own nor inside an aggregating function; add it as a column, or "
    "project it in a WITH before";

constexpr std::string_view not_a_column =
    "is not a column; after DISTINCT or an aggregation only the columns are seen here";

constexpr std::string_view varies_by_row =
    "is a variable; SKIP and LIMIT take a value that is the same for all rows";

/// A variable's property path such as a.b.c. If such a path is a grouping key, an item with an aggregate may refer to
/// it by its text.
bool is_simple_key(const ast::Expression& expression) {
  const auto* chain = expression.get_if<ast::SuffixChain>();
  return chain != nullptr && chain->base.get_if<ast::Name>() != nullptr &&
         std::ranges::all_of(chain->suffixes, [](const ast::Suffix& suffix) {
           return std::holds_alternative<ast::Name>(suffix.content);
         });
}

/// True if `name` is a variable of the query around a subquery.
bool is_outer(const Scope& scope, std::string_view name, const Variable& variable) {
  return variable.is_carried || !scope.has_own(name);
}

// Names in a repeatable order.
std::vector<std::string_view> sorted(const NameSet& names) {
  std::vector<std::string_view> result(names.begin(), names.end());
  std::ranges::sort(result);
  return result;
}

}  // namespace

// The order of steps matters: items over the input row, then the output scope, then ORDER BY and WHERE, which see the
// input row and the output scope. `width` is the longest of the output, sort and group rows with their local variables.
// At the end the output scope replaces the input scope for all later clauses.
Result<Clause> Binder::bind_clause(const ast::Project& clause, const ast::Clause& whole) {
  if (clause.is_return && !clause.where.empty()) {
    return error(clause.where, "RETURN has no WHERE; filter in a WITH before it");
  }
  CAIRN_ASSIGN(Columns columns, list_columns(clause, whole));
  ProjectClause project;
  project.is_return = clause.is_return;
  project.distinct = clause.is_distinct;
  project.aggregating = columns.aggregates > 0;
  if (project.aggregating) {
    CAIRN_TRY(bind_grouped_items(columns, project));
  } else {
    CAIRN_TRY(bind_plain_items(columns, project));
  }
  project.input_width = scope_->width();
  CAIRN_ASSIGN(Scope output, output_scope(columns, project));
  CAIRN_TRY(bind_behind_columns(clause, columns, output, project));
  CAIRN_ASSIGN(project.skip, bind_row_count(clause.skip, project.width));
  CAIRN_ASSIGN(project.limit, bind_row_count(clause.limit, project.width));
  project.width = std::max(project.width, output.width());
  note_lost_names(output, clause.is_return);
  *scope_ = std::move(output);
  return Clause(std::move(project));
}

// Notes the variables that this WITH drops. Error messages then name this reason instead of suggesting a misspelling.
void Binder::note_lost_names(const Scope& output, bool is_return) {
  if (is_return) return;
  for (const auto& [name, variable] : scope_->visible()) {
    if (!output.has_own(name)) lost_names_[name] = "the previous WITH does not pass it on";
  }
}

// The columns of * come first, ordered by name as in Neo4j. All names must differ from each other and from the columns
// of *.
Result<Binder::Columns> Binder::list_columns(const ast::Project& clause, const ast::Clause& whole) {
  Columns result;
  std::set<std::string> names;
  if (clause.list.has_star) {
    auto variables = scope_->visible();
    std::ranges::sort(variables, {}, [](const auto& named) { return named.first; });
    if (variables.empty() && clause.is_return) {
      return error(whole, "* needs a variable, but no variable is defined");
    }
    CAIRN_TRY(count_expanded(whole, variables.size()));
    for (const auto& [name, variable] : variables) {
      names.insert(name);
      result.columns.push_back({nullptr, name, variable, 0, whole});
    }
  }
  for (const ast::ProjectionItem& item : clause.list.items) {
    CAIRN_ASSIGN(auto name, column_name(item, clause.is_return));
    if (!names.insert(name).second) {
      const ast::Located& where =
          item.alias.empty() ? static_cast<const ast::Located&>(item.expression) : item.alias;
      return error(where,
                   "there are two columns `" + name + "`; give one of them another name with AS");
    }
    const std::size_t aggregates = count_aggregates(item.expression);
    result.aggregates += aggregates;
    result.columns.push_back({&item.expression, std::move(name), {}, aggregates, item.expression});
  }
  return result;
}

// In RETURN, an expression without an alias is named by its text as written. In WITH an alias is required.
Result<std::string> Binder::column_name(const ast::ProjectionItem& item, bool is_return) const {
  if (!item.alias.empty()) return item.alias.text;
  if (const auto* name = item.expression.get_if<ast::Name>()) return name->text;
  if (!is_return) {
    return error(item.expression, "an expression in WITH needs a name: ... AS name");
  }
  return std::string(source_.slice(item.expression.begin, item.expression.end));
}

// Binds a written column, or the variable that a column of * stands for.
Result<Typed> Binder::bind_column(const Column& column) {
  if (column.expression != nullptr) return bind(*column.expression);
  return Typed{make_variable(column.variable.slot, column.where), column.variable.type};
}

// Without aggregates, a column is an expression over the input row.
Status Binder::bind_plain_items(Columns& columns, ProjectClause& project) {
  for (Column& column : columns.columns) {
    CAIRN_ASSIGN(Typed bound, bind_column(column));
    column.variable.type = bound.type;
    project.items.push_back({std::move(bound.expression), column.name});
  }
  return {};
}

// The group row consists of the keys and then the aggregates. Items without an aggregate are the keys and are bound
// over the input row. Items with an aggregate are bound over the group row, where only keys are visible. Other
// variables of the input are `unseen_`, with the reason for the error message.
Status Binder::bind_grouped_items(Columns& columns, ProjectClause& project) {
  Scope group;
  KnownExpressions known;
  CAIRN_TRY(bind_keys(columns, project, group, known));
  Grouping grouping{scope_, {}, static_cast<Slot>(project.keys.size())};
  group.reserve(grouping.first_call + static_cast<Slot>(columns.aggregates));
  {
    const Restored<Scope*> over_groups(scope_, &group);
    const Restored<Grouping*> aggregates(grouping_, &grouping);
    const Restored<const KnownExpressions*> keys(known_, &known);
    const Restored<Unseen> unseen(unseen_, {grouping.input, not_grouped});
    for (std::size_t i = 0; i < columns.columns.size(); ++i) {
      Column& column = columns.columns[i];
      if (column.aggregates == 0) continue;
      CAIRN_ASSIGN(Typed bound, bind_column(column));
      column.variable.type = bound.type;
      project.items[i].expression = std::move(bound.expression);
    }
  }
  project.aggregates = std::move(grouping.calls);
  project.width = group.width();
  return {};
}

// A column without an aggregate becomes a key, and its item reads the key from the group row. Items with an aggregate
// are left empty here and filled in later.
Status Binder::bind_keys(Columns& columns, ProjectClause& project, Scope& group,
                         KnownExpressions& known) {
  for (Column& column : columns.columns) {
    ExpressionPtr item;
    if (column.aggregates == 0) {
      CAIRN_ASSIGN(Typed bound, bind_column(column));
      const Variable key{static_cast<Slot>(project.keys.size()), bound.type};
      column.variable.type = bound.type;
      project.keys.push_back(std::move(bound.expression));
      item = make_variable(key.slot, column.where);
      note_key(column, key, group, known);
    }
    project.items.push_back({std::move(item), column.name});
  }
  // Without keys, the result has one group even if there are no input rows. With an additional key there would be no
  // group.
  if (project.is_return || outer_names_ == nullptr) return {};
  if (!project.keys.empty())
    carry_keys(columns, project, group);
  else
    note_lost_outer_names();
  return {};
}

// Notes outer variables that a WITH without keys drops, for error messages.
void Binder::note_lost_outer_names() {
  for (const std::string_view name : *outer_names_) {
    const auto variable = scope_->find(name);
    if (variable && is_outer(*scope_, name, *variable))
      lost_names_[std::string(name)] = "a WITH that aggregates without a key does not pass it on";
  }
}

// An outer variable is the same in all rows of a subquery, so it changes no group as a key. As a key it remains
// available after the aggregation.
void Binder::carry_keys(Columns& columns, ProjectClause& project, Scope& group) {
  for (const std::string_view name : sorted(*outer_names_)) {
    const auto variable = scope_->find(name);
    if (!variable || group.has_own(name) || !is_outer(*scope_, name, *variable)) continue;
    const Variable key{static_cast<Slot>(project.keys.size()), variable->type};
    project.keys.push_back(make_variable(variable->slot, {}));
    group.declare_at(name, key);
    columns.carried_keys.emplace_back(name, key);
  }
}

// Makes a key available to other columns: a variable by its name, and a property path by its text.
void Binder::note_key(const Column& column, const Variable& key, Scope& group,
                      KnownExpressions& known) const {
  const auto* name =
      column.expression != nullptr ? column.expression->get_if<ast::Name>() : nullptr;
  if (column.expression == nullptr || name != nullptr) {
    group.declare_at(name != nullptr ? name->text : column.name, key);
  } else if (is_simple_key(*column.expression)) {
    known.emplace(print(*column.expression), key);
  }
}

// After the columns, the output row has unnamed values that are still needed: outer variables for the rest of a
// subquery, and input variables for the WHERE of this clause.
Result<Scope> Binder::output_scope(const Columns& columns, ProjectClause& project) {
  Scope output;
  for (const Column& column : columns.columns) output.declare(column.name, column.variable.type);
  if (project.is_return || outer_names_ == nullptr) return output;
  if (project.aggregating) {
    for (const auto& [name, key] : columns.carried_keys) {
      carry(name, key, make_variable(key.slot, {}), project, output);
    }
  } else {
    CAIRN_TRY(carry_variables(*outer_names_, Carried::outer, project, output));
  }
  return output;
}

// Appends an unnamed item to the projection, and makes it visible in the output scope under `name`.
void Binder::carry(std::string_view name, const Variable& variable, ExpressionPtr item,
                   ProjectClause& project, Scope& output) {
  const auto slot = static_cast<Slot>(project.items.size());
  project.items.push_back({std::move(item), ""});
  output.declare_at(name, {slot, variable.type, true});
  output.reserve(slot + 1);
}

// Sorted, so that slots and plans do not depend on the order of a hash table.
Status Binder::carry_variables(const NameSet& names, Carried which, ProjectClause& project,
                               Scope& output) {
  for (const std::string_view name : sorted(names)) {
    const auto variable = scope_->find(name);
    const bool is_wanted = variable && !output.has_own(name) &&
                           (which == Carried::any || is_outer(*scope_, name, *variable));
    if (!is_wanted) continue;
    CAIRN_TRY(count_expanded({}, 1));
    carry(name, *variable, make_variable(variable->slot, {}), project, output);
  }
  return {};
}

// True if a name in the expression is that of a column with another value. Then the text of the expression means
// another value in ORDER BY and WHERE. The text of an aggregate can only mean the column.
bool Binder::is_renamed(const Column& column, const NameSet& renamed) {
  if (column.aggregates > 0) return false;
  NameSet names;
  collect_names(*column.expression, names);
  return std::ranges::any_of(names, [&](std::string_view name) { return renamed.contains(name); });
}

Binder::KnownColumns Binder::known_columns(const Columns& columns) const {
  NameSet renamed;
  for (const Column& column : columns.columns) {
    if (column.expression == nullptr || !scope_->find(column.name)) continue;
    const auto* name = column.expression->get_if<ast::Name>();
    if (name == nullptr || name->text != column.name) renamed.insert(column.name);
  }
  KnownColumns known;
  for (std::size_t i = 0; i < columns.columns.size(); ++i) {
    const Column& column = columns.columns[i];
    if (column.expression == nullptr) continue;
    const std::string text = print(*column.expression);
    const Variable variable{static_cast<Slot>(i), column.variable.type};
    if (!is_renamed(column, renamed)) known.parts.emplace(text, variable);
    known.whole.emplace(text, variable);
  }
  return known;
}

const Binder::KnownExpressions& Binder::known_in(const ast::Expression& expression,
                                                 const KnownColumns& known) {
  const bool may_be_whole = known.whole.size() > known.parts.size();
  return may_be_whole && known.whole.contains(print(expression)) ? known.whole : known.parts;
}

// Input variables that WHERE needs are carried on in the output row, and are visible only in this clause. After
// DISTINCT or an aggregation, an output row has no single input row, so only columns are visible.
Status Binder::bind_behind_columns(const ast::Project& clause, const Columns& columns,
                                   Scope& output, ProjectClause& project) {
  const bool sees_input = !project.aggregating && !project.distinct;
  const Restored<Unseen> unseen(unseen_, {scope_, not_a_column});
  const Scope::Frame frame(output);
  if (sees_input) {
    NameSet wanted;
    collect_names(clause.where, wanted);
    CAIRN_TRY(carry_variables(wanted, Carried::any, project, output));
  }
  const KnownColumns known = known_columns(columns);
  CAIRN_TRY(bind_order(clause, output, known, project));
  if (clause.where.empty()) return {};
  const Restored<const KnownExpressions*> where_known(known_, &known_in(clause.where, known));
  const Restored<Scope*> over_output(scope_, &output);
  CAIRN_ASSIGN(project.where, bind_condition(clause.where));
  return {};
}

// The sort row is the output row, followed by the input row if it is still visible.
Status Binder::bind_order(const ast::Project& clause, const Scope& output,
                          const KnownColumns& known, ProjectClause& project) {
  if (clause.order.empty()) return {};
  const bool sees_input = !project.aggregating && !project.distinct;
  const auto shift = static_cast<Slot>(project.items.size());
  Scope sort = output;
  if (sees_input) sort.put_before(*scope_, shift);
  const Restored<Scope*> over_sort_row(scope_, &sort);
  for (const ast::SortItem& item : clause.order) {
    const Restored<const KnownExpressions*> key_known(known_, &known_in(item.expression, known));
    CAIRN_ASSIGN(auto key, bind_untyped(item.expression));
    project.order.push_back({std::move(key), item.is_descending});
  }
  project.width = std::max(project.width, sort.width());
  return {};
}

// Binds SKIP or LIMIT, whose value must not depend on a row: the scope has no variables.
Result<ExpressionPtr> Binder::bind_row_count(const ast::Expression& expression,
                                             std::uint32_t& width) {
  if (expression.empty()) return ExpressionPtr();
  const auto* literal = expression.get_if<ast::Literal>();
  const auto* integer = literal != nullptr ? std::get_if<ast::Integer>(&literal->value) : nullptr;
  if (integer != nullptr && integer->is_negative) {
    return error(expression, "a number of rows cannot be negative");
  }
  Scope nothing;
  const Restored<Unseen> unseen(unseen_, {scope_, varies_by_row});
  const Restored<Scope*> over_nothing(scope_, &nothing);
  CAIRN_ASSIGN(Typed bound, bind(expression));
  const bool may_be_count =
      bound.type.is(TypeKind::integer) || bound.type.is(TypeKind::number) || bound.type.is_open();
  if (!may_be_count) return wrong_type(expression, bound.type, "an integer");
  width = std::max(width, nothing.width());
  return std::move(bound.expression);
}

}  // namespace cairn::query
