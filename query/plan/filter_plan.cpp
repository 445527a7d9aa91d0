// A list of trees, one for each conjunct that an index helps with, and what is left to check. The
// conjuncts themselves stay in the bound statement; the plan points to them.
#include "query/plan/filter_plan.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace cairn::query {
namespace {

// One open end of a range on each side, on the same property: the two are one interval.
bool completes(const FilterNode& a, const FilterNode& b) {
  return a.kind == FilterKind::range && b.kind == FilterKind::range && !a.negated && !b.negated &&
         a.keys == b.keys && (a.low == nullptr) != (b.low == nullptr) &&
         (a.high == nullptr) != (b.high == nullptr);
}

// A conjunct that completes a range shares its tree with the one before, and both are its sources.
void add_conjunct(FilterPlan& plan, const Expression* source, FilterNodePtr node) {
  const std::size_t behind = std::min(plan.conjuncts.size(), most_looked_at);
  for (FilterConjunct& present : std::span(plan.conjuncts).last(behind))
    if (complete_range(*present.node, *node)) {
      present.sources.push_back(source);
      return;
    }
  plan.conjuncts.push_back({{source}, std::move(node)});
}

}  // namespace

// Only of the same property path; the result is again open to nothing, having both ends.
bool complete_range(FilterNode& range, const FilterNode& part) {
  if (!completes(range, part)) return false;
  if (part.low != nullptr) {
    range.low = part.low;
    range.low_inclusive = part.low_inclusive;
  } else {
    range.high = part.high;
    range.high_inclusive = part.high_inclusive;
  }
  range.depends_on_row |= part.depends_on_row;
  return true;
}

bool FilterPlan::depends_on_row() const {
  return std::any_of(conjuncts.begin(), conjuncts.end(),
                     [](const FilterConjunct& one) { return one.node->depends_on_row; });
}

bool is_known_posting(const FilterNode& node) {
  using Kind = FilterKind;
  const bool is_posting =
      node.kind == Kind::label || node.kind == Kind::equals || node.kind == Kind::truth;
  return is_posting && !node.negated && !node.depends_on_row && node.keys.size() <= 1;
}

// The order of conjuncts is the same on both sides: what is checked on records is checked as written.
// Takes from `conjuncts` what it planned. Called by the rule choose_indexes, and by
// order_expansions for estimates that are thrown away.
FilterPlan plan_filter(Slot slot, codec::EntityKind kind,
                       std::vector<const Expression*>& conjuncts) {
  FilterPlan plan;
  plan.slot = slot;
  plan.kind = kind;
  std::vector<const Expression*> left;
  for (const Expression* conjunct : conjuncts) {
    FilterNodePtr node = build_filter(*conjunct, slot);
    if (node)
      add_conjunct(plan, conjunct, std::move(node));
    else
      left.push_back(conjunct);
  }
  conjuncts = std::move(left);
  return plan;
}

// A part without an answer leaves the whole without one: some elements might pass it alone.

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
