// Operators, and what may follow an operand.
// The textbook's one rule for each level of precedence is not here: ten rules deep for every
// bracket costs ten times the stack and the compile time. An expression is a flat list of terms and
// operators, and precedence.cpp makes the tree of it.
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

// Every way in which an expression holds another one goes through here, and so does the guard.
const auto expression_def = named("an expression")[nested(1)[terms[fold]]];

// NOT a.x + 1 IN b IS NULL: terms and the operators between them, as yet without precedence.
const auto terms_def = apart[term] >> *apart[term_link];
const auto term_link_def = binary_operator > named("an expression")[term];
// Signs and NOT in any order; that a NOT does not follow a stronger operator is seen when
// folding.
const auto term_def = *prefix_operator >> operand >> *null_test;

// a.b[0][1..2]:Label
const auto operand_def = suffix_chain;
const auto suffix_chain_def = atom >> *apart[suffix];
const auto suffix_def = ("'.'"_sym > property_name) | (Ahead(is_system_mark) > system_field) |
                        apart[subscript] | apart[labels];
// [1], [1..], [..2], [1..2], [..]. One rule: two that begin alike double the time with every level.
const auto subscript_def = "'['"_sym > -expression > -slice_end > "']'"_sym;
const auto slice_end_def = "'..'"_sym > x3::attr(true) > -expression;

BOOST_SPIRIT_DEFINE(expression, terms, term_link, term, operand, suffix_chain, suffix, subscript,
                    slice_end)
BOOST_SPIRIT_INSTANTIATE(ExpressionRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(OperandRule, Iterator, Context)

}  // namespace cairn::query::grammar
