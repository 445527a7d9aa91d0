#pragma once
// any() and none() over a list property, as scans of an index. Private to this folder.

#include "query/bind/expression.hpp"
#include "query/plan/filter_plan.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {

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
