// Turns a condition into a tree of index scans. Negations are pushed down to the leaves, and one function per kind of
// predicate recognises what an index can answer. The tree finds the records for which the condition is true. The
// operands of its leaves must be known before the records are read. The tree may find too many records: if a part has
// no index, an intersection drops the part and is marked `partial`, and the conjunct is checked again on the records
// found. A union cannot drop a part, so one part without an index makes the whole union null.
//
//    p = 1 AND f(n)      ->  p = 1, partly          p = 1 OR f(n)   ->  null
//    NOT (p = 1 AND q)   ->  unite(not p = 1, not q)
//
// De Morgan's rules also hold in three-valued logic, because NOT null is null. `negated` at a leaf asks for the records
// where the predicate is false, without the records where it is unknown.

#include "query/functions/filter_test.hpp"
#include "query/functions/system_fields.hpp"
#include "query/plan/filter_plan.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace cairn::query {
namespace {

// Builds the tree for one variable. Every function takes a condition and `negated`: whether to find the records for
// which the condition is false. A function returns nullptr if no index can answer.
class FilterBuilder {
 public:
  explicit FilterBuilder(Slot slot) : slot_(slot) {}

  // Returns nullptr if no index helps.
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
  FilterNodePtr labels(const Expression& condition, bool negated) const;
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

  // Returns the property path if the expression is a property of this variable, otherwise nullopt.
  std::optional<PropertyPath> own_property(const Expression& expression) const {
    auto path = property_path(expression);
    return path && path->slot == slot_ ? path : std::nullopt;
  }
  /// id(n) or n@external_id. Such a value is unique to a record and is not looked up in a property index.
  struct Identity {
    /// The kind of filter node for one value, and the kind for a list of values.
    FilterKind one;
    FilterKind many;
    bool every_record_has;  ///< true if the negation is the complement within all records
  };
  // Returns nullopt unless the expression is id() or @external_id of this variable.
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
  /// True if the expression has one value for all records. An expression that reads the record or an element of its
  /// lists differs by record. rand() differs at each evaluation, but the operand of a lookup is evaluated only once.
  bool is_operand(const Expression& expression) const {
    const SlotSet slots = free_slots(expression);
    const bool is_own = std::ranges::any_of(
        elements_, [&](const auto& element) { return slots.contains(element.first); });
    return !is_own && !slots.contains(slot_) && is_deterministic(expression);
  }
  // Returns the path of the tested field within the record, or nullopt if the owner is neither this variable nor an
  // element of one of its lists.
  std::optional<std::vector<std::string>> field_path(const Expression& condition) const;
  /// Merges 0 < n.p AND n.p < 9 into one interval of keys. Only the last few children are examined.
  static bool joins_range(FilterNode& parent, const FilterNode& part) {
    const std::size_t behind = std::min(parent.children.size(), most_looked_at);
    return std::ranges::any_of(std::span(parent.children).last(behind), [&](const auto& child) {
      if (!complete_range(*child, part)) return false;
      parent.depends_on_row |= child->depends_on_row;
      return true;
    });
  }

  Slot slot_;
  /// Variables that stand for an element of a list of the record, with the path of the list.
  mutable std::map<Slot, std::vector<std::string>> elements_;
};

// Drops parts that no index can answer. The result is then a superset and is checked again.
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

// A part that no index can answer may be true for any record, so no set of ids would cover the union.
FilterNodePtr FilterBuilder::unite(const Expression& condition, bool negated) const {
  FilterNodePtr node = leaf(FilterKind::unite, false);
  for (const ExpressionPtr& child : condition.children) {
    FilterNodePtr part = build(*child, negated);
    if (!part) return nullptr;
    adopt(*node, std::move(part));
  }
  return node;
}

// a XOR b is (a AND NOT b) OR (NOT a AND b). Longer chains would double the tree with each operand.
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

// The labels of every node are known, so the negation is the complement.
FilterNodePtr FilterBuilder::label(const Expression& condition, bool negated) const {
  if (!is_variable(*condition.children[0])) return nullptr;
  FilterNodePtr node = leaf(FilterKind::label, negated);
  node->name = condition.name;
  return node;
}

// The names must be the same for all records of the variable.
FilterNodePtr FilterBuilder::labels(const Expression& condition, bool negated) const {
  if (!is_variable(*condition.children[0]) || !is_operand(*condition.children[1])) return nullptr;
  FilterNodePtr node = with_operand(leaf(FilterKind::labels, negated), *condition.children[1]);
  node->any = condition.flag;
  return node;
}

/// IS NOT NULL finds records that have the property. IS NULL and NOT IS NOT NULL find the complement. These tests are
/// never unknown.
FilterNodePtr FilterBuilder::presence(const Expression& condition, bool negated) const {
  auto path = own_property(*condition.children[0]);
  if (!path) return nullptr;
  const bool asks_absence = condition.kind == ExpressionKind::is_null;
  return leaf(FilterKind::present, asks_absence != negated, std::move(path->keys));
}

// Handles WHERE n.flag. If the property is not a boolean, checking the condition on the record is an error.
FilterNodePtr FilterBuilder::truth(const Expression& condition, bool negated) const {
  auto path = own_property(condition);
  return path ? leaf(FilterKind::truth, negated, std::move(path->keys)) : nullptr;
}

// Handles literals. An empty group of a filter is a literal by now: an empty AND is true, an empty OR is false. null
// and other literals are checked on the records.
FilterNodePtr constant(const Expression& condition, bool negated) {
  const bool* value = condition.value.get_if<bool>();
  if (value == nullptr) return nullptr;
  FilterNodePtr node = std::make_unique<FilterNode>();
  node->kind = *value != negated ? FilterKind::intersect : FilterKind::unite;
  return node;
}

// Swaps the sides of a comparison: 1 < n.p is n.p > 1.
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

// `node` compares its property with `operand` by `kind`.
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

/// Returns the argument of version(...), or nullptr for any other expression.
const Expression* versioned(const Expression& expression) {
  const bool is_version = expression.kind == ExpressionKind::function_call &&
                          expression.function != nullptr && expression.function->name == "version";
  return is_version ? expression.children[0].get() : nullptr;
}

// Versions sort differently from bytes, so an interval of keys cannot answer. Instead each distinct text is tested. A
// text that is not a version is unknown.
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

// The property may be on either side. A comparison of two properties of the same record is checked on the records.
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

// IN has three meanings: an id in a list of ids, a property in a list of constants, and a constant in a list
// property.
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

// any() and none() over a list property. ElementTests recognises the conditions that an index can answer.
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

// STARTS WITH is a range of keys. ENDS WITH, CONTAINS and =~ are tested on each distinct text of the index.
FilterNodePtr FilterBuilder::text_predicate(const Expression& condition, bool negated) const {
  auto path = own_property(*condition.children[0]);
  if (!path || !is_operand(*condition.children[1])) return nullptr;
  const bool by_prefix = condition.kind == ExpressionKind::starts_with;
  FilterNodePtr node =
      leaf(by_prefix ? FilterKind::starts_with : FilterKind::text, negated, std::move(path->keys));
  node->text_test = condition.kind;
  return with_operand(std::move(node), *condition.children[1]);
}

/// For a field of a list element, the path of the list is prepended: the index stores the entries of all elements
/// under that path.
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

// A test is true or false for every record, so its negation is the complement. Within a list element the index knows
// only that some element passes, not which one. So negative tests of elements have no index answer.
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

// Finds the records in which each part of the condition passes for some element. Whether one element passes all parts
// is checked on the records.
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

// A part that no index can answer may be true for any record. A negated node would need the records where the condition
// is false or unknown; indexes find these only for tests. So neither case has an index answer.
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

/// Dispatches to one function per kind of predicate. No index can answer the other kinds.
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
    case ExpressionKind::has_labels:
      return labels(condition, negated);
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
