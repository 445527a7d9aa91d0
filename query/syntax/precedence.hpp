#pragma once
// Operators by precedence. The grammar takes `NOT a + b = c` as a flat list of terms; here it becomes
// a tree. One rule a level of precedence would do the same with ten times the stack.

#include "query/syntax/ast_expression.hpp"
#include "query/syntax/parse_state.hpp"
#include "query/syntax/terminals.hpp"

#include <cstdint>
#include <vector>

namespace cairn::query::grammar {

/// An operand with what stands before and behind it.
struct Term {
  std::vector<PrefixOperator> prefixes;
  ast::Expression operand;
  std::vector<NullTest> null_tests;
};

struct TermLink {
  InfixOperator op;
  Term term;
};

struct Terms {
  Term first;
  std::vector<TermLink> rest;
};

/// Levels of precedence, weakest first. All binary operators group from the left.
///
///   OR < XOR < AND < NOT < = <> < <= > >= < [NOT] IN, STARTS WITH, ENDS WITH, CONTAINS, =~, IS [NOT] NULL
///      < + - || < * / % < ^ < + - before an operand
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

/// The tree of `terms`. Throws SyntaxFailure at a NOT that follows a stronger operator.
[[nodiscard]] ast::Expression fold_operators(ParseState& state, Terms terms);

}  // namespace cairn::query::grammar
