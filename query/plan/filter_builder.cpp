// From a condition to a tree of index scans: negations are pushed down to the leaves, and each kind
// of predicate has one function that recognises what an index answers.
// The tree finds the records for which the condition is true, with operands that are known before
// the records are. It need not find exactly these: where a part has no index answer, an
// intersection leaves it out and is marked `partial`; the conjunct is then checked again on what
// was found. A union cannot leave anything out, so that one part without an answer makes all of it
// null.
//
//    p = 1 AND f(n)      ->  p = 1, partly          p = 1 OR f(n)   ->  null
//    NOT (p = 1 AND q)   ->  unite(not p = 1, not q)
//
// Pushing NOT down by De Morgan holds in three-valued logic: NOT null is null, and `negated` at a
// leaf asks for "false", which "unknown" is not.

#include "query/functions/filter_test.hpp"
#include "query/functions/system_fields.hpp"
#include "query/plan/filter_plan.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace cairn::query {
namespace {

// Builds the tree for one variable. Every function takes the condition and whether the records are
// wanted where it is false, and gives null where no index can say.
class FilterBuilder {
 public:
  explicit FilterBuilder(Slot slot) : slot_(slot) {}

  // Null where no index helps.
  FilterNodePtr build(const Expression& condition, bool negated) const;

 private:
  FilterNodePtr negation(const Expression& condition, bool negated) const {
    return build(*condition.children[0], !negated);
  }
  FilterNodePtr conjunction(const Expression& condition, bool negated) const {
    return negated ? unite(condition, true) : intersect(condition, false);
  }
  FilterNodePtr disjunction(const Expression& condition, bool negated) const {
    return negated ? intersect(condition, true) : unite(condition, false);
  }
  FilterNodePtr exclusive(const Expression& condition, bool negated) const;
  FilterNodePtr intersect(const Expression& condition, bool negated) const;
  FilterNodePtr unite(const Expression& condition, bool negated) const;

  FilterNodePtr label(const Expression& condition, bool negated) const;
  FilterNodePtr presence(const Expression& condition, bool negated) const;
  FilterNodePtr comparison(const Expression& condition, bool negated) const;
  FilterNodePtr version_comparison(const Expression& condition, bool negated) const;
  FilterNodePtr membership(const Expression& condition, bool negated) const;
  FilterNodePtr quantified(const Expression& condition, bool negated) const;
  FilterNodePtr text_predicate(const Expression& condition, bool negated) const;
  FilterNodePtr truth(const Expression& condition, bool negated) const;
  FilterNodePtr test(const Expression& condition, bool negated) const;
  FilterNodePtr some_element(const Expression& condition, std::vector<std::string> path) const;
  FilterNodePtr at_least(const Expression& condition, bool negated) const;

  // The property path of this variable, or nothing.
  std::optional<PropertyPath> own_property(const Expression& expression) const {
    auto path = property_path(expression);
    return path && path->slot == slot_ ? path : std::nullopt;
  }
  /// id(n) or n@external_id: no other record has the same, and no index of values is asked for it.
  struct Identity {
    FilterKind one;
    FilterKind many;
    bool every_record_has;  ///< so that the negation is all the others
  };
  std::optional<Identity> own_identity(const Expression& expression) const {
    if (expression.kind != ExpressionKind::function_call || expression.function == nullptr ||
        expression.children.empty() || !is_variable(*expression.children[0]))
      return std::nullopt;
    if (expression.function->name == "id")
      return Identity{FilterKind::identity, FilterKind::identities, true};
    if (is_external_id(*expression.function))
      return Identity{FilterKind::external_id, FilterKind::external_ids, false};
    return std::nullopt;
  }
  bool is_variable(const Expression& expression) const {
    return expression.kind == ExpressionKind::variable && expression.slot == slot_;
  }
  /// What reads the record itself, or an element of its lists, is not an operand: it would be another
  /// one for each record. Neither is rand(): the index would be asked once.
  bool is_operand(const Expression& expression) const {
    const SlotSet slots = free_slots(expression);
    const bool is_own = std::ranges::any_of(
        elements_, [&](const auto& element) { return slots.contains(element.first); });
    return !is_own && !slots.contains(slot_) && is_deterministic(expression);
  }
  // The path that a test's field has in the record, if the record is the variable's.
  std::optional<std::vector<std::string>> field_path(const Expression& condition) const;
  /// 0 < n.p AND n.p < 9 are two conjuncts and one interval of keys.
  static bool joins_range(FilterNode& parent, const FilterNode& part) {
    const std::size_t behind = std::min(parent.children.size(), most_looked_at);
    return std::ranges::any_of(std::span(parent.children).last(behind), [&](const auto& child) {
      if (!complete_range(*child, part)) return false;
      parent.depends_on_row |= child->depends_on_row;
      return true;
    });
  }

  Slot slot_;
  /// Variables that stand for an element of a list of the record, and the path of the list.
  mutable std::map<Slot, std::vector<std::string>> elements_;
};

// Leaves out parts without an answer: the result is then a superset, and is checked again.
FilterNodePtr FilterBuilder::intersect(const Expression& condition, bool negated) const {
  FilterNodePtr node = leaf(FilterKind::intersect, false);
  for (const ExpressionPtr& child : condition.children) {
    FilterNodePtr part = build(*child, negated);
    if (!part)
      node->partial = true;
    else if (!joins_range(*node, *part))
      adopt(*node, std::move(part));
  }
  return node->children.empty() ? nullptr : std::move(node);
}

// A part without an answer may be true anywhere, which no set of ids would cover.
FilterNodePtr FilterBuilder::unite(const Expression& condition, bool negated) const {
  FilterNodePtr node = leaf(FilterKind::unite, false);
  for (const ExpressionPtr& child : condition.children) {
    FilterNodePtr part = build(*child, negated);
    if (!part) return nullptr;
    adopt(*node, std::move(part));
  }
  return node;
}

// a XOR b is (a AND NOT b) OR (NOT a AND b). More than two would double at each step.
FilterNodePtr FilterBuilder::exclusive(const Expression& condition, bool negated) const {
  if (condition.children.size() != 2) return nullptr;
  FilterNodePtr node = leaf(FilterKind::unite, false);
  for (const bool first : {true, false}) {
    FilterNodePtr both = leaf(FilterKind::intersect, false);
    FilterNodePtr left = build(*condition.children[0], !first);
    FilterNodePtr right = build(*condition.children[1], first != negated);
    if (!left || !right) return nullptr;
    adopt(*both, std::move(left));
    adopt(*both, std::move(right));
    adopt(*node, std::move(both));
  }
  return node;
}

// A label is known of every node, so that its negation is the complement.
FilterNodePtr FilterBuilder::label(const Expression& condition, bool negated) const {
  if (!is_variable(*condition.children[0])) return nullptr;
  FilterNodePtr node = leaf(FilterKind::label, negated);
  node->name = condition.name;
  return node;
}

///    IS NOT NULL: present   NOT IS NOT NULL, IS NULL: not present, which is never unknown
FilterNodePtr FilterBuilder::presence(const Expression& condition, bool negated) const {
  auto path = own_property(*condition.children[0]);
  if (!path) return nullptr;
  const bool asks_absence = condition.kind == ExpressionKind::is_null;
  return leaf(FilterKind::present, asks_absence != negated, std::move(path->keys));
}

// WHERE n.flag. A property that is not a boolean makes the condition an error where it is checked.
FilterNodePtr FilterBuilder::truth(const Expression& condition, bool negated) const {
  auto path = own_property(condition);
  return path ? leaf(FilterKind::truth, negated, std::move(path->keys)) : nullptr;
}

// The empty groups of a filter: all records, or none.
// A filter that has no conditions is a literal by then: an empty AND is true, an empty OR false.
// null and other literals are left to the records.
FilterNodePtr constant(const Expression& condition, bool negated) {
  const bool* value = condition.value.get_if<bool>();
  if (value == nullptr) return nullptr;
  FilterNodePtr node = std::make_unique<FilterNode>();
  node->kind = *value != negated ? FilterKind::intersect : FilterKind::unite;
  return node;
}

// 1 < n.p is n.p > 1.
ExpressionKind mirrored(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::less:
      return ExpressionKind::greater;
    case ExpressionKind::less_equal:
      return ExpressionKind::greater_equal;
    case ExpressionKind::greater:
      return ExpressionKind::less;
    case ExpressionKind::greater_equal:
      return ExpressionKind::less_equal;
    default:
      return kind;
  }
}

// `node` compares the property with its operand by `kind`.
void set_range(FilterNode& node, ExpressionKind kind, const Expression& operand) {
  const bool inclusive =
      kind == ExpressionKind::less_equal || kind == ExpressionKind::greater_equal;
  if (kind == ExpressionKind::greater || kind == ExpressionKind::greater_equal) {
    node.low = &operand;
    node.low_inclusive = inclusive;
  } else {
    node.high = &operand;
    node.high_inclusive = inclusive;
  }
  node.depends_on_row = !free_slots(operand).empty();
}

/// version(n.p), whose argument is to be compared.
const Expression* versioned(const Expression& expression) {
  const bool is_version = expression.kind == ExpressionKind::function_call &&
                          expression.function != nullptr && expression.function->name == "version";
  return is_version ? expression.children[0].get() : nullptr;
}

// Bytes have another order than versions, so that no interval of keys answers. Each different text does, and
// what is not a version is unknown.
FilterNodePtr FilterBuilder::version_comparison(const Expression& condition, bool negated) const {
  for (const std::size_t side : {0U, 1U}) {
    const Expression* argument = versioned(*condition.children[side]);
    const Expression& operand = *condition.children[1 - side];
    auto path = argument != nullptr ? own_property(*argument) : std::nullopt;
    if (!path || !is_operand(operand)) continue;
    FilterNodePtr node = leaf(FilterKind::text, negated, std::move(path->keys));
    node->of_version = true;
    node->text_test = side == 0 ? condition.kind : mirrored(condition.kind);
    return with_operand(std::move(node), operand);
  }
  return nullptr;
}

// The property may stand on either side; a comparison of two properties of the same record is left
// to the records.
FilterNodePtr FilterBuilder::comparison(const Expression& condition, bool negated) const {
  const Expression* property = condition.children[0].get();
  const Expression* operand = condition.children[1].get();
  ExpressionKind kind = condition.kind;
  if (FilterNodePtr node = version_comparison(condition, negated)) return node;
  if (!own_property(*property) && !own_identity(*property)) {
    std::swap(property, operand);
    kind = mirrored(kind);
  }
  if (!is_operand(*operand)) return nullptr;
  const bool is_equality = kind == ExpressionKind::equal || kind == ExpressionKind::not_equal;
  if (const auto identity = own_identity(*property)) {
    const bool is_answered =
        kind == ExpressionKind::equal && (identity->every_record_has || !negated);
    return is_answered ? with_operand(leaf(identity->one, negated), *operand) : nullptr;
  }
  auto path = own_property(*property);
  if (!path) return nullptr;
  if (is_equality)
    return with_operand(leaf(FilterKind::equals, (kind == ExpressionKind::not_equal) != negated,
                             std::move(path->keys)),
                        *operand);
  FilterNodePtr node = leaf(FilterKind::range, negated, std::move(path->keys));
  set_range(*node, kind, *operand);
  return node;
}

// Three different questions are written with IN: an id among ids, a value among constants, and a
// constant among the elements of a list property.
FilterNodePtr FilterBuilder::membership(const Expression& condition, bool negated) const {
  const Expression& item = *condition.children[0];
  const Expression& list = *condition.children[1];
  if (const auto identity = own_identity(item); identity && is_operand(list)) {
    if (negated && !identity->every_record_has) return nullptr;
    return with_operand(leaf(identity->many, negated), list);
  }
  if (auto path = own_property(item); path && is_operand(list))
    return with_operand(leaf(FilterKind::one_of, negated, std::move(path->keys)), list);
  if (auto path = own_property(list); path && is_operand(item))
    return with_operand(leaf(FilterKind::element, negated, std::move(path->keys)), item);
  return nullptr;
}

FilterNodePtr FilterBuilder::quantified(const Expression& condition, bool negated) const {
  auto path = own_property(*condition.children[0]);
  if (!path) return nullptr;
  elements_.emplace(condition.slot, path->keys);
  const ElementTests tests(condition.slot, path->keys,
                           [&](const Expression& operand) { return is_operand(operand); });
  FilterNodePtr node = tests.build(condition, negated);
  elements_.erase(condition.slot);
  return node;
}

// An index knows the beginnings of texts, and each different text.
// STARTS WITH is a range of keys; ENDS WITH, CONTAINS and =~ are tested on each different text.
FilterNodePtr FilterBuilder::text_predicate(const Expression& condition, bool negated) const {
  auto path = own_property(*condition.children[0]);
  if (!path || !is_operand(*condition.children[1])) return nullptr;
  const bool by_prefix = condition.kind == ExpressionKind::starts_with;
  FilterNodePtr node =
      leaf(by_prefix ? FilterKind::starts_with : FilterKind::text, negated, std::move(path->keys));
  node->text_test = condition.kind;
  return with_operand(std::move(node), *condition.children[1]);
}

/// Behind an element the path of its list goes before: the index has the entries of all elements
/// there.
std::optional<std::vector<std::string>> FilterBuilder::field_path(
    const Expression& condition) const {
  const Expression& owner = *condition.children[0];
  if (owner.kind != ExpressionKind::variable) return std::nullopt;
  if (owner.slot == slot_) return condition.names;
  const auto element = elements_.find(owner.slot);
  if (element == elements_.end()) return std::nullopt;
  std::vector<std::string> path = element->second;
  path.insert(path.end(), condition.names.begin(), condition.names.end());
  return path;
}

// A test is true or false of every record, so that its negation is the complement. Within an element
// the index only knows that some map of the list passes, not which: negative tests say nothing.
FilterNodePtr FilterBuilder::test(const Expression& condition, bool negated) const {
  auto path = field_path(condition);
  if (!path) return nullptr;
  const bool is_element = condition.children[0]->slot != slot_;
  if (condition.test == FilterOperator::any_element)
    return negated ? nullptr : some_element(condition, std::move(*path));
  if (is_element && (negated || is_negative(condition.test))) return nullptr;
  FilterNodePtr node = leaf(FilterKind::test, negated, std::move(*path));
  node->test = condition.test;
  node->as_text = condition.flag;
  node->normalize = condition.normalize;
  if (condition.children.size() == 1) return node;
  if (!is_operand(*condition.children[1])) return nullptr;
  return with_operand(std::move(node), *condition.children[1]);
}

// What each part of the condition finds in any element, to be checked on the records.
FilterNodePtr FilterBuilder::some_element(const Expression& condition,
                                          std::vector<std::string> path) const {
  FilterNodePtr node = leaf(FilterKind::intersect, false);
  node->partial = true;
  FilterNodePtr there = leaf(FilterKind::test, false, path);
  there->test = FilterOperator::exists;
  adopt(*node, std::move(there));
  elements_.emplace(condition.slot, std::move(path));
  if (FilterNodePtr part = build(*condition.children[1], false)) adopt(*node, std::move(part));
  elements_.erase(condition.slot);
  return node;
}

// Where one part has no answer, it may be true anywhere. A condition that is unknown does not hold,
// so that the negation would need those where it is unknown or false; no index says that of others
// than tests.
FilterNodePtr FilterBuilder::at_least(const Expression& condition, bool negated) const {
  if (negated || !is_operand(*condition.children[0])) return nullptr;
  FilterNodePtr node = with_operand(leaf(FilterKind::at_least, false), *condition.children[0]);
  for (std::size_t i = 1; i < condition.children.size(); ++i) {
    FilterNodePtr part = build(*condition.children[i], false);
    if (!part) return nullptr;
    adopt(*node, std::move(part));
  }
  return node;
}

/// One function for each kind of predicate; what is not listed no index answers.
FilterNodePtr FilterBuilder::build(const Expression& condition, bool negated) const {
  switch (condition.kind) {
    case ExpressionKind::logical_not:
      return negation(condition, negated);
    case ExpressionKind::logical_and:
      return conjunction(condition, negated);
    case ExpressionKind::logical_or:
      return disjunction(condition, negated);
    case ExpressionKind::logical_xor:
      return exclusive(condition, negated);
    case ExpressionKind::has_label:
      return label(condition, negated);
    case ExpressionKind::is_null:
    case ExpressionKind::is_not_null:
      return presence(condition, negated);
    case ExpressionKind::equal:
    case ExpressionKind::not_equal:
    case ExpressionKind::less:
    case ExpressionKind::less_equal:
    case ExpressionKind::greater:
    case ExpressionKind::greater_equal:
      return comparison(condition, negated);
    case ExpressionKind::in:
      return membership(condition, negated);
    case ExpressionKind::any_of:
    case ExpressionKind::none_of:
      return quantified(condition, negated);
    case ExpressionKind::starts_with:
    case ExpressionKind::ends_with:
    case ExpressionKind::contains:
    case ExpressionKind::matches:
      return text_predicate(condition, negated);
    case ExpressionKind::property:
      return truth(condition, negated);
    case ExpressionKind::filter_test:
      return test(condition, negated);
    case ExpressionKind::at_least:
      return at_least(condition, negated);
    case ExpressionKind::literal:
      return constant(condition, negated);
    default:
      return nullptr;
  }
}

}  // namespace

FilterNodePtr build_filter(const Expression& condition, Slot slot) {
  return FilterBuilder(slot).build(condition, false);
}

}  // namespace cairn::query
