// A part without an answer leaves the whole without one: some elements might pass it alone.
#include "query/plan/element_tests.hpp"

#include "query/plan/filter_tree.hpp"

namespace cairn::query {

FilterNodePtr ElementTests::build(const Expression& quantifier, bool negated) const {
  const bool is_any = quantifier.kind == ExpressionKind::any_of;
  return test(*quantifier.children[1], negated == is_any);
}

FilterNodePtr ElementTests::test(const Expression& condition, bool negated) const {
  switch (condition.kind) {
    case ExpressionKind::equal:
      return equality(condition, negated);
    case ExpressionKind::in:
      return membership(condition, negated);
    case ExpressionKind::logical_or:
      return each(condition.children, &ElementTests::test, negated);
    default:
      return nullptr;
  }
}

// The element may stand on either side.
FilterNodePtr ElementTests::equality(const Expression& condition, bool negated) const {
  const Expression& left = *condition.children[0];
  const Expression& right = *condition.children[1];
  if (is_element(left)) return comparison(right, negated);
  return is_element(right) ? comparison(left, negated) : nullptr;
}

// Some element passes one of several parts; with `negated` every element fails all of them.
FilterNodePtr ElementTests::each(const std::vector<ExpressionPtr>& parts, Scan scan,
                                 bool negated) const {
  FilterNodePtr node = leaf(negated ? FilterKind::intersect : FilterKind::unite, false);
  for (const ExpressionPtr& one : parts) {
    FilterNodePtr part = (this->*scan)(*one, negated);
    if (!part) return nullptr;
    adopt(*node, std::move(part));
  }
  return node;
}

// A list that is in the statement has one expression for each of its parts; of another one the parts are
// known when it runs.
FilterNodePtr ElementTests::membership(const Expression& condition, bool negated) const {
  const Expression& list = *condition.children[1];
  if (!is_element(*condition.children[0])) return nullptr;
  if (list.kind == ExpressionKind::list && !list.children.empty())
    return each(list.children, &ElementTests::comparison, negated);
  if (!is_operand_(list)) return nullptr;
  return with_operand(leaf(FilterKind::element_of, negated, keys_), list);
}

FilterNodePtr ElementTests::comparison(const Expression& operand, bool negated) const {
  if (!is_operand_(operand)) return nullptr;
  return with_operand(leaf(FilterKind::element, negated, keys_), operand);
}

}  // namespace cairn::query
