// The grammar of expressions: operators and suffixes, then atoms, then comprehensions.
//
// The usual grammar has one rule for each level of precedence. Such a grammar would be ten rules deep for every bracket
// and would cost ten times the stack and the compile time. Here an expression is a flat list of terms and operators,
// and precedence.cpp builds the tree.
//
//    expression := term { operator term }
//    term       := { NOT | '-' | '+' } operand { IS [ NOT ] NULL }
//    operand    := atom { '.' name | '@' name | '[' subscript ']' | labels }

#include "query/syntax/grammar.hpp"
#include "query/syntax/lookahead.hpp"

namespace cairn::query::grammar {
namespace {

const x3::rule<struct TermsId, Terms> terms = "terms";
const x3::rule<struct TermLinkId, TermLink> term_link = "term link";
const x3::rule<struct TermId, Term> term = "term";
const x3::rule<struct SuffixChainId, ast::SuffixChain> suffix_chain = "suffix chain";
struct SuffixId : Locate {};
const x3::rule<SuffixId, ast::Suffix> suffix = "suffix";
const x3::rule<struct SubscriptId, ast::Subscript> subscript = "subscript";
const x3::rule<struct SliceEndId, ast::SliceEnd> slice_end = "slice end";

const auto fold = [](auto& context) {
  x3::_val(context) = fold_operators(state_of(context), std::move(x3::_attr(context)));
};

}  // namespace

// Every nested expression is parsed by this rule, so the limit of nesting is checked here.
const auto expression_def = named("an expression")[nested(1)[terms[fold]]];

// Terms and the operators between them, such as NOT a.x + 1 IN b IS NULL. Precedence is applied later.
const auto terms_def = apart[term] >> *apart[term_link];
const auto term_link_def = binary_operator > named("an expression")[term];
// Signs and NOT in any order. fold_operators() refuses a NOT after a stronger operator.
const auto term_def = *prefix_operator >> operand >> *null_test;

// a.b[0][1..2]:Label
const auto operand_def = suffix_chain;
const auto suffix_chain_def = atom >> *apart[suffix];
const auto suffix_def = ("'.'"_sym > property_name) | (Ahead(is_system_mark) > system_field) |
                        apart[subscript] | apart[labels];
// The forms [1], [1..], [..2], [1..2] and [..]. These forms share one rule, because two alternatives with the same
// beginning would double the time at every level of nesting.
const auto subscript_def = "'['"_sym > -expression > -slice_end > "']'"_sym;
const auto slice_end_def = "'..'"_sym > x3::attr(true) > -expression;

BOOST_SPIRIT_DEFINE(expression, terms, term_link, term, operand, suffix_chain, suffix, subscript,
                    slice_end)
BOOST_SPIRIT_INSTANTIATE(ExpressionRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(OperandRule, Iterator, Context)

// Atoms: literals, names, calls, CASE and subqueries. Alternatives with the same beginning are distinguished by
// lookahead and not by backtracking.
//
//    atom := literal | parameter | comprehension | list | map | parenthesized | named
//    named := CASE ... END | subquery | count(*) | shortestPath(...) | call | projection | variable
//
// Each alternative is `apart`, compiled as a separate function. Otherwise the attributes of all alternatives would
// share one stack frame and take kilobytes at each level of nesting.

namespace {

using Expressions = std::vector<ast::Expression>;

const x3::rule<struct NamedAtomId, ast::Expression> named_atom = "named atom";
const x3::rule<struct ParenthesizedId, ast::Expression> parenthesized = "parenthesized";
const x3::rule<struct ListId, Expressions> list_literal = "list";
const x3::rule<struct MapEntriesId, std::vector<ast::MapEntry>> map_entries = "map entries";
const x3::rule<struct MapEntryId, ast::MapEntry> map_entry = "map entry";
const x3::rule<struct CaseId, ast::CaseExpression> case_expression = "CASE";
const x3::rule<struct CaseBranchId, ast::CaseBranch> case_branch = "WHEN";
const x3::rule<struct CallId, ast::FunctionCall> function_call = "call";
const x3::rule<struct CountAllId, ast::CountAll> count_all = "count(*)";
const x3::rule<struct MapProjectionId, ast::MapProjection> map_projection = "map projection";
const x3::rule<struct ProjectionEntryId, ast::ProjectionEntry> projection_entry = "entry";
const x3::rule<struct AllPropertiesId, ast::ProjectionEntry> all_properties = ".*";
const x3::rule<struct OwnPropertyId, ast::ProjectionEntry> own_property = ".name";
const x3::rule<struct NamedEntryId, ast::ProjectionEntry> named_entry = "name: value";
const x3::rule<struct VariableEntryId, ast::ProjectionEntry> variable_entry = "name";
const x3::rule<struct SubqueryId, ast::Subquery> subquery = "subquery";
const x3::rule<struct SubqueryKindId, ast::SubqueryKind> subquery_kind = "subquery kind";

using EntryKind = ast::ProjectionEntry::Kind;

/// True for `name: value` in a map projection. For a bare variable, an error message may mention a key as well. The
/// message is correct, because a variable and a key are both allowed.
bool is_entry_with_value(ParseState& state, Iterator first) {
  return take_name(state, first, "a key", true) && take_symbol(state, first, ":", "':'");
}

// True if patterns begin here, as in EXISTS { (a)-->(b) }.
bool is_pattern_list(ParseState& state, Iterator first) {
  const Iterator at = state.skip_blank(first);
  return (at != state.end() && *at == '(') || is_assignment(state, first) ||
         is_shortest_path(state, first) || is_path_selector(state, first);
}

}  // namespace

const auto atom_def = apart[literal] | apart[parameter] | apart[comprehension] |
                      apart[list_literal] | apart[map_literal] | apart[parenthesized] | named_atom;

// A variable is the last alternative, because it accepts the beginning of all others.
const auto named_atom_def = apart[case_expression] | apart[subquery] | apart[count_all] |
                            (Ahead(is_shortest_path) > nested(pattern_levels)[plain_path]) |
                            (Ahead(is_call) > apart[function_call]) | apart[map_projection] |
                            apart[variable];

// (a)-->(b) or (a + b)
//    parenthesized := path | '(' expression ')'
const auto parenthesized_def =
    (Ahead(is_pattern) > nested(pattern_levels)[plain_path]) | ("'('"_sym > expression > "')'"_sym);

// [1, 2]
const auto list_literal_def = "'['"_sym > -(expression % "','"_sym) > "']'"_sym;

// {a: 1, `b c`: 2}
const auto map_literal_def = map_entries;
const auto map_entries_def = "'{'"_sym > -(map_entry % "','"_sym) > "'}'"_sym;
const auto map_entry_def = map_key > "':'"_sym > expression;

// CASE x WHEN 1 THEN a ELSE b END, CASE WHEN x = 1 THEN a END
//    case := CASE [ expression ] { WHEN expression THEN expression } [ ELSE expression ] END
const auto case_expression_def = "CASE"_kw > -(!"WHEN"_kw >> expression) > +case_branch >
                                 -("ELSE"_kw > expression) > "END"_kw;
const auto case_branch_def = "WHEN"_kw > expression > "THEN"_kw > expression;

// date.truncate('day', d), count(DISTINCT n.x), count(*)
// DISTINCT is accepted in every call; the binder refuses it for functions that do not aggregate.
const auto function_call_def = function_name > "'('"_sym > x3::matches["DISTINCT"_kw] >
                               -(expression % "','"_sym) > "')'"_sym;
const auto count_all_def = Ahead(is_count_all) > "COUNT"_kw > "'('"_sym > "'*'"_sym > "')'"_sym >
                           x3::attr(ast::CountAll{});

// n {.x, .*, y, z: 1}
//    projection := name '{' [ entry { ',' entry } ] '}'
//    entry := '.' '*' | '.' name | name ':' expression | name
const auto map_projection_def = Ahead(is_name_and_brace) >> variable >> "'{'"_sym >
                                -(projection_entry % "','"_sym) > "'}'"_sym;
const auto projection_entry_def = all_properties | own_property | named_entry | variable_entry;
const auto all_properties_def = "'.'"_sym >> "'*'"_sym >>
                                x3::attr(EntryKind::all_properties) >> no_name >> no_expression;
const auto own_property_def = "'.'"_sym > x3::attr(EntryKind::own_property) > property_name
                              > no_expression;
const auto named_entry_def = Ahead(is_entry_with_value) >> x3::attr(EntryKind::entry) >> map_key >
                             "':'"_sym > expression;
const auto variable_entry_def = x3::attr(EntryKind::variable) >> variable >> no_expression;

// EXISTS { (a)-->(b) WHERE b.x = 1 }, COUNT { MATCH (a) RETURN a }
const auto subquery_kind_def = ("EXISTS"_kw >> x3::attr(ast::SubqueryKind::exists)) |
                               ("COUNT"_kw >> x3::attr(ast::SubqueryKind::count)) |
                               ("COLLECT"_kw >> x3::attr(ast::SubqueryKind::collect));
//    subquery := (EXISTS | COUNT | COLLECT) '{' ( paths [ WHERE expression ] | query ) '}'
//    paths    := path { ',' path }
// Patterns and query are both optional here. The binder checks that exactly one of them is present, because its error
// is clearer. A query counts as four levels of nesting, because parsing it needs much stack.
const auto subquery_def = Ahead(is_name_and_brace) >> subquery_kind >> "'{'"_sym >
                          -(Ahead(is_pattern_list) > path % "','"_sym) >
                          -("WHERE"_kw > expression) > -nested(subquery_levels)[query] > "'}'"_sym;

BOOST_SPIRIT_DEFINE(atom, named_atom, parenthesized, list_literal, map_literal, map_entries,
                    map_entry, case_expression, case_branch, function_call, count_all,
                    map_projection, projection_entry, all_properties, own_property, named_entry,
                    variable_entry, subquery, subquery_kind)
BOOST_SPIRIT_INSTANTIATE(AtomRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(MapRule, Iterator, Context)

// Comprehensions: expressions with a variable of their own, which they evaluate once for each element.
//
// `bar_ends` marks expressions that end at a |. In them, n:A|B means n:A followed by the bar; a choice of labels
// needs parentheses.

namespace {

using ast::QuantifierKind;

const x3::rule<struct ListComprehensionId, ast::ListComprehension> list_comprehension = "list";
const x3::rule<struct PatternComprehensionId, ast::PatternComprehension> pattern_comprehension =
    "pattern";
const x3::rule<struct QuantifierId, ast::Quantifier> quantifier = "quantifier";
const x3::rule<struct QuantifierKindId, QuantifierKind> quantifier_kind = "kind";
const x3::rule<struct ReduceId, ast::Reduce> reduce = "reduce";

}  // namespace

const auto comprehension_def =
    apart[list_comprehension] |
    (Ahead(is_pattern_comprehension) > apart[nested(pattern_levels)[pattern_comprehension]]) |
    apart[quantifier] | apart[reduce];

// [x IN xs WHERE x > 1 | x + 1]
//    list := '[' name IN expression [ WHERE expression ] [ '|' expression ] ']'
const auto list_comprehension_def = Ahead(is_list_comprehension) > "'['"_sym > variable > "IN"_kw >
                                    bar_ends[expression] > -("WHERE"_kw > bar_ends[expression]) >
                                    -("'|'"_sym > expression) > "']'"_sym;

// [p = (a)-->(b) WHERE b.x = 1 | b.y]
//    pattern := '[' [ name '=' ] path [ WHERE expression ] '|' expression ']'
const auto pattern_comprehension_def = "'['"_sym > path > -("WHERE"_kw > bar_ends[expression]) >
                                       "'|'"_sym > expression > "']'"_sym;

// all(x IN xs WHERE x > 1)
//    quantifier := (ALL | ANY | NONE | SINGLE) '(' name IN expression WHERE expression ')'
const auto quantifier_kind_def = ("ALL"_kw >> x3::attr(QuantifierKind::all_of)) |
                                 ("ANY"_kw >> x3::attr(QuantifierKind::any_of)) |
                                 ("NONE"_kw >> x3::attr(QuantifierKind::none_of)) |
                                 ("SINGLE"_kw >> x3::attr(QuantifierKind::single_of));
const auto quantifier_def = Ahead(is_quantifier) > quantifier_kind > "'('"_sym > variable >
                            "IN"_kw > expression > "WHERE"_kw > expression > "')'"_sym;

// reduce(sum = 0, x IN xs | sum + x)
const auto reduce_def = Ahead(is_reduce) > "REDUCE"_kw > "'('"_sym > variable > "'='"_sym >
                        expression > "','"_sym > variable > "IN"_kw > bar_ends[expression] >
                        "'|'"_sym > expression > "')'"_sym;

BOOST_SPIRIT_DEFINE(comprehension, list_comprehension, pattern_comprehension, quantifier,
                    quantifier_kind, reduce)
BOOST_SPIRIT_INSTANTIATE(ComprehensionRule, Iterator, Context)

}  // namespace cairn::query::grammar
