#pragma once
// How a filter is answered by indexes: a tree of lookups, and what is left to check on records.

#include "codec/keys.hpp"
#include "query/bind/expression.hpp"
#include "query/plan/expression_traits.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {

// FilterPlan: conditions on one entity variable as a tree of index scans and set operations, made
// before any record is read.
//
// conjunct of WHERE -> negation normal form -> leaves that an index answers, joined by
// intersections and unions. Logic has three values, so a negation is not a complement: `negated` at
// a leaf asks for the records where the predicate is *false*, which leaves out those where it is
// unknown. `n.p <> 1` is "has p, and not p = 1"; `NOT n.p > 1` is "p is a number, and not p > 1".
//
// What no index answers is left out below an intersection (the tree is then `partial`: it finds too
// much) and makes a union unanswerable as a whole. A conjunct whose ids are not exact is checked
// again on the records that are left, from its `sources`.

enum class FilterKind : std::uint8_t {
  intersect,
  unite,
  label,        ///< `name` is a label of the node, or the type of the relationship
  present,      ///< the property is not null
  equals,       ///< property = low
  one_of,       ///< property IN low
  range,        ///< low < property < high; one of the bounds may be null
  starts_with,  ///< property STARTS WITH low
  text,      ///< property CONTAINS low, or as `text_test` says: for each different text, or checked
  element,   ///< low IN property
  truth,     ///< the property itself as a condition
  identity,  ///< id(variable) = low
  identities,    ///< id(variable) IN low
  test,          ///< the property passes `test` with low, which may be null
  at_least,      ///< low of the children hold
  element_of,    ///< any(t IN property WHERE t IN low)
  external_id,   ///< variable@external_id = low
  external_ids,  ///< variable@external_id IN low
};

struct FilterNode;
using FilterNodePtr = std::unique_ptr<FilterNode>;

struct FilterNode {
  FilterKind kind = FilterKind::intersect;
  bool negated = false;  ///< of a leaf: where the predicate is false
  bool partial = false;  ///< of an intersection: something was left out
  std::vector<FilterNodePtr> children;
  std::string name;
  std::vector<std::string> keys;                        ///< the property path
  ExpressionKind text_test = ExpressionKind::contains;  ///< or ends_with, or matches
  bool of_version = false;  ///< of a text: version(property) < low, or as `text_test` compares
  FilterOperator test = FilterOperator::equals;
  bool as_text = false;             ///< of a test: compare as text
  bool normalize = false;           ///< of a test: compare texts in NFC
  const Expression* low = nullptr;  ///< operands: constants, parameters, variables bound before
  const Expression* high = nullptr;
  bool low_inclusive = true;
  bool high_inclusive = true;
  bool depends_on_row = false;  ///< an operand reads variables bound before

  // Filled by the estimator; they order the work and decide what is not worth it.
  double rows = 0;          ///< ids it is expected to give
  double microseconds = 0;  ///< what finding them is expected to cost
};

/// One or several conjuncts that one tree answers together (two ends of a range).
struct FilterConjunct {
  std::vector<const Expression*> sources;
  FilterNodePtr node;
};

struct FilterPlan {
  Slot slot = 0;
  codec::EntityKind kind = codec::EntityKind::node;
  std::vector<FilterConjunct> conjuncts;
  double rows = 0;  ///< expected to be left
  bool is_estimated = false;

  [[nodiscard]] bool depends_on_row() const;
};

/// Whether a part is one posting, so that looking at its size is asking for it, and no row is needed. Of a plan
/// that reads no row these are asked for before all others, and need no estimate.
[[nodiscard]] bool is_known_posting(const FilterNode& node);

/// The tree for the records where `condition` is true, or null where no index helps. Its operands
/// may read every slot but `slot`.
[[nodiscard]] FilterNodePtr build_filter(const Expression& condition, Slot slot);

/// Where `part` is the other end of the interval `range`, make it part of `range`.
[[nodiscard]] bool complete_range(FilterNode& range, const FilterNode& part);
/// Of the parts before one so many are asked whether it completes them: both ends of an interval stand
/// near each other, and asking all would take the square of the length of a conjunction.
inline constexpr std::size_t most_looked_at = 32;

/// Take the conjuncts that an index helps with out of `conjuncts` and plan them.
[[nodiscard]] FilterPlan plan_filter(Slot slot, codec::EntityKind kind,
                                     std::vector<const Expression*>& conjuncts);

// Making the nodes of a filter's tree. Private to this folder.

inline FilterNodePtr leaf(FilterKind kind, bool negated, std::vector<std::string> keys = {}) {
  auto node = std::make_unique<FilterNode>();
  node->kind = kind;
  node->negated = negated;
  node->keys = std::move(keys);
  return node;
}

/// An operand without free slots is the same for all rows, so what it selects is found once.
inline FilterNodePtr with_operand(FilterNodePtr node, const Expression& operand) {
  node->low = &operand;
  node->depends_on_row = !free_slots(operand).empty();
  return node;
}

inline void adopt(FilterNode& parent, FilterNodePtr child) {
  parent.depends_on_row |= child->depends_on_row;
  parent.children.push_back(std::move(child));
}

// any() and none() over a list property, as scans of an index. Private to this folder.

/// Elements that are compared with something known ask what IN asks:
///
///    any(t IN p WHERE t = 1)           1 IN p             any(t IN p WHERE t = 1 OR t = x)   1 IN p OR x IN p
///    any(t IN p WHERE t IN [1, x])     1 IN p OR x IN p   none(...)                          NOT any(...)
///    any(t IN p WHERE t IN $list)      the same for each value of the list, which is known when it runs
///
/// So it is in three-valued logic: an element that is null makes both unknown, unless another one decides.
class ElementTests {
 public:
  /// `element` is the variable that stands for an element of the list at `keys`. An operand must not read the
  /// record or an element of it.
  ElementTests(Slot element, std::vector<std::string> keys,
               std::function<bool(const Expression&)> is_operand)
      : element_(element), keys_(std::move(keys)), is_operand_(std::move(is_operand)) {}

  /// The records of which the quantifier is true, or false with `negated`; null where no index can say.
  [[nodiscard]] FilterNodePtr build(const Expression& quantifier, bool negated) const;

 private:
  /// The records of which some element passes; with `negated` those of which each fails, none being unknown.
  [[nodiscard]] FilterNodePtr test(const Expression& condition, bool negated) const;
  [[nodiscard]] FilterNodePtr equality(const Expression& condition, bool negated) const;
  using Scan = FilterNodePtr (ElementTests::*)(const Expression&, bool) const;
  [[nodiscard]] FilterNodePtr each(const std::vector<ExpressionPtr>& parts, Scan scan,
                                   bool negated) const;
  [[nodiscard]] FilterNodePtr membership(const Expression& condition, bool negated) const;
  [[nodiscard]] FilterNodePtr comparison(const Expression& operand, bool negated) const;
  [[nodiscard]] bool is_element(const Expression& expression) const {
    return expression.kind == ExpressionKind::variable && expression.slot == element_;
  }

  Slot element_;
  std::vector<std::string> keys_;
  std::function<bool(const Expression&)> is_operand_;
};

}  // namespace cairn::query
