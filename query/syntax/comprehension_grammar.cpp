// Expressions that bring a variable of their own. All of them evaluate something once for each
// element, with the variable in a slot of the same row. `bar_ends` marks the expressions that a |
// closes: there n:A|B is not a choice of labels but n:A and then the bar; a choice of labels stands
// in parentheses there.

#include "query/syntax/grammar.hpp"
#include "query/syntax/lookahead.hpp"

namespace cairn::query::grammar {
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
