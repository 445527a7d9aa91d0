#pragma once
// Operator precedence. The grammar parses an expression such as `NOT a + b = c` to a flat list of terms, and
// fold_operators() builds the tree. A grammar with one rule for each level of precedence would need ten times the
// stack.

#include "query/syntax/ast_expression.hpp"
#include "query/syntax/parse_state.hpp"
#include "query/syntax/terminals.hpp"

#include <cstdint>
#include <vector>

namespace cairn::query::grammar {

/// An operand with its prefixes and null tests.
struct Term {
  std::vector<PrefixOperator> prefixes;
  ast::Expression operand;
  std::vector<NullTest> null_tests;
};

/// A term with the operator before it.
struct TermLink {
  InfixOperator op;
  Term term;
};

struct Terms {
  Term first;
  std::vector<TermLink> rest;
};

/// Levels of precedence, weakest first. All binary operators are left-associative.
///
///   OR;  XOR;  AND;  NOT;  comparisons: = <> < <= > >=
///   predicates: [NOT] IN, STARTS WITH, ENDS WITH, CONTAINS, =~, IS [NOT] NULL
///   + - ||;  * / %;  ^;  the signs + and - before an operand
enum class Precedence : std::uint8_t {
  logical_or,
  logical_xor,
  logical_and,
  logical_not,
  comparison,
  predicate,
  sum,
  product,
  power,
  sign,
};

[[nodiscard]] Precedence precedence_of(ast::Operator op) noexcept;

/// Builds the tree of the terms. Throws SyntaxFailure for a NOT directly after a stronger operator.
[[nodiscard]] ast::Expression fold_operators(ParseState& state, Terms terms);

}  // namespace cairn::query::grammar
