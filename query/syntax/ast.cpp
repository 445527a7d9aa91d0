// Members of the syntax tree that need complete types, and conversions from the attributes of grammar rules.
//
// X3 fills a variant attribute by assignment. Converting constructors would work too, but they would build a
// temporary of every alternative on the stack of the rule.
#include "query/syntax/ast.hpp"

namespace cairn::query::ast {

bool LabelExpression::operator==(const LabelExpression& other) const {
  return kind == other.kind && name == other.name && operands == other.operands &&
         value == other.value && is_any == other.is_any;
}

Expression::Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

namespace {

// Small parts are stored in the node itself, large parts in a Box on the heap.
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

// A chain without suffixes becomes its base. Otherwise code that looks for a literal or a name would not find it.
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
