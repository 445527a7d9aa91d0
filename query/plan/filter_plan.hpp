#pragma once
// How indexes answer a filter: a tree of lookups, and conjuncts that remain to be checked on records.

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

// FilterPlan holds the conditions on one entity variable as a tree of index lookups and set operations. The plan is
// made before any record is read.
//
// Each conjunct of WHERE is brought into negation normal form. Its leaves are predicates that an index answers,
// joined by intersections and unions. Because logic has three values, a negation is not a complement: `negated` at a
// leaf finds the records where the predicate is *false*, and not the records where it is unknown. `n.p <> 1` is "has
// p, and not p = 1", and `NOT n.p > 1` is "p is a number, and not p > 1".
//
// A part that no index answers is dropped from an intersection. The tree is then `partial`: it finds too many
// records. In a union such a part makes the whole union unanswerable. If the ids of a conjunct are not exact, its
// `sources` are checked again on the remaining records.

enum class FilterKind : std::uint8_t {
  intersect,
  unite,
  label,        ///< `name` is a label of the node, or the type of the relationship
  labels,       ///< the record has all labels that `low` names, or any of them if `any`
  present,      ///< the property is not null
  equals,       ///< property = low
  one_of,       ///< property IN low
  range,        ///< low < property < high; one bound may be null
  starts_with,  ///< property STARTS WITH low
  text,  ///< property `text_test` low, such as CONTAINS: tests each distinct text, or each record
  element,       ///< low IN property
  truth,         ///< the property itself is the condition
  identity,      ///< id(variable) = low
  identities,    ///< id(variable) IN low
  test,          ///< the property passes `test` with low, which may be null
  at_least,      ///< at least `low` of the children hold
  element_of,    ///< any(t IN property WHERE t IN low)
  external_id,   ///< variable@external_id = low
  external_ids,  ///< variable@external_id IN low
};

struct FilterNode;
using FilterNodePtr = std::unique_ptr<FilterNode>;

/// One node of the tree: a set operation with children, or a leaf that an index answers.
struct FilterNode {
  FilterKind kind = FilterKind::intersect;
  bool negated = false;  ///< of a leaf: find records where the predicate is false
  bool partial = false;  ///< of an intersection: a part without an index was dropped
  std::vector<FilterNodePtr> children;
  std::string name;                                     ///< name of the label or type
  std::vector<std::string> keys;                        ///< the property path
  ExpressionKind text_test = ExpressionKind::contains;  ///< for FilterKind::text: which test
  /// For FilterKind::text: compare version(property) with low by `text_test`.
  bool of_version = false;
  bool any = false;  ///< for FilterKind::labels: true if one of the names suffices
  FilterOperator test = FilterOperator::equals;
  bool as_text = false;    ///< for FilterKind::test: compare as text
  bool normalize = false;  ///< for FilterKind::test: compare texts in NFC
  /// Operands are constants, parameters, or variables bound before
  const Expression* low = nullptr;
  const Expression* high = nullptr;
  bool low_inclusive = true;
  bool high_inclusive = true;
  bool depends_on_row = false;  ///< whether an operand reads variables bound before

  // Statistics fills these two members, which order the work and decide whether a part is worth its cost.
  double rows = 0;          ///< expected number of ids found
  double microseconds = 0;  ///< expected cost of finding the ids
};

/// One or several conjuncts that one tree answers together, such as the two ends of a range.
struct FilterConjunct {
  std::vector<const Expression*> sources;
  FilterNodePtr node;
};

/// The filter of one variable. All conjuncts must hold.
struct FilterPlan {
  Slot slot = 0;
  codec::EntityKind kind = codec::EntityKind::node;
  std::vector<FilterConjunct> conjuncts;
  double rows = 0;  ///< expected number of records that pass
  bool is_estimated = false;

  /// True if an operand reads variables bound before, so that the filter must be evaluated again for each row.
  [[nodiscard]] bool depends_on_row() const;
};

/// True if a part is a single posting list that needs no row. Estimating such a part would cost as much as looking it
/// up. A filter that reads no row looks up these parts first, so they need no estimate.
[[nodiscard]] bool is_known_posting(const FilterNode& node);

/// Returns the tree for the records where `condition` is true, or nullptr if no index helps. The operands may read
/// every slot except `slot`.
[[nodiscard]] FilterNodePtr build_filter(const Expression& condition, Slot slot);

/// Merges `part` into `range` if `part` is the other end of the same interval. Returns whether it was
/// merged.
[[nodiscard]] bool complete_range(FilterNode& range, const FilterNode& part);
/// How many earlier parts are examined for the other end of an interval. Both ends are usually written next to each
/// other. Examining all parts would take quadratic time in the length of a conjunction.
inline constexpr std::size_t most_looked_at = 32;

/// Plans the conjuncts that an index can answer, and removes these from `conjuncts`.
[[nodiscard]] FilterPlan plan_filter(Slot slot, codec::EntityKind kind,
                                     std::vector<const Expression*>& conjuncts);

// Functions that make the nodes of a filter's tree. Private to this folder.

inline FilterNodePtr leaf(FilterKind kind, bool negated, std::vector<std::string> keys = {}) {
  auto node = std::make_unique<FilterNode>();
  node->kind = kind;
  node->negated = negated;
  node->keys = std::move(keys);
  return node;
}

/// Sets the operand of a leaf. An operand without free slots is the same for all rows, so its ids are looked up only
/// once.
inline FilterNodePtr with_operand(FilterNodePtr node, const Expression& operand) {
  node->low = &operand;
  node->depends_on_row = !free_slots(operand).empty();
  return node;
}

/// Makes `child` the last child of `parent`.
inline void adopt(FilterNode& parent, FilterNodePtr child) {
  parent.depends_on_row |= child->depends_on_row;
  parent.children.push_back(std::move(child));
}

// Conditions any() and none() over a list property, as index scans. Private to this folder.

/// Translates comparisons of list elements with known values into the same scans as IN:
///
///    any(t IN p WHERE t = 1)           1 IN p             any(t IN p WHERE t = 1 OR t = x)   1 IN p OR x IN p
///    any(t IN p WHERE t IN [1, x])     1 IN p OR x IN p   none(...)                          NOT any(...)
///    any(t IN p WHERE t IN $list)      the same for each value of the list, which is known at run time
///
/// This also holds in three-valued logic: an element that is null makes both forms unknown, unless another element
/// decides.
class ElementTests {
 public:
  /// `element` is the variable for one element of the list at `keys`. `is_operand` must reject expressions that read
  /// the record or an element of the list.
  ElementTests(Slot element, std::vector<std::string> keys,
               std::function<bool(const Expression&)> is_operand)
      : element_(element), keys_(std::move(keys)), is_operand_(std::move(is_operand)) {}

  /// Returns the records for which the quantifier is true, or false if `negated`. Returns nullptr if no index can
  /// answer.
  [[nodiscard]] FilterNodePtr build(const Expression& quantifier, bool negated) const;

 private:
  /// Returns the records in which some element passes. With `negated`, returns the records in which every element
  /// fails and none is unknown.
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
