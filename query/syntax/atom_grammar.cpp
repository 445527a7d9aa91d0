// What an expression is made of: literals, names, calls, CASE and subqueries. Alternatives that begin
// alike are distinguished by a look ahead and never by trying.
//
//    atom := literal | parameter | comprehension | list | map | parenthesized | named
//    named := CASE ... END | subquery | count(*) | shortestPath(...) | call | projection | variable
//
// Each alternative is `apart`: a function of its own, for the attributes of all of them in one
// frame would be kilobytes at each level of nesting.

#include "query/syntax/grammar.hpp"
#include "query/syntax/lookahead.hpp"

namespace cairn::query::grammar {
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

/// May note expectations at the key although the entry turns out to be a variable: both are right
/// there.
bool is_entry_with_value(ParseState& state, Iterator first) {
  return take_name(state, first, "a key", true) && take_symbol(state, first, ":", "':'");
}

bool is_pattern_list(ParseState& state, Iterator first) {
  const Iterator at = state.skip_blank(first);
  return (at != state.end() && *at == '(') || is_assignment(state, first) ||
         is_shortest_path(state, first);
}

}  // namespace

const auto atom_def = apart[literal] | apart[parameter] | apart[comprehension] |
                      apart[list_literal] | apart[map_literal] | apart[parenthesized] | named_atom;

// A name goes last: it takes what begins all the others.
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
// DISTINCT is taken in every call; the binder refuses it where the function does not aggregate.
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
// Both halves are optional here; that one of them is there, and not both, is the binder's to say,
// which can do so by name. A query within counts as four levels of nesting, for the stack that it
// takes.
const auto subquery_def = Ahead(is_name_and_brace) >> subquery_kind >> "'{'"_sym >
                          -(Ahead(is_pattern_list) > path % "','"_sym) >
                          -("WHERE"_kw > expression) > -nested(subquery_levels)[query] > "'}'"_sym;

BOOST_SPIRIT_DEFINE(atom, named_atom, parenthesized, list_literal, map_literal, map_entries,
                    map_entry, case_expression, case_branch, function_call, count_all,
                    map_projection, projection_entry, all_properties, own_property, named_entry,
                    variable_entry, subquery, subquery_kind)
BOOST_SPIRIT_INSTANTIATE(AtomRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(MapRule, Iterator, Context)

}  // namespace cairn::query::grammar
