// The grammar of clauses. The first half has the clauses that read and project, the second half those that write.
//
// The order of clauses is checked by Binder::check_order() and not by the grammar, so that an error message can say
// "a WITH must stand between" instead of "expected the end of the statement".

#include "query/syntax/grammar.hpp"
#include "query/syntax/listing_columns.hpp"
#include "query/syntax/lookahead.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query::grammar {

/// The parts of a LOAD CSV, which is converted to a CALL.
struct LoadCsv {
  bool has_headers = false;
  ast::Expression path;
  ast::Name variable;
  ast::Expression terminator;
};

/// The kinds of objects that SHOW lists.
enum class Shown : std::uint8_t {
  indexes,
  vector_indexes,
  full_text_indexes,
  range_indexes,
  constraints,
  procedures,
  executable_procedures,
  functions,
  executable_functions,
  backups,
  name_spaces,
  databases,
  transactions,
};

/// The parts of a TERMINATE TRANSACTIONS, which is converted to a CALL.
struct Terminate {
  std::vector<ast::Expression> ids;
  ast::Yield yield;
};

/// The parts of a SHOW, which is converted to a CALL. Without YIELD, the default columns are returned.
struct Show {
  Shown what = Shown::indexes;
  ast::Yield yield;
};

}  // namespace cairn::query::grammar

BOOST_FUSION_ADAPT_STRUCT(cairn::query::grammar::LoadCsv, has_headers, path, variable, terminator)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::grammar::Show, what, yield)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::grammar::Terminate, ids, yield)
namespace cairn::query::grammar {
namespace {

using ast::Project;
using ast::ProjectionItem;

const x3::rule<struct MatchId, ast::Match> match = "MATCH";
const x3::rule<struct UnwindId, ast::Unwind> unwind = "UNWIND";
const x3::rule<struct ProjectId, Project> project = "WITH or RETURN";
const x3::rule<struct IsReturnId, bool> is_return = "is RETURN";
const x3::rule<struct ItemListId, ast::ItemList> item_list = "items";
const x3::rule<struct StarItemsId, ast::ItemList> star_items = "* and items";
const x3::rule<struct PlainItemsId, ast::ItemList> plain_items = "items without *";
const x3::rule<struct ProjectionItemId, ProjectionItem> projection_item = "item";
const x3::rule<struct SortListId, std::vector<ast::SortItem>> sort_list = "ORDER BY";
const x3::rule<struct SortItemId, ast::SortItem> sort_item = "sort item";
const x3::rule<struct IsDescendingId, bool> is_descending = "direction";
const x3::rule<struct CallId, ast::Call> call = "CALL";
const x3::rule<struct LoadCsvId, ast::Call> load_csv = "LOAD CSV";
const x3::rule<struct LoadPartsId, LoadCsv> load_parts = "parts of LOAD CSV";
const x3::rule<struct ShowId, ast::Call> show = "SHOW";
const x3::rule<struct ShowPartsId, Show> show_parts = "parts of SHOW";
const x3::rule<struct ShownId, Shown> shown = "what is shown";
const x3::rule<struct ShownColumnsId, ast::Yield> shown_columns = "columns that are shown";
const x3::rule<struct ShownYieldId, ast::Yield> shown_yield = "YIELD of SHOW";
const x3::rule<struct ShownStarId, ast::Yield> shown_star = "YIELD * of SHOW";
const x3::rule<struct TerminateId, ast::Call> terminate = "TERMINATE TRANSACTIONS";
const x3::rule<struct TerminatePartsId, Terminate> terminate_parts = "parts of TERMINATE";
const x3::rule<struct BackupId, ast::Call> backup = "BACKUP TO";
const x3::rule<struct BackupTargetId, ast::CallArguments> backup_target = "directory of a backup";
const x3::rule<struct CallArgumentsId, ast::CallArguments> call_arguments = "arguments";
const x3::rule<struct YieldId, ast::Yield> yield = "YIELD";
const x3::rule<struct YieldStarId, ast::Yield> yield_star = "YIELD *";
const x3::rule<struct YieldListId, ast::Yield> yield_list = "YIELD items";
const x3::rule<struct YieldItemId, ast::YieldItem> yield_item = "YIELD item";

constexpr Absent<std::vector<ast::YieldItem>> no_items;

ast::Name name_of(std::string text) {
  ast::Name name;
  name.text = std::move(text);
  return name;
}

using Columns = std::span<const std::string_view>;

std::vector<ast::YieldItem> items_of(Columns names) {
  std::vector<ast::YieldItem> items;
  for (const std::string_view name : names) items.push_back({name_of(std::string(name)), {}});
  return items;
}

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
    {"db.constraints", nullptr, constraint_columns, first(8, constraint_columns)},
    {"db.procedures", nullptr, procedure_columns, first(4, procedure_columns)},
    {"db.procedures", "EXECUTABLE", procedure_columns, first(4, procedure_columns)},
    {"db.functions", nullptr, function_columns, first(3, function_columns)},
    {"db.functions", "EXECUTABLE", function_columns, first(3, function_columns)},
    {"db.backups", nullptr, backup_columns, backup_columns},
    {"db.namespaces", nullptr, name_space_columns, name_space_columns},
    {"db.databases", nullptr, database_columns, default_database_columns},
    {"db.transactions", nullptr, transaction_columns, default_transaction_columns},
};

/// Converts TERMINATE TRANSACTIONS 'a', $b to CALL db.transactions.terminate(['a', $b]).
ast::Call to_call(Terminate parts) {
  ast::Call made;
  made.procedure = name_of("db.transactions.terminate");
  made.arguments.is_present = true;
  ast::Expression ids;
  ids = std::move(parts.ids);
  made.arguments.values.push_back(std::move(ids));
  made.yield = std::move(parts.yield);
  return made;
}

/// Converts a SHOW:
///    SHOW VECTOR INDEXES WHERE state = 'ONLINE'
///    CALL db.indexes('VECTOR') YIELD name, type, ... WHERE state = 'ONLINE'
ast::Call to_call(Show parts) {
  const ShownProcedure& listing = shown_procedures[static_cast<std::size_t>(parts.what)];
  ast::Call made;
  made.procedure = name_of(listing.name);
  made.arguments.is_present = true;
  if (listing.argument != nullptr) {
    ast::Expression argument;
    argument = ast::Literal{std::string(listing.argument)};
    made.arguments.values.push_back(std::move(argument));
  }
  made.yield = std::move(parts.yield);
  const bool wants_all = std::exchange(made.yield.has_star, false);
  if (made.yield.items.empty())
    made.yield.items = items_of(wants_all ? listing.all_columns : listing.columns);
  return made;
}

/// Converts a LOAD CSV:
///    LOAD CSV WITH HEADERS FROM $path AS row FIELDTERMINATOR ';'
///    CALL db.csv.load($path, true, ';') YIELD row
ast::Call to_call(LoadCsv load) {
  ast::Expression has_headers;
  has_headers = ast::Literal{load.has_headers};
  has_headers.begin = load.path.begin;
  has_headers.end = load.path.end;
  ast::Call made;
  made.procedure = name_of("db.csv.load");
  made.arguments.is_present = true;
  made.arguments.values.push_back(std::move(load.path));
  made.arguments.values.push_back(std::move(has_headers));
  if (!load.terminator.empty()) made.arguments.values.push_back(std::move(load.terminator));
  made.yield.items.push_back({name_of("row"), std::move(load.variable)});
  return made;
}

}  // namespace

// Every clause begins with its own keyword. So one token decides, and expectation points follow
// directly after it.
const auto clause_def = named("a clause")[match | unwind | project | call_subquery | call | show |
                                          terminate | backup | load_csv | update];

// OPTIONAL MATCH (a)-->(b), (c) SEARCH ... WHERE a.x = 1
//    match := [ OPTIONAL ] MATCH path { ',' path } [ search ] [ WHERE expression ]
const auto match_def = x3::matches["OPTIONAL"_kw] >> "MATCH"_kw > path % "','"_sym > -search >
                       -("WHERE"_kw > expression);

// UNWIND [1, 2] AS x
const auto unwind_def = "UNWIND"_kw > expression > "AS"_kw > variable;

// RETURN DISTINCT *, a.x AS x ORDER BY x DESC SKIP 1 LIMIT 2, and the same with WITH
//    project := (WITH | RETURN) [ DISTINCT ] items [ ORDER BY sort { ',' sort } ]
//               [ SKIP expression ] [ LIMIT expression ] [ WHERE expression ]
// A WHERE after RETURN is parsed here and refused by the binder.
const auto project_def = is_return > x3::matches["DISTINCT"_kw] > item_list > -sort_list >
                         -("SKIP"_kw > expression) > -("LIMIT"_kw > expression) >
                         -("WHERE"_kw > expression);
const auto is_return_def = ("RETURN"_kw >> x3::attr(true)) | ("WITH"_kw >> x3::attr(false));
const auto item_list_def = star_items | plain_items;
//    items := '*' { ',' item } | item { ',' item }
const auto star_items_def = "'*'"_sym > x3::attr(true) > *("','"_sym > projection_item);
const auto plain_items_def = x3::attr(false) >> projection_item % "','"_sym;
const auto projection_item_def = expression > -("AS"_kw > variable);
const auto sort_list_def = "ORDER"_kw > "BY"_kw > sort_item % "','"_sym;
const auto sort_item_def = expression > is_descending;
// The longer word comes first, because DESC is a prefix of DESCENDING.
const auto is_descending_def = (("DESCENDING"_kw | "DESC"_kw) >> x3::attr(true)) |
                               (-("ASCENDING"_kw | "ASC"_kw) >> x3::attr(false));

// CALL db.labels, CALL p(1) YIELD a, b AS c WHERE c > 1, CALL p() YIELD *
//    call := CALL name { '.' name } [ '(' [ expressions ] ')' ] [ YIELD ( '*' | yields ) ]
// A standalone CALL without brackets takes the parameters of the statement by name.
const auto call_def = "CALL"_kw > procedure_name > -call_arguments > -yield;
const auto call_arguments_def = "'('"_sym > x3::attr(true) > -(expression % "','"_sym) > "')'"_sym;
const auto yield_def = "YIELD"_kw > (yield_star | yield_list);
const auto yield_star_def = "'*'"_sym > x3::attr(true) > no_items > no_expression;
const auto yield_list_def = x3::attr(false) >> yield_item % "','"_sym > -("WHERE"_kw > expression);
const auto yield_item_def = variable > -("AS"_kw > variable);

// LOAD CSV WITH HEADERS FROM 'people.csv' AS row FIELDTERMINATOR ';'
//    load := LOAD CSV [ WITH HEADERS ] FROM expression AS variable [ FIELDTERMINATOR expression ]
const auto load_csv_def =
    load_parts[([](auto& context) { x3::_val(context) = to_call(std::move(x3::_attr(context))); })];
const auto load_parts_def = "LOAD"_kw > "CSV"_kw > x3::matches["WITH"_kw > "HEADERS"_kw] >
                            "FROM"_kw > expression > "AS"_kw > variable >
                            -("FIELDTERMINATOR"_kw > expression);

// SHOW INDEXES, SHOW INDEXES WHERE type = 'VECTOR', SHOW INDEXES YIELD name, entries WHERE entries > 9 RETURN name
//    show := SHOW ( [ ALL | VECTOR | FULLTEXT | RANGE ] INDEXES | [ ALL ] CONSTRAINTS
//                 | ( PROCEDURES | FUNCTIONS ) [ EXECUTABLE [ BY CURRENT USER ] ] | BACKUPS | NAMESPACES | [ DEFAULT | HOME ] DATABASES | TRANSACTIONS )
//            [ YIELD ( '*' | yields ) ] [ WHERE expression ]
// SHOW becomes a CALL of the procedure that lists the objects. Without YIELD the columns are the default ones of Neo4j.
// YIELD * is expanded to the names of all columns, so that conditions and clauses may follow.
const auto show_def =
    show_parts[([](auto& context) { x3::_val(context) = to_call(std::move(x3::_attr(context))); })];
const auto show_parts_def = "SHOW"_kw > shown > (shown_yield | shown_columns);
const auto shown_yield_def = "YIELD"_kw > (shown_star | yield_list);
const auto shown_star_def = "'*'"_sym > x3::attr(true) > no_items > -("WHERE"_kw > expression);
const auto indexes_word = "INDEXES"_kw | "INDEX"_kw;
const auto constraints_word = "CONSTRAINTS"_kw | "CONSTRAINT"_kw;
const auto transactions_word = "TRANSACTIONS"_kw | "TRANSACTION"_kw;
const auto databases_word = "DATABASES"_kw | "DATABASE"_kw;
const auto procedures_word = "PROCEDURES"_kw | "PROCEDURE"_kw;
const auto functions_word = "FUNCTIONS"_kw | "FUNCTION"_kw;
const auto executable_words = "EXECUTABLE"_kw > -("BY"_kw > "CURRENT"_kw > "USER"_kw);
const auto shown_def =
    (indexes_word >> x3::attr(Shown::indexes)) |
    (constraints_word >> x3::attr(Shown::constraints)) |
    ("VECTOR"_kw > indexes_word > x3::attr(Shown::vector_indexes)) |
    ("FULLTEXT"_kw > indexes_word > x3::attr(Shown::full_text_indexes)) |
    ("RANGE"_kw > indexes_word > x3::attr(Shown::range_indexes)) |
    ("ALL"_kw > ((indexes_word > x3::attr(Shown::indexes)) |
                 (constraints_word > x3::attr(Shown::constraints)))) |
    (procedures_word >> executable_words >> x3::attr(Shown::executable_procedures)) |
    (procedures_word >> x3::attr(Shown::procedures)) |
    (functions_word >> executable_words >> x3::attr(Shown::executable_functions)) |
    (functions_word >> x3::attr(Shown::functions)) |
    (("BACKUPS"_kw | "BACKUP"_kw) >> x3::attr(Shown::backups)) |
    (("NAMESPACES"_kw | "NAMESPACE"_kw) >> x3::attr(Shown::name_spaces)) |
    (databases_word >> x3::attr(Shown::databases)) |
    (transactions_word >> x3::attr(Shown::transactions)) |
    (("DEFAULT"_kw | "HOME"_kw) > databases_word > x3::attr(Shown::databases));
const auto shown_columns_def = x3::attr(false) > no_items > -("WHERE"_kw > expression);

// TERMINATE TRANSACTIONS 'neo4j-transaction-3', $ids YIELD message
//    terminate := TERMINATE TRANSACTIONS expression { ',' expression } [ YIELD ( '*' | yields ) ]
const auto terminate_def = terminate_parts[(
    [](auto& context) { x3::_val(context) = to_call(std::move(x3::_attr(context))); })];
const auto terminate_parts_def =
    "TERMINATE"_kw > transactions_word > expression % "','"_sym > -yield;

// BACKUP TO 'monday', BACKUP TO $path YIELD commit
//    backup := BACKUP TO expression [ YIELD ( '*' | yields ) ]
// BACKUP TO becomes a CALL of db.backup.
const auto backup_def = "BACKUP"_kw > "TO"_kw > x3::attr(name_of("db.backup")) > backup_target >
                        -yield;
const auto backup_target_def = x3::attr(true) > x3::repeat(1)[expression];

BOOST_SPIRIT_DEFINE(clause, match, unwind, project, is_return, item_list, star_items, plain_items,
                    projection_item, sort_list, sort_item, is_descending, call, call_arguments,
                    yield, yield_star, yield_list, yield_item, load_csv, load_parts, show,
                    show_parts, shown, shown_columns, shown_yield, shown_star, terminate,
                    terminate_parts, backup, backup_target)
BOOST_SPIRIT_INSTANTIATE(ClauseRule, Iterator, Context)

// The clauses that write. FOREACH accepts any clause, and the binder refuses reading clauses by name.

namespace {

using ast::SetOperator;
using SetItems = std::vector<ast::SetItem>;

const x3::rule<struct CreateId, ast::Create> create = "CREATE";
const x3::rule<struct MergeId, ast::Merge> merge = "MERGE";
const x3::rule<struct MergeActionId, ast::MergeAction> merge_action = "ON";
const x3::rule<struct OnCreateId, bool> on_create = "ON CREATE or ON MATCH";
const x3::rule<struct SetId, ast::Set> set = "SET";
const x3::rule<struct SetItemId, ast::SetItem> set_item = "SET item";
const x3::rule<struct SetAssignmentId, ast::SetAssignment> set_assignment = "assignment";
const x3::rule<struct SetOperatorId, SetOperator> set_operator = "= or +=";
const x3::rule<struct RemoveId, ast::Remove> remove_clause = "REMOVE";
const x3::rule<struct DeleteId, ast::Delete> delete_clause = "DELETE";
const x3::rule<struct ForeachId, ast::Foreach> foreach = "FOREACH";

}  // namespace

const auto update_def = create | merge | set | remove_clause | delete_clause | foreach;

// CREATE (a:A {x: 1})-[:R]->(b), (c)
const auto create_def = "CREATE"_kw > path % "','"_sym;

// MERGE (a:A {x: 1}) ON CREATE SET a.n = 1 ON MATCH SET a.n = a.n + 1
const auto merge_def = "MERGE"_kw > path > *merge_action;
//    action := ON (CREATE | MATCH) SET item { ',' item }
const auto merge_action_def = "ON"_kw > on_create > set;
const auto on_create_def = ("CREATE"_kw >> x3::attr(true)) | ("MATCH"_kw >> x3::attr(false));

// SET n.x = 1, n = $p, n += {y: 2}, n:A:B
// The target is parsed as an operand; the binder splits off its last suffix.
const auto set_def = "SET"_kw > set_item % "','"_sym;
//    item := expression '.' name '=' expression | name ('=' | '+=') expression | expression labels
const auto set_item_def = named("an expression")[operand] > -set_assignment;
const auto set_assignment_def = set_operator > expression;
const auto set_operator_def =
    ("'='"_sym >> x3::attr(SetOperator::assign)) | ("'+='"_sym >> x3::attr(SetOperator::merge));

// REMOVE n.x, n:A:B
const auto remove_clause_def = "REMOVE"_kw > named("an expression")[operand] % "','"_sym;

// DETACH DELETE n, r, list[0]
const auto delete_clause_def = x3::matches["DETACH"_kw] >> "DELETE"_kw > expression % "','"_sym;

// FOREACH (x IN xs | CREATE (:A {x: x}) SET n.x = x)
const auto foreach_def = "FOREACH"_kw > "'('"_sym > variable > "IN"_kw > bar_ends[expression] >
                         "'|'"_sym > nested(foreach_levels)[+clause] > "')'"_sym;

BOOST_SPIRIT_DEFINE(update, create, merge, merge_action, on_create, set, set_item, set_assignment,
                    set_operator, remove_clause, delete_clause, foreach)
BOOST_SPIRIT_INSTANTIATE(UpdateRule, Iterator, Context)

}  // namespace cairn::query::grammar
