// Operators. Types are inferred as far as literals and functions allow. An operand is refused only if its type is
// known and always wrong, so that every run would fail; parameters and properties may have any type. openCypher's
// compile-time errors follow the same rule.

#include "query/bind/binder.hpp"
#include "query/syntax/precedence.hpp"

#include <algorithm>
#include <iterator>

namespace cairn::query {
namespace {

using ast::Operator;
using grammar::Precedence;

ExpressionKind kind_of(Operator op) {
  using enum ExpressionKind;
  // In the order of ast::Operator.
  static constexpr ExpressionKind table[] = {
      logical_or, logical_xor, logical_and,   logical_not, equal,       not_equal,   less,
      less_equal, greater,     greater_equal, in,          starts_with, ends_with,   contains,
      matches,    is_null,     is_not_null,   add,         subtract,    concatenate, multiply,
      divide,     modulo,      power,         plus_sign,   negate};
  return table[static_cast<std::size_t>(op)];
}

bool may_be_boolean(StaticType type) { return type.is(TypeKind::boolean) || type.is_open(); }

/// True for numbers, and for unknown types, which may be durations or dates.
bool has_arithmetic(StaticType type) { return type.is_numeric() || type.is_open(); }

/// + also concatenates strings and lists. A boolean is accepted too, because it can be appended to a string or list on
/// the other side.
bool has_sum(StaticType type) {
  return !type.is_entity() && !type.is(TypeKind::path) && !type.is(TypeKind::map);
}

/// + of a list and a value adds an element. The result for other unknown types may be a date or a duration.
StaticType sum_type(StaticType left, StaticType right) {
  if (left.is_list() && right.is_list()) return join(left, right);
  if (left.is_list()) return StaticType::list_of(join(left.element(), right));
  if (right.is_list()) return StaticType::list_of(join(right.element(), left));
  if (left.is(TypeKind::string) && right.is(TypeKind::string)) return TypeKind::string;
  return left.is_numeric() && right.is_numeric() ? join(left, right) : StaticType();
}

/// Comparisons, predicates and logical operators return booleans; null belongs to every type.
StaticType result_type(Operator op, StaticType left, StaticType right) {
  switch (grammar::precedence_of(op)) {
    case Precedence::sum:
      if (op != Operator::subtract) return sum_type(left, right);
      [[fallthrough]];
    case Precedence::product:
      return left.is_numeric() && right.is_numeric() ? join(left, right) : StaticType();
    case Precedence::power:
      return TypeKind::floating;
    default:
      return TypeKind::boolean;
  }
}

/// Returns what the operand of `op` must be if `type` is always wrong, else an empty text. Comparisons accept all
/// types: values without an order compare to null.
std::string_view refusal(Operator op, StaticType type, bool is_right) {
  switch (grammar::precedence_of(op)) {
    case Precedence::sum:
      if (op != Operator::subtract) return has_sum(type) ? "" : "a number, a string or a list";
      [[fallthrough]];
    case Precedence::product:
    case Precedence::power:
    case Precedence::sign:
      return has_arithmetic(type) ? "" : "a number";
    case Precedence::predicate:
      if (op != Operator::in || !is_right) return "";
      return type.is_list() || type.is_open() ? "" : "a list";
    default:
      return "";
  }
}

/// True if the expression may be evaluated twice: it is cheap and has no side effects. Such a comparison can be
/// answered by an index.
bool is_plain(const ast::Expression& expression) {
  const auto* chain = expression.get_if<ast::SuffixChain>();
  if (chain == nullptr) {
    return expression.get_if<ast::Literal>() != nullptr ||
           expression.get_if<ast::Parameter>() != nullptr ||
           expression.get_if<ast::Name>() != nullptr;
  }
  return is_plain(chain->base) && std::ranges::all_of(chain->suffixes, [](const auto& suffix) {
           return std::holds_alternative<ast::Name>(suffix.content);
         });
}

ast::Located from_to(const ast::Located& first, const ast::Located& last) {
  return {first.begin, std::max(first.end, last.end)};
}

}  // namespace

// The operands of a chain have the same operator, because AND, OR and XOR have different precedence.
Result<Typed> Binder::bind_logical(const ast::OperatorChain& chain, const ast::Expression& whole,
                                   Position position) {
  auto result = make(kind_of(chain.rest.front().op), whole);
  CAIRN_TRY(add_logical_operand(chain.first, position, *result));
  for (const ast::OperatorLink& link : chain.rest) {
    CAIRN_TRY(add_logical_operand(link.operand, position, *result));
  }
  return Typed{std::move(result), TypeKind::boolean};
}

// Nested operations of one kind become one flat list, so that the planner sees all conjuncts or disjuncts at once. AND,
// OR and XOR are associative in three-valued logic, so flattening does not change results. Flattening may only change
// which operand's error is reported.
Status Binder::add_logical_operand(const ast::Expression& operand, Position position,
                                   Expression& logical) {
  CAIRN_ASSIGN(Typed bound, bind(operand, position));
  if (!may_be_boolean(bound.type)) return wrong_type(operand, bound.type, "a boolean");
  if (bound.expression->kind == logical.kind && logical.kind != ExpressionKind::logical_not) {
    std::ranges::move(bound.expression->children, std::back_inserter(logical.children));
  } else {
    logical.children.push_back(std::move(bound.expression));
  }
  return {};
}

Result<Typed> Binder::bind_not(const ast::PrefixOperation& part, const ast::Expression& whole,
                               Position position) {
  auto result = make(ExpressionKind::logical_not, whole);
  CAIRN_TRY(add_logical_operand(part.operand, position, *result));
  return Typed{std::move(result), TypeKind::boolean};
}

// The result has the type of the operand: -x is a duration if x is a duration.
Result<Typed> Binder::bind_part(const ast::PrefixOperation& part, const ast::Expression& whole) {
  CAIRN_ASSIGN(Typed operand, bind(part.operand));
  const std::string_view expected = refusal(part.op, operand.type, true);
  if (!expected.empty()) return wrong_type(part.operand, operand.type, expected);
  auto result = make(kind_of(part.op), whole);
  result->children.push_back(std::move(operand.expression));
  return Typed{std::move(result), operand.type};
}

// Builds a left-deep tree. The limit of levels refuses long chains, which would overflow the stack during evaluation.
Result<Typed> Binder::bind_part(const ast::OperatorChain& part, const ast::Expression& whole) {
  const bool is_comparison = grammar::precedence_of(part.rest.front().op) == Precedence::comparison;
  if (is_comparison && part.rest.size() > 1) return bind_comparisons(part, whole);
  if (part.rest.size() > most_levels_ - depth_) return too_deep(whole);
  const Restored<std::uint32_t> deeper(depth_,
                                       depth_ + static_cast<std::uint32_t>(part.rest.size()));
  CAIRN_ASSIGN(Typed left, bind(part.first));
  for (const ast::OperatorLink& link : part.rest) {
    CAIRN_ASSIGN(left, bind_binary(std::move(left), link, part.first));
  }
  return left;
}

// Checks types from left to right, so that the first wrong operand is reported.
Result<Typed> Binder::bind_binary(Typed left, const ast::OperatorLink& link,
                                  const ast::Expression& first) {
  std::string_view expected = refusal(link.op, left.type, false);
  if (!expected.empty()) return wrong_type(first, left.type, expected);
  auto result = make(kind_of(link.op), from_to(first, link.operand));
  result->children.push_back(std::move(left.expression));
  if (link.operand.empty()) return Typed{std::move(result), TypeKind::boolean};
  CAIRN_ASSIGN(Typed right, bind(link.operand));
  expected = refusal(link.op, right.type, true);
  if (!expected.empty()) return wrong_type(link.operand, right.type, expected);
  result->children.push_back(std::move(right.expression));
  return Typed{std::move(result), result_type(link.op, left.type, right.type)};
}

/// An operand in the middle of a chain of comparisons: right side of one comparison and left side of the next.
struct Binder::ComparisonSides {
  ExpressionPtr right;
  ExpressionPtr left;
  ExpressionPtr stored;  ///< value to evaluate once into `slot`; or nullptr
  Slot slot = 0;
};

// A plain operand is bound twice, so that each comparison has a form that an index can answer. Any other operand is
// evaluated once into a slot.
Result<Binder::ComparisonSides> Binder::bind_comparison_operand(const ast::Expression& operand,
                                                                bool is_middle) {
  ComparisonSides sides;
  CAIRN_ASSIGN(sides.right, bind_untyped(operand));
  if (!is_middle) return sides;
  if (is_plain(operand)) {
    CAIRN_ASSIGN(sides.left, bind_untyped(operand));
    return sides;
  }
  sides.stored = std::move(sides.right);
  sides.slot = scope_->allocate();
  sides.right = make_variable(sides.slot, operand);
  sides.left = make_variable(sides.slot, operand);
  return sides;
}

// a < b < c means a < b AND b < c with b evaluated once:
//
//    a < f() <= c   becomes   any(x IN [f()] WHERE a < x AND x <= c)
//
// where x is a slot without a name. As for a conjunction, the result is null if an operand is null and no operand is
// false.
Result<Typed> Binder::bind_comparisons(const ast::OperatorChain& chain,
                                       const ast::Expression& whole) {
  auto result = make(ExpressionKind::logical_and, whole);
  std::vector<ComparisonSides> stored;
  CAIRN_ASSIGN(ExpressionPtr left, bind_untyped(chain.first));
  for (const ast::OperatorLink& link : chain.rest) {
    const bool is_middle = &link != &chain.rest.back();
    CAIRN_ASSIGN(auto sides, bind_comparison_operand(link.operand, is_middle));
    auto comparison = make(kind_of(link.op), whole);
    comparison->children.push_back(std::move(left));
    comparison->children.push_back(std::move(sides.right));
    left = std::move(sides.left);
    result->children.push_back(std::move(comparison));
    if (sides.stored != nullptr) stored.push_back(std::move(sides));
    if (stored.size() > most_levels_ - depth_) return too_deep(whole);
  }
  if (result->children.size() == 1) {
    ExpressionPtr only = std::move(result->children.front());
    result = std::move(only);
  }
  for (ComparisonSides& sides : stored) {
    auto once = make(ExpressionKind::any_of, whole);
    once->slot = sides.slot;
    auto list = make(ExpressionKind::list, whole);
    list->children.push_back(std::move(sides.stored));
    once->children.push_back(std::move(list));
    once->children.push_back(std::move(result));
    result = std::move(once);
  }
  return Typed{std::move(result), TypeKind::boolean};
}

}  // namespace cairn::query
