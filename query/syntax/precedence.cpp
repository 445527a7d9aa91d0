// Precedence climbing over a flat list of terms: fold(level) folds operands of the next stronger level and combines
// them while the next operator belongs to `level`.
//
// The folding runs once for each expression, after all of its terms are parsed. The cost is linear in the terms, times
// the ten levels. Recursion is over levels and not over terms: a chain of 10,000 ANDs becomes one node with 10,000
// operands. All binary operators are left-associative, even ^: 2 ^ 3 ^ 2 is 64. A sign is stronger than ^: -2 ^ 2 is 4.
#include "query/syntax/precedence.hpp"

#include <algorithm>
#include <optional>

namespace cairn::query::grammar {
namespace {

using ast::Expression;
using ast::Operator;

struct Tree {
  Expression expression;
  std::uint32_t height = 0;  ///< levels of operators
};

Precedence stronger(Precedence level) {
  return static_cast<Precedence>(static_cast<std::uint8_t>(level) + 1);
}

/// Turns the minus before a number into a negative literal, so that the smallest integer can be written. Zero is not
/// changed: -0 equals 0, but -0.0 differs from 0.0.
bool negate_literal(Expression& expression) {
  const auto* literal = expression.get_if<ast::Literal>();
  if (literal == nullptr) return false;
  if (const auto* integer = std::get_if<ast::Integer>(&literal->value)) {
    if (integer->is_negative || integer->magnitude == 0) return false;
    expression = ast::Literal{ast::Integer{integer->magnitude, true}};
    return true;
  }
  const auto* number = std::get_if<double>(&literal->value);
  if (number == nullptr || !(*number > 0)) return false;
  expression = ast::Literal{-*number};
  return true;
}

/// Walks once over the terms. The position consists of the current term, and the numbers of its prefixes and null tests
/// that are already folded.
class OperatorFolder {
 public:
  OperatorFolder(ParseState& state, Terms terms) : state_(state), terms_(std::move(terms)) {}

  Tree fold(Precedence level) {
    if (level == Precedence::logical_not) return fold_not();
    if (level == Precedence::sign) return fold_signs();
    return fold_chain(level);
  }

 private:
  Term& term() { return position_ == 0 ? terms_.first : terms_.rest[position_ - 1].term; }

  /// Returns the operator after the current operand.
  std::optional<InfixOperator> next_operator() {
    if (null_test_ < term().null_tests.size())
      return InfixOperator{term().null_tests[null_test_].op};
    if (position_ < terms_.rest.size()) return terms_.rest[position_].op;
    return std::nullopt;
  }

  /// Operators of one level form one chain. a = b < c is a chain with three operands, which the binder reads as a = b
  /// AND b < c; a + b - c is evaluated from left to right.
  Tree fold_chain(Precedence level) {
    Tree result = fold(stronger(level));
    while (is_next(level)) result = take_chain(level, std::move(result));
    return result;
  }

  bool is_next(Precedence level) {
    const auto op = next_operator();
    return op && precedence_of(op->op) == level;
  }

  /// Folds a chain after its first operand. NOT IN ends the chain and negates it: a IN b NOT IN c is NOT (a IN b IN
  /// c).
  Tree take_chain(Precedence level, Tree first) {
    ast::OperatorChain chain{std::move(first.expression), {}};
    std::uint32_t height = first.height;
    bool is_negated = false;
    while (!is_negated && is_next(level)) {
      const InfixOperator link = *next_operator();
      Tree operand = take_operand(level, link.op);
      height = std::max(height, operand.height);
      chain.rest.push_back({link.op, std::move(operand.expression)});
      is_negated = link.is_negated;
    }
    const std::uint32_t begin = chain.first.begin;
    Tree result;
    result.expression = std::move(chain);
    result.expression.begin = begin;
    result.expression.end = end_;
    result.height = height + 1;
    if (is_negated) wrap(result, {{begin, 0}, Operator::logical_not});
    return result;
  }

  /// Skips `op` and folds its right operand.
  Tree take_operand(Precedence level, Operator op) {
    if (op == Operator::is_null || op == Operator::is_not_null) {
      end_ = term().null_tests[null_test_++].end;
      return {};
    }
    ++position_;
    prefix_ = 0;
    null_test_ = 0;
    return fold(stronger(level));
  }

  // Folds NOT, whose operand is the comparison after it, as in NOT a = b.
  Tree fold_not() {
    const std::size_t from = prefix_;
    const auto& prefixes = term().prefixes;
    while (prefix_ < prefixes.size() && prefixes[prefix_].op == Operator::logical_not) ++prefix_;
    const std::size_t to = prefix_;
    const std::size_t at = position_;
    Tree tree = fold(stronger(Precedence::logical_not));
    const auto& own = at == 0 ? terms_.first.prefixes : terms_.rest[at - 1].term.prefixes;
    for (std::size_t i = to; i > from; --i) wrap(tree, own[i - 1]);
    return tree;
  }

  // Folds the signs before an operand. A NOT among them is an error, because it would need a higher precedence.
  Tree fold_signs() {
    Term& current = term();
    const std::size_t from = prefix_;
    for (; prefix_ < current.prefixes.size(); ++prefix_) {
      if (current.prefixes[prefix_].op == Operator::logical_not) refuse_not(current);
    }
    Tree tree{std::move(current.operand), 0};
    end_ = tree.expression.end;
    std::size_t i = prefix_;
    if (i > from && current.prefixes[i - 1].op == Operator::negate &&
        negate_literal(tree.expression)) {
      tree.expression.begin = current.prefixes[--i].begin;
    }
    for (; i > from; --i) wrap(tree, current.prefixes[i - 1]);
    return tree;
  }

  // Wraps a tree in its prefixes from the inside out, so that the text of each operation begins at its prefix.
  void wrap(Tree& tree, const PrefixOperator& prefix) {
    const std::uint32_t end = tree.expression.end;
    tree.expression = ast::PrefixOperation{prefix.op, std::move(tree.expression)};
    tree.expression.begin = prefix.begin;
    tree.expression.end = end;
    ++tree.height;
  }

  [[noreturn]] void refuse_not(const Term& current) {
    const PrefixOperator& prefix = current.prefixes[prefix_];
    state_.fail(
        state_.begin() + prefix.begin, state_.begin() + prefix.end,
        "NOT is weaker than the operator before it; put NOT and its operand in parentheses");
  }

  ParseState& state_;
  Terms terms_;
  std::size_t position_ = 0;   // index of the current term; 0 is the first
  std::size_t prefix_ = 0;     // number of its prefixes that are folded
  std::size_t null_test_ = 0;  // number of its null tests that are folded
  std::uint32_t end_ = 0;      // end of the last folded operand, where the operation ends
};

/// Refuses a long run of prefixes before it becomes a tree.
void check_prefixes(const ParseState& state, const Term& term) {
  if (term.prefixes.empty()) return;
  state.check_height(state.begin() + term.prefixes.front().begin, term.prefixes.size());
}

/// Refuses too many NOT IN: each one nests the chain before it.
void check_negations(const ParseState& state, const Terms& terms) {
  const auto count =
      std::ranges::count_if(terms.rest, [](const TermLink& link) { return link.op.is_negated; });
  state.check_height(state.begin() + terms.first.operand.begin,
                     2 * static_cast<std::size_t>(count));
}

}  // namespace

// Relies on the order of the enumerators in ast_expression.hpp.
Precedence precedence_of(Operator op) noexcept {
  if (op <= Operator::logical_not) return static_cast<Precedence>(op);
  if (op <= Operator::greater_equal) return Precedence::comparison;
  if (op <= Operator::is_not_null) return Precedence::predicate;
  if (op <= Operator::concatenate) return Precedence::sum;
  if (op <= Operator::modulo) return Precedence::product;
  return op == Operator::power ? Precedence::power : Precedence::sign;
}

// Checks the heights before the tree is built: the destructor of a tree for a megabyte of NOT would overflow the
// stack. Notes the height of the whole tree afterwards.
Expression fold_operators(ParseState& state, Terms terms) {
  const std::uint32_t begin = terms.first.operand.begin;
  check_prefixes(state, terms.first);
  for (const TermLink& link : terms.rest) check_prefixes(state, link.term);
  check_negations(state, terms);
  Tree tree = OperatorFolder(state, std::move(terms)).fold(Precedence::logical_or);
  state.note_height(state.begin() + begin, std::max<std::uint32_t>(tree.height, 1));
  return std::move(tree.expression);
}

}  // namespace cairn::query::grammar
