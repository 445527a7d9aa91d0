// CALL with a query in braces, which runs for each row.
// The bracket behind CALL parts it from a procedure. What IN TRANSACTIONS may say is read more widely than it is
// allowed: the binder refuses the rest with a sentence.

#include "query/syntax/grammar.hpp"

namespace cairn::query::grammar {
namespace {

using ast::ImportKind;

struct InTransactionsId : Locate {};
const x3::rule<struct ImportsId, ast::Imports> imports = "imported variables";
const x3::rule<struct BracketedImportsId, ast::Imports> bracketed_imports = "( variables )";
const x3::rule<struct AllImportsId, ast::Imports> all_imports = "*";
const x3::rule<struct ListedImportsId, ast::Imports> listed_imports = "variables";
const x3::rule<struct NoImportsId, ast::Imports> no_imports = "no variables";
const x3::rule<InTransactionsId, ast::InTransactions> in_transactions = "IN TRANSACTIONS";
const x3::rule<struct IsConcurrentId, bool> is_concurrent = "TRANSACTIONS";

constexpr Absent<std::vector<ast::Name>> no_names;
constexpr NameToken error_word{"FAIL", NameKind::any_word};

/// ( or {: no name of a procedure.
bool is_bracket(ParseState& state, Iterator first) {
  const Iterator at = state.skip_blank(first);
  return at != state.end() && (*at == '(' || *at == '{');
}

}  // namespace

// CALL (a, b) { MATCH (a)-->(c) RETURN c } IN TRANSACTIONS OF 100 ROWS
//    subquery := CALL [ '(' ( '*' | [ name { ',' name } ] ) ')' ] '{' query '}' [ transactions ]
// A query within counts as in an expression, for the stack that it takes.
const auto call_subquery_def = "CALL"_kw >> Ahead(is_bracket) > imports > "'{'"_sym >
                               nested(subquery_levels)[query] > "'}'"_sym > -in_transactions;
const auto imports_def = bracketed_imports | no_imports;
const auto bracketed_imports_def = "'('"_sym > (all_imports | listed_imports) > "')'"_sym;
const auto all_imports_def = "'*'"_sym > x3::attr(ImportKind::all) > no_names;
const auto listed_imports_def = x3::attr(ImportKind::list) >> -(variable % "','"_sym);
const auto no_imports_def = x3::attr(ImportKind::by_with) >> no_names;

//    transactions := IN [ [ number ] CONCURRENT ] TRANSACTIONS [ OF expression ( ROWS | ROW ) ]
//                    [ ON ERROR name ]
const auto in_transactions_def = "IN"_kw > x3::attr(true) > is_concurrent >
                                 -("OF"_kw > expression > ("ROWS"_kw | "ROW"_kw)) >
                                 -("ON"_kw > "ERROR"_kw > error_word);
const auto is_concurrent_def =
    ("TRANSACTIONS"_kw >> x3::attr(false)) | (-(x3::omit[literal] | x3::omit[parameter]) >>
                                              "CONCURRENT"_kw > "TRANSACTIONS"_kw > x3::attr(true));

BOOST_SPIRIT_DEFINE(call_subquery, imports, bracketed_imports, all_imports, listed_imports,
                    no_imports, in_transactions, is_concurrent)
BOOST_SPIRIT_INSTANTIATE(CallSubqueryRule, Iterator, Context)

}  // namespace cairn::query::grammar
