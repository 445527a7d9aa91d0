// The grammar of SHOW, which lists the objects of the database. Each SHOW becomes a CALL of the procedure that lists them,
// and the clauses that its ORDER BY, SKIP and LIMIT mean.

#include "query/syntax/grammar.hpp"
#include "query/syntax/listing_columns.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::query::grammar {

/// The kinds of objects that SHOW lists.
enum class Shown : std::uint8_t {
  indexes,
  vector_indexes,
  full_text_indexes,
  range_indexes,
  text_indexes,
  point_indexes,
  lookup_indexes,
  constraints,
  procedures,
  executable_procedures,
  functions,
  executable_functions,
  built_in_functions,
  executable_built_in_functions,
  user_defined_functions,
  executable_user_defined_functions,
  backups,
  name_spaces,
  databases,
  named_database,
  home_database,
  default_database,
  transactions,
  users,
  current_user,
  settings,
  aliases,
};

/// What a SHOW lists. `name` is that of SHOW DATABASE name.
struct ShownObjects {
  ast::Name name;
  Shown what = Shown::indexes;
};

/// ORDER BY, SKIP, LIMIT and WHERE after the YIELD of a SHOW.
struct ShownOrder {
  std::vector<ast::SortItem> order;
  ast::Expression skip;
  ast::Expression limit;
  ast::Expression where;
};

/// The parts of a SHOW, which is converted to a CALL. Without YIELD, the default columns are returned.
struct Show {
  ShownObjects objects;
  ast::Yield yield;
  ShownOrder order;
};

}  // namespace cairn::query::grammar

BOOST_FUSION_ADAPT_STRUCT(cairn::query::grammar::ShownObjects, name, what)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::grammar::ShownOrder, order, skip, limit, where)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::grammar::Show, objects, yield, order)

namespace cairn::query::grammar {
namespace {

const x3::rule<struct ShowPartsId, Show> show_parts = "parts of SHOW";
const x3::rule<struct ShownId, Shown> shown = "what is shown";
const x3::rule<struct ShownObjectsId, ShownObjects> shown_objects = "objects that are shown";
const x3::rule<struct NamedDatabaseId, ShownObjects> named_database = "DATABASE name";
const x3::rule<struct PlainObjectsId, ShownObjects> plain_objects = "objects without a name";
const x3::rule<struct ShownOrderId, ShownOrder> shown_order = "ORDER BY, SKIP and LIMIT of SHOW";
const x3::rule<struct OrderPartsId, ShownOrder> order_parts = "parts of ORDER BY of SHOW";
const x3::rule<struct ShownFunctionsId, Shown> shown_functions = "functions that are shown";
const x3::rule<struct ShownColumnsId, ast::Yield> shown_columns = "columns that are shown";
const x3::rule<struct ShownYieldId, ast::Yield> shown_yield = "YIELD of SHOW";
const x3::rule<struct ShownStarId, ast::Yield> shown_star = "YIELD * of SHOW";

constexpr Absent<std::vector<ast::YieldItem>> no_shown_items;
constexpr Absent<ShownOrder> no_order;

std::vector<ast::YieldItem> shown_items(std::span<const std::string_view> names) {
  std::vector<ast::YieldItem> items;
  for (const std::string_view name : names) {
    ast::YieldItem item;
    item.column.text = name;
    items.push_back(std::move(item));
  }
  return items;
}

using Columns = std::span<const std::string_view>;

/// The procedure for a SHOW: its name, its argument if it has one, all its columns for YIELD *, and the default columns,
/// which are those of Neo4j.
struct ShownProcedure {
  const char* name;
  const char* argument;
  Columns all_columns;
  Columns columns;
};

constexpr auto default_database_columns = std::to_array<std::string_view>(
    {"name", "type", "access", "role", "writer", "currentStatus", "default", "home"});
constexpr auto default_transaction_columns = std::to_array<std::string_view>(
    {"database", "transactionId", "currentQuery", "username", "status", "elapsedTime"});

constexpr Columns first(std::size_t count, Columns columns) { return columns.first(count); }

/// In the order of Shown.
constexpr ShownProcedure shown_procedures[] = {
    {"db.indexes", nullptr, index_columns, first(12, index_columns)},
    {"db.indexes", "VECTOR", index_columns, first(12, index_columns)},
    {"db.indexes", "FULLTEXT", index_columns, first(12, index_columns)},
    {"db.indexes", "RANGE", index_columns, first(12, index_columns)},
    {"db.indexes", "TEXT", index_columns, first(12, index_columns)},
    {"db.indexes", "POINT", index_columns, first(12, index_columns)},
    {"db.indexes", "LOOKUP", index_columns, first(12, index_columns)},
    {"db.constraints", nullptr, constraint_columns, first(8, constraint_columns)},
    {"db.procedures", nullptr, procedure_columns, first(4, procedure_columns)},
    {"db.procedures", "EXECUTABLE", procedure_columns, first(4, procedure_columns)},
    {"db.functions", nullptr, function_columns, first(3, function_columns)},
    {"db.functions", "EXECUTABLE", function_columns, first(3, function_columns)},
    {"db.functions", "BUILT IN", function_columns, first(3, function_columns)},
    {"db.functions", "BUILT IN EXECUTABLE", function_columns, first(3, function_columns)},
    {"db.functions", "USER DEFINED", function_columns, first(3, function_columns)},
    {"db.functions", "USER DEFINED EXECUTABLE", function_columns, first(3, function_columns)},
    {"db.backups", nullptr, backup_columns, backup_columns},
    {"db.namespaces", nullptr, name_space_columns, name_space_columns},
    {"db.databases", nullptr, database_columns, default_database_columns},
    {"db.databases", "NAME", database_columns, default_database_columns},
    {"db.databases", "HOME", database_columns, default_database_columns},
    {"db.databases", "DEFAULT", database_columns, default_database_columns},
    {"db.transactions", nullptr, transaction_columns, default_transaction_columns},
    {"db.users", nullptr, user_columns, user_columns},
    {"db.users", "CURRENT", user_columns, user_columns},
    {"db.settings", nullptr, setting_columns, setting_columns},
    {"db.aliases", nullptr, alias_columns, alias_columns},
};

void add_text(ast::CallArguments& arguments, std::string text) {
  ast::Expression argument;
  argument = ast::Literal{std::move(text)};
  arguments.values.push_back(std::move(argument));
}

/// Returns a projection of the variables that a YIELD declares.
ast::Project projection_of(const ast::Yield& yield, bool is_return) {
  ast::Project made;
  made.is_return = is_return;
  for (const ast::YieldItem& yielded : yield.items) {
    ast::ProjectionItem item;
    item.expression = yielded.alias.empty() ? yielded.column : yielded.alias;
    made.list.items.push_back(std::move(item));
  }
  return made;
}

/// Converts the parts of a SHOW after its YIELD.
std::vector<ast::Project> to_projects(const ast::Yield& yield, ShownOrder parts) {
  std::vector<ast::Project> made;
  if (parts.order.empty() && parts.skip.empty() && parts.limit.empty()) return made;
  ast::Project project = projection_of(yield, false);
  project.order = std::move(parts.order);
  project.skip = std::move(parts.skip);
  project.limit = std::move(parts.limit);
  project.where = std::move(parts.where);
  made.push_back(std::move(project));
  return made;
}

/// Converts a SHOW:
///    SHOW VECTOR INDEXES WHERE state = 'ONLINE'
///    CALL db.indexes('VECTOR') YIELD name, type, ... WHERE state = 'ONLINE'
ast::Call to_call(Show parts) {
  const auto what = static_cast<std::size_t>(parts.objects.what);
  const ShownProcedure& listing = shown_procedures[what];
  ast::Call made;
  made.procedure.text = listing.name;
  made.arguments.is_present = true;
  if (listing.argument != nullptr) add_text(made.arguments, listing.argument);
  if (!parts.objects.name.empty()) add_text(made.arguments, std::move(parts.objects.name.text));
  made.yield = std::move(parts.yield);
  const bool wants_all = std::exchange(made.yield.has_star, false);
  if (made.yield.items.empty())
    made.yield.items = shown_items(wants_all ? listing.all_columns : listing.columns);
  made.order = to_projects(made.yield, std::move(parts.order));
  return made;
}

ast::Clause clause_of(ast::Project project, const ast::Clause& place) {
  ast::Clause made;
  made.begin = place.begin;
  made.end = place.end;
  made = std::move(project);
  return made;
}

/// Adds a clause, and after a SHOW with ORDER BY, SKIP or LIMIT the clauses for them:
///    SHOW INDEXES YIELD name ORDER BY name
///    CALL db.indexes() YIELD name WITH name ORDER BY name RETURN name
void add_expanded(ast::Clause clause, bool is_last, std::vector<ast::Clause>& clauses) {
  auto* call = std::get_if<ast::Call>(&clause.content);
  if (call == nullptr || call->order.empty()) {
    clauses.push_back(std::move(clause));
    return;
  }
  ast::Project order = std::move(call->order.front());
  call->order.clear();
  const bool needs_return = is_last && !order.where.empty();
  order.is_return = is_last && !needs_return;
  ast::Project columns = projection_of(call->yield, true);
  const ast::Clause& place = clauses.emplace_back(std::move(clause));
  std::vector<ast::Clause> rest;
  rest.push_back(clause_of(std::move(order), place));
  if (needs_return) rest.push_back(clause_of(std::move(columns), place));
  for (ast::Clause& one : rest) clauses.push_back(std::move(one));
}

std::vector<ast::Clause> expanded(std::vector<ast::Clause> parsed) {
  std::vector<ast::Clause> clauses;
  for (std::size_t i = 0; i < parsed.size(); ++i)
    add_expanded(std::move(parsed[i]), i + 1 == parsed.size(), clauses);
  return clauses;
}

}  // namespace

// The clauses of a query.
const auto clauses_def =
    (+clause)[([](auto& context) { x3::_val(context) = expanded(std::move(x3::_attr(context))); })];

// SHOW INDEXES, SHOW INDEXES WHERE type = 'VECTOR', SHOW INDEXES YIELD name, entries WHERE entries > 9 RETURN name
//    show := SHOW ( [ ALL | VECTOR | FULLTEXT | RANGE | TEXT | POINT | LOOKUP ] INDEXES | [ ALL ] CONSTRAINTS
//                 | PROCEDURES [ executable ] | [ ALL | BUILT IN | USER DEFINED ] FUNCTIONS [ executable ] | BACKUPS
//                 | NAMESPACES | DATABASES | DATABASE name | ( DEFAULT | HOME ) DATABASE | ALIASES FOR DATABASE
//                 | TRANSACTIONS | USERS | CURRENT USER | SETTINGS )
//            [ YIELD ( '*' | yields ) ] [ WHERE expression ] [ order ]
//    executable := EXECUTABLE [ BY CURRENT USER ]
//    order := [ ORDER BY sorts ] [ SKIP expression ] [ LIMIT expression ] [ WHERE expression ], beginning with a word
//             other than WHERE
// SHOW becomes a CALL of the procedure that lists the objects. Without YIELD the columns are the default ones of Neo4j.
// YIELD * is expanded to the names of all columns, so that conditions and clauses may follow.
const auto show_def =
    show_parts[([](auto& context) { x3::_val(context) = to_call(std::move(x3::_attr(context))); })];
const auto show_parts_def = "SHOW"_kw > shown_objects > (shown_yield | shown_columns) >
                            (shown_order | no_order);
const auto shown_yield_def = "YIELD"_kw > (shown_star | yield_list);
const auto shown_star_def = "'*'"_sym > x3::attr(true) > no_shown_items >
                            -("WHERE"_kw > expression);
const auto shown_columns_def = x3::attr(false) > no_shown_items > -("WHERE"_kw > expression);
const auto shown_order_def = &("ORDER"_kw | "SKIP"_kw | "LIMIT"_kw) > order_parts;
const auto order_parts_def = -sort_list > -("SKIP"_kw > expression) > -("LIMIT"_kw > expression) >
                             -("WHERE"_kw > expression);
const auto indexes_word = "INDEXES"_kw | "INDEX"_kw;
const auto constraints_word = "CONSTRAINTS"_kw | "CONSTRAINT"_kw;
const auto shown_transactions = "TRANSACTIONS"_kw | "TRANSACTION"_kw;
const auto databases_word = "DATABASES"_kw | "DATABASE"_kw;
const auto procedures_word = "PROCEDURES"_kw | "PROCEDURE"_kw;
const auto functions_word = "FUNCTIONS"_kw | "FUNCTION"_kw;
const auto executable_words = "EXECUTABLE"_kw > -("BY"_kw > "CURRENT"_kw > "USER"_kw);
// What exists is listed once here, because an error message names the first alternatives only.
const auto shown_objects_def = named(
    "INDEXES, CONSTRAINTS, PROCEDURES, FUNCTIONS, DATABASES, DATABASE name, HOME DATABASE, "
    "DEFAULT DATABASE, ALIASES FOR DATABASE, NAMESPACES, TRANSACTIONS, USERS, CURRENT USER, "
    "SETTINGS or BACKUPS")[named_database | plain_objects];
// A database that is named like the first word of what may follow needs back quotes.
const auto words_after_show =
    "YIELD"_kw | "CALL"_kw | "SHOW"_kw | "TERMINATE"_kw | "BACKUP"_kw | "LOAD"_kw | "FOREACH"_kw;
const auto named_database_def = "DATABASE"_kw >> !words_after_show >> variable >>
                                x3::attr(Shown::named_database);
const auto plain_objects_def = no_name >> shown;
const auto shown_def =
    (indexes_word >> x3::attr(Shown::indexes)) |
    (constraints_word >> x3::attr(Shown::constraints)) |
    ("VECTOR"_kw > indexes_word > x3::attr(Shown::vector_indexes)) |
    ("FULLTEXT"_kw > indexes_word > x3::attr(Shown::full_text_indexes)) |
    ("RANGE"_kw > indexes_word > x3::attr(Shown::range_indexes)) |
    ("TEXT"_kw > indexes_word > x3::attr(Shown::text_indexes)) |
    ("POINT"_kw > indexes_word > x3::attr(Shown::point_indexes)) |
    ("LOOKUP"_kw > indexes_word > x3::attr(Shown::lookup_indexes)) |
    ("ALL"_kw > ((indexes_word > x3::attr(Shown::indexes)) |
                 (constraints_word > x3::attr(Shown::constraints)) | shown_functions)) |
    (procedures_word >> executable_words >> x3::attr(Shown::executable_procedures)) |
    (procedures_word >> x3::attr(Shown::procedures)) | shown_functions |
    (("BACKUPS"_kw | "BACKUP"_kw) >> x3::attr(Shown::backups)) |
    (("NAMESPACES"_kw | "NAMESPACE"_kw) >> x3::attr(Shown::name_spaces)) |
    (databases_word >> x3::attr(Shown::databases)) |
    ("HOME"_kw > databases_word > x3::attr(Shown::home_database)) |
    ("DEFAULT"_kw > databases_word > x3::attr(Shown::default_database)) |
    (("ALIASES"_kw | "ALIAS"_kw) > "FOR"_kw > databases_word > x3::attr(Shown::aliases)) |
    (shown_transactions >> x3::attr(Shown::transactions)) |
    ("CURRENT"_kw > "USER"_kw > x3::attr(Shown::current_user)) |
    (("USERS"_kw | "USER"_kw) >> x3::attr(Shown::users)) |
    (("SETTINGS"_kw | "SETTING"_kw) >> x3::attr(Shown::settings));
const auto shown_functions_def =
    (functions_word >> executable_words >> x3::attr(Shown::executable_functions)) |
    (functions_word >> x3::attr(Shown::functions)) |
    ("BUILT"_kw > "IN"_kw > functions_word >
     ((executable_words >> x3::attr(Shown::executable_built_in_functions)) |
      x3::attr(Shown::built_in_functions))) |
    ("USER"_kw >> "DEFINED"_kw > functions_word >
     ((executable_words >> x3::attr(Shown::executable_user_defined_functions)) |
      x3::attr(Shown::user_defined_functions)));

BOOST_SPIRIT_DEFINE(clauses, show, show_parts, shown_objects, named_database, plain_objects, shown,
                    shown_functions, shown_columns, shown_yield, shown_star, shown_order,
                    order_parts)
BOOST_SPIRIT_INSTANTIATE(ClausesRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(ShowRule, Iterator, Context)

}  // namespace cairn::query::grammar
