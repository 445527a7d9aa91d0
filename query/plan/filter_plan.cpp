// Plans the filter of one variable: one tree for each conjunct that an index helps with, and a list of conjuncts that
// remain to be checked. The conjuncts themselves belong to the bound statement, and the plan points to them. The
// second part of the file recognises conditions on the elements of list properties.
#include "query/plan/filter_plan.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace cairn::query {
namespace {

// True if each of two ranges on the same property has one open end, on opposite sides, so that both together
// are one interval.
bool completes(const FilterNode& a, const FilterNode& b) {
  return a.kind == FilterKind::range && b.kind == FilterKind::range && !a.negated && !b.negated &&
         a.keys == b.keys && (a.low == nullptr) != (b.low == nullptr) &&
         (a.high == nullptr) != (b.high == nullptr);
}

// Adds a conjunct to the plan. If an earlier conjunct bounds the same property from the other side, the two become one
// range, and both are sources of the tree.
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

// Only ranges of the same property path are joined. The joined interval has both ends, so nothing else completes it.
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

// Moves the planned conjuncts out of `conjuncts`. Both lists keep the order of the text, so records are checked in this
// order. choose_indexes calls this for the plan, and order_expansions for estimates that it discards.
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

// Returns nullptr if any part of the condition has no index answer, because an element might pass that part alone.

FilterNodePtr ElementTests::build(const Expression& quantifier, bool negated) const {
  const bool is_any = quantifier.kind == ExpressionKind::any_of;
  return test(*quantifier.children[1], negated == is_any);
}

// Dispatches to one function per kind of condition. No index can answer the other kinds.
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

// The element may be on either side of the comparison.
FilterNodePtr ElementTests::equality(const Expression& condition, bool negated) const {
  const Expression& left = *condition.children[0];
  const Expression& right = *condition.children[1];
  if (is_element(left)) return comparison(right, negated);
  return is_element(right) ? comparison(left, negated) : nullptr;
}

// Finds the records in which some element of the list passes one of the parts. With `negated`, finds the records in
// which every element fails all parts.
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

// A list written in the statement has one expression per element. The elements of other lists are known only at run
// time.
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
