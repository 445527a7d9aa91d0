// The clauses that write.
// FOREACH takes any clauses and the binder refuses the reading ones, by name.

#include "query/syntax/grammar.hpp"

namespace cairn::query::grammar {
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
// The target is an operand: its last suffix is what is set, which the binder takes off again.
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
