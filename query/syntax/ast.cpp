// The members that need every part of the tree to be complete, and what the grammar's rules yield
// becoming an expression or a clause.
// Assignment from what a rule yields is how X3 fills a variant attribute; with a converting
// constructor it would build every alternative's temporary on the stack of the rule.
#include "query/syntax/ast.hpp"

#include <algorithm>

namespace cairn::query::ast {

bool LabelExpression::operator==(const LabelExpression& other) const {
  return kind == other.kind && name == other.name && operands == other.operands &&
         value == other.value;
}

bool has_value(const LabelExpression& labels) {
  return !labels.value.empty() || std::ranges::any_of(labels.operands, has_value);
}

Expression::Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

namespace {

// Small parts lie in the tree itself, large ones in a box of their own.
template <class Tree, class Part>
Tree& put(Tree& tree, Part part) {
  tree.content = std::move(part);
  return tree;
}

template <class Tree, class Part>
Tree& put_boxed(Tree& tree, Part part) {
  tree.content = Box<Part>(std::move(part));
  return tree;
}

}  // namespace

Expression& Expression::operator=(Literal part) { return put_boxed(*this, std::move(part)); }
Expression& Expression::operator=(Parameter part) { return put_boxed(*this, std::move(part)); }
Expression& Expression::operator=(CountAll part) { return put_boxed(*this, part); }
Expression& Expression::operator=(Name part) { return put_boxed(*this, std::move(part)); }

Expression& Expression::operator=(std::vector<Expression> items) {
  return put_boxed(*this, ListLiteral{std::move(items)});
}

Expression& Expression::operator=(std::vector<MapEntry> entries) {
  return put_boxed(*this, MapLiteral{std::move(entries)});
}

// A chain without suffixes would hide a literal or a name from those who look for one.
Expression& Expression::operator=(SuffixChain part) {
  if (part.suffixes.empty()) return *this = std::move(part.base);
  return put_boxed(*this, std::move(part));
}

Expression& Expression::operator=(OperatorChain part) { return put_boxed(*this, std::move(part)); }
Expression& Expression::operator=(PrefixOperation part) {
  return put_boxed(*this, std::move(part));
}
Expression& Expression::operator=(MapProjection part) { return put_boxed(*this, std::move(part)); }
Expression& Expression::operator=(CaseExpression part) { return put_boxed(*this, std::move(part)); }
Expression& Expression::operator=(FunctionCall part) { return put_boxed(*this, std::move(part)); }
Expression& Expression::operator=(ListComprehension part) {
  return put_boxed(*this, std::move(part));
}
Expression& Expression::operator=(Quantifier part) { return put_boxed(*this, std::move(part)); }
Expression& Expression::operator=(Reduce part) { return put_boxed(*this, std::move(part)); }
Expression& Expression::operator=(PathPattern part) { return put_boxed(*this, std::move(part)); }
Expression& Expression::operator=(PatternComprehension part) {
  return put_boxed(*this, std::move(part));
}
Expression& Expression::operator=(Subquery part) { return put_boxed(*this, std::move(part)); }

bool Expression::operator==(const Expression& other) const { return content == other.content; }

Clause::Clause() = default;
Clause::Clause(Clause&&) noexcept = default;
Clause& Clause::operator=(Clause&&) noexcept = default;
Clause::~Clause() = default;

Clause& Clause::operator=(Match part) { return put(*this, std::move(part)); }
Clause& Clause::operator=(Unwind part) { return put(*this, std::move(part)); }
Clause& Clause::operator=(Project part) { return put(*this, std::move(part)); }
Clause& Clause::operator=(Create part) { return put(*this, std::move(part)); }
Clause& Clause::operator=(Set part) { return put(*this, std::move(part)); }
Clause& Clause::operator=(Remove part) { return put(*this, std::move(part)); }
Clause& Clause::operator=(Merge part) { return put(*this, std::move(part)); }
Clause& Clause::operator=(Delete part) { return put(*this, std::move(part)); }
Clause& Clause::operator=(Call part) { return put(*this, std::move(part)); }
Clause& Clause::operator=(Foreach part) { return put_boxed(*this, std::move(part)); }
Clause& Clause::operator=(CallSubquery part) { return put_boxed(*this, std::move(part)); }

bool Clause::operator==(const Clause& other) const { return content == other.content; }

}  // namespace cairn::query::ast
