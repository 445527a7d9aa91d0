// The grammar of clauses. The first half has the clauses that read and project, the second half those that write.
//
// The order of clauses is checked by Binder::check_order() and not by the grammar, so that an error message can say
// "a WITH must stand between" instead of "expected the end of the statement".

#include "query/syntax/grammar.hpp"
#include "query/syntax/lookahead.hpp"

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

/// The parts of a TERMINATE TRANSACTIONS, which is converted to a CALL.
struct Terminate {
  std::vector<ast::Expression> ids;
  ast::Yield yield;
};

}  // namespace cairn::query::grammar

BOOST_FUSION_ADAPT_STRUCT(cairn::query::grammar::LoadCsv, has_headers, path, variable, terminator)
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
const x3::rule<struct SortItemId, ast::SortItem> sort_item = "sort item";
const x3::rule<struct IsDescendingId, bool> is_descending = "direction";
const x3::rule<struct CallId, ast::Call> call = "CALL";
const x3::rule<struct LoadCsvId, ast::Call> load_csv = "LOAD CSV";
const x3::rule<struct LoadPartsId, LoadCsv> load_parts = "parts of LOAD CSV";
const x3::rule<struct TerminateId, ast::Call> terminate = "TERMINATE TRANSACTIONS";
const x3::rule<struct TerminatePartsId, Terminate> terminate_parts = "parts of TERMINATE";
const x3::rule<struct BackupId, ast::Call> backup = "BACKUP TO";
const x3::rule<struct BackupTargetId, ast::CallArguments> backup_target = "directory of a backup";
const x3::rule<struct CallArgumentsId, ast::CallArguments> call_arguments = "arguments";
const x3::rule<struct YieldId, ast::Yield> yield = "YIELD";
const x3::rule<struct YieldStarId, ast::Yield> yield_star = "YIELD *";
const x3::rule<struct YieldItemId, ast::YieldItem> yield_item = "YIELD item";

constexpr Absent<std::vector<ast::YieldItem>> no_items;

ast::Name name_of(std::string text) {
  ast::Name name;
  name.text = std::move(text);
  return name;
}

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

const auto transactions_word = "TRANSACTIONS"_kw | "TRANSACTION"_kw;
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
                    yield, yield_star, yield_list, yield_item, load_csv, load_parts, terminate,
                    terminate_parts, backup, backup_target)
BOOST_SPIRIT_INSTANTIATE(SortListRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(YieldListRule, Iterator, Context)
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
                         "'|'"_sym > nested(foreach_levels)[clauses] > "')'"_sym;

BOOST_SPIRIT_DEFINE(update, create, merge, merge_action, on_create, set, set_item, set_assignment,
                    set_operator, remove_clause, delete_clause, foreach)
BOOST_SPIRIT_INSTANTIATE(UpdateRule, Iterator, Context)

}  // namespace cairn::query::grammar
