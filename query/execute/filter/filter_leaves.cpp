// Evaluates the leaves of a filter: computes the operands and queries the index.
// There is one function per kind of leaf, in the three-valued logic of the language: with `negated`
// it finds the records where the predicate is false, never those where it is unknown. Tests of
// filters are two-valued, so their negation is the complement within all records.

#include "codec/bitmap.hpp"
#include "codec/entity_kind.hpp"
#include "query/execute/budget.hpp"
#include "query/execute/expression/evaluate_functions.hpp"
#include "query/execute/filter/field_lookup.hpp"
#include "query/execute/filter/filter_evaluator.hpp"
#include "query/execute/filter/property_lookup.hpp"
#include "query/execute/filter/text_scan.hpp"
#include "query/execute/graph_reader.hpp"
#include "query/execute/holding.hpp"
#include "query/execute/path_index.hpp"
#include "query/filter/filter_operators.hpp"
#include "query/functions/label_names.hpp"
#include "query/functions/semantic_version.hpp"
#include "query/functions/sequence.hpp"
#include "query/functions/value_semantics.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

// Some lists have no index entries for their elements. The next functions read these lists from
// their records in batches, and apply the language's IN to them.

/// Records that each have a list at the same path.
struct ListsAtPath {
  codec::EntityKind kind = codec::EntityKind::node;
  const std::vector<std::string>& keys;  ///< the property path
  const codec::Bitmap& ids;
};

/// Returns null if the path ends before its last key.
Value at_path(Value value, std::span<const std::string> keys) {
  for (const std::string& key : keys) {
    const Map* map = value.map();
    if (map == nullptr) return {};
    const auto entry = map->find(key);
    if (entry == map->end()) return {};
    Value below = entry->second;
    value = std::move(below);
  }
  return value;
}

/// Returns the ids for which `value IN list` is false, so neither true nor unknown.
/// Cost: reads one property of each record.
/// Errors: those of the budget and of the store.
Result<codec::Bitmap> lists_without(GraphReader& graph, Budget& budget, const ListsAtPath& lists,
                                    const Value& value) {
  const std::vector<std::uint64_t> all = lists.ids.to_vector();
  const std::span below = std::span(lists.keys).subspan(1);
  std::vector<std::uint64_t> kept;
  for (std::size_t next = 0; next < all.size();) {
    const auto rest = std::span(all).subspan(next);
    CAIRN_ASSIGN(auto values, graph.some_properties(lists.kind, rest, lists.keys.front()));
    for (Value& read : values) {
      CAIRN_TRY(budget.step(steps_of(read)));
      CAIRN_ASSIGN(const Value is_there, is_in(value, at_path(std::move(read), below)));
      if (const bool* known = is_there.get_if<bool>(); known != nullptr && !*known)
        kept.push_back(all[next]);
      ++next;
    }
  }
  return codec::Bitmap::from_sorted(kept);
}

// id(n) = 1.0 is true for node 1, because 1 = 1.0 is true.
std::optional<std::uint64_t> id_of(const Value& value) {
  if (const auto* integer = value.get_if<std::int64_t>())
    return *integer >= 0 ? std::optional(static_cast<std::uint64_t>(*integer)) : std::nullopt;
  const double* number = value.get_if<double>();
  if (number == nullptr || !(*number >= 0) || *number >= 0x1p63 || std::trunc(*number) != *number)
    return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

}  // namespace

// If the operand cannot be evaluated, all records become candidates. The error is then reported for
// the first record, or not at all if there are no records.
std::optional<Value> FilterEvaluator::operand(const Expression* expression, Row row) {
  auto value = evaluator_.evaluate(*expression, row);
  return value ? std::optional(std::move(value).value()) : std::nullopt;
}

// Every record either has a label or not, so the negation is the exact complement.
Result<Selection> FilterEvaluator::label(const FilterNode& node, Row) {
  CAIRN_ASSIGN(const codec::Bitmap* ids, graph_.labelled(plan_.kind, node.name));
  if (graph_.meter != nullptr) graph_.meter->ids_touched += ids->cardinality();
  return Selection{*ids, node.negated, true};
}

// A value that names no labels is an error when the condition is checked on a record.
Result<Selection> FilterEvaluator::labels(const FilterNode& node, Row row) {
  const auto value = operand(node.low, row);
  if (!value) return Selection::everything(false);
  const auto names = label_names({}, {*value});
  if (!names) return Selection::everything(false);
  Selection found = node.any ? Selection::nothing() : Selection::everything(true);
  for (const std::string& name : *names) {
    CAIRN_TRY(evaluator_.budget().step(64));
    CAIRN_ASSIGN(const codec::Bitmap* ids, graph_.labelled(plan_.kind, name));
    if (graph_.meter != nullptr) graph_.meter->ids_touched += ids->cardinality();
    const Selection one{*ids, false, true};
    found = node.any ? unite(found, one) : intersect(found, one);
  }
  return node.negated ? subtract(Selection::everything(true), found) : std::move(found);
}

Result<Selection> FilterEvaluator::present(const FilterNode& node, Row) {
  CAIRN_ASSIGN(Selection found, PropertyLookup(graph_, plan_.kind, node.keys).present());
  return node.negated ? subtract(Selection::everything(true), found) : std::move(found);
}

// property_lookup.cpp handles null, NaN, lists and maps.
Result<Selection> FilterEvaluator::equals(const FilterNode& node, Row row) {
  const auto value = operand(node.low, row);
  if (!value) return Selection::everything(false);
  PropertyLookup property(graph_, plan_.kind, node.keys);
  return node.negated ? property.differs(*value) : property.equals(*value);
}

// An operand that is not a list is an error when the condition is checked on a record.
Result<Selection> FilterEvaluator::one_of(const FilterNode& node, Row row) {
  const auto value = operand(node.low, row);
  if (!value) return Selection::everything(false);
  if (value->is_null()) return Selection::nothing();
  List storage;
  const List* values = sequence_of(*value, storage);
  if (values == nullptr) return Selection::everything(false);
  PropertyLookup property(graph_, plan_.kind, node.keys);
  return node.negated ? property.none_of(*values) : property.one_of(*values);
}

// If a bound cannot be evaluated, all records become candidates. The error is then reported for the
// first record, or not at all.
Result<Selection> FilterEvaluator::range(const FilterNode& node, Row row) {
  std::optional<Value> low;
  std::optional<Value> high;
  if (node.low != nullptr && !(low = operand(node.low, row))) return Selection::everything(false);
  if (node.high != nullptr && !(high = operand(node.high, row)))
    return Selection::everything(false);
  const Value* from = low ? &*low : nullptr;
  const Value* to = high ? &*high : nullptr;
  PropertyLookup property(graph_, plan_.kind, node.keys);
  return node.negated ? property.beyond(from, node.low_inclusive, to, node.high_inclusive)
                      : property.between(from, node.low_inclusive, to, node.high_inclusive);
}

Result<Selection> FilterEvaluator::starts_with(const FilterNode& node, Row row) {
  const auto value = operand(node.low, row);
  if (!value) return Selection::everything(false);
  PropertyLookup property(graph_, plan_.kind, node.keys);
  return node.negated ? property.starts_otherwise(*value) : property.starts_with(*value);
}

// A text that is not a version is unknown.
Result<Selection> FilterEvaluator::version(const FilterNode& node, const Value& bound) {
  if (bound.is_null()) return Selection::nothing();
  const TextTest passes = [&](const std::string& text) -> Result<bool> {
    auto order = order_of_version(text);
    if (!order) return false;
    const Value answer = compare_values(node.text_test, *std::move(order), bound);
    return !answer.is_null() && answer.as_bool() != node.negated;
  };
  CAIRN_ASSIGN(auto found,
               find_texts(graph_, evaluator_.budget(), {plan_.kind, node.keys, within_}, passes));
  if (found) return *std::move(found);
  return PropertyLookup(graph_, plan_.kind, node.keys).text("");
}

// Tests each distinct text if that is cheaper than reading the records of `within_`, the ids that
// remain so far. Otherwise every record with a text is a candidate.
Result<Selection> FilterEvaluator::text(const FilterNode& node, Row row) {
  const auto value = operand(node.low, row);
  if (!value) return Selection::everything(false);
  if (node.of_version) return version(node, *value);
  if (const std::string* part = value->string()) {
    const TextTest passes = [&](const std::string& text) -> Result<bool> {
      CAIRN_ASSIGN(const bool passing,
                   passes_text_test(node.text_test, text, *part, &evaluator_.budget()));
      return passing != node.negated;
    };
    CAIRN_ASSIGN(auto found,
                 find_texts(graph_, evaluator_.budget(), {plan_.kind, node.keys, within_}, passes));
    if (found) return *std::move(found);
  }
  return PropertyLookup(graph_, plan_.kind, node.keys).text(*value);
}

Result<Selection> FilterEvaluator::element(const FilterNode& node, Row row) {
  const auto value = operand(node.low, row);
  if (!value) return Selection::everything(false);
  if (node.negated) return lacks_element(node, *value);
  return PropertyLookup(graph_, plan_.kind, node.keys).has_element(*value);
}

// "Some element is IN null" is unknown for a list with elements, and false for an empty list. An
// operand that is not a list is an error when the condition is checked on a record.
Result<Selection> FilterEvaluator::element_of(const FilterNode& node, Row row) {
  const auto value = operand(node.low, row);
  if (!value) return Selection::everything(false);
  if (value->is_null())
    return node.negated ? lacks_element(node, *value) : Result<Selection>(Selection::nothing());
  List storage;
  const List* values = sequence_of(*value, storage);
  if (values == nullptr) return Selection::everything(false);
  if (node.negated) return lacks_elements(node, *values);
  return PropertyLookup(graph_, plan_.kind, node.keys).has_any(*values);
}

// Nothing is in an empty list, not even null. So every list passes.
Result<Selection> FilterEvaluator::lacks_elements(const FilterNode& node, const List& values) {
  if (values.empty()) return PropertyLookup(graph_, plan_.kind, node.keys).lists();
  Selection found = Selection::everything(true);
  for (const Value& value : values) {
    CAIRN_TRY(evaluator_.budget().step(64));
    CAIRN_ASSIGN(const Selection one, lacks_element(node, value));
    found = intersect(found, one);
    if (found.empty()) break;
  }
  return found;
}

// A few doubtful lists are read here, so that the many other records need not be checked. If there
// are many doubtful lists, they become candidates, because the rest of the filter may exclude most
// of them.
Result<Selection> FilterEvaluator::lacks_element(const FilterNode& node, const Value& value) {
  constexpr std::uint64_t most_read = 4'096;
  CAIRN_ASSIGN(PartlyKnown known,
               PropertyLookup(graph_, plan_.kind, node.keys).lacks_element(value));
  if (known.doubtful.empty()) return std::move(known.found);
  CAIRN_ASSIGN(const codec::Bitmap* restriction, graph_.restriction(plan_.kind));
  if (restriction != nullptr) known.doubtful = codec::intersect(known.doubtful, *restriction);
  if (within_ != nullptr) known.doubtful = codec::intersect(known.doubtful, *within_);
  const std::uint64_t count = known.doubtful.cardinality();
  if (count > std::min(most_read, known.found.ids.cardinality()))
    return inexact(unite(known.found, {std::move(known.doubtful), false, true}));
  CAIRN_ASSIGN(
      codec::Bitmap lacking,
      lists_without(graph_, evaluator_.budget(), {plan_.kind, node.keys, known.doubtful}, value));
  return unite(known.found, {std::move(lacking), false, true});
}

// WHERE n.flag passes only true, and NOT n.flag only false. Values of other types do not pass and
// cause no error. See "Errors may depend on the plan" in README.md.
Result<Selection> FilterEvaluator::truth(const FilterNode& node, Row) {
  return PropertyLookup(graph_, plan_.kind, node.keys).equals(Value(!node.negated));
}

// id(n) = null is null for every record, and so is its negation, so neither finds any record.
Result<Selection> FilterEvaluator::identity(const FilterNode& node, Row row) {
  const auto value = operand(node.low, row);
  if (!value) return Selection::everything(false);
  if (value->is_null()) return Selection::nothing();
  return among_ids({*value}, node.negated);
}

Result<Selection> FilterEvaluator::identities(const FilterNode& node, Row row) {
  const auto value = operand(node.low, row);
  if (!value || (value->list() == nullptr && !value->is_null()))
    return Selection::everything(false);
  if (value->is_null()) return Selection::nothing();
  return among_ids(value->as_list(), node.negated);
}

Result<Selection> FilterEvaluator::external_id(const FilterNode& node, Row row) {
  const auto value = operand(node.low, row);
  if (!value) return Selection::everything(false);
  return among_external_ids({*value});
}

// An operand that is neither null nor a list is an error when the condition is checked on a record.
Result<Selection> FilterEvaluator::external_ids(const FilterNode& node, Row row) {
  const auto value = operand(node.low, row);
  if (!value || (value->list() == nullptr && !value->is_null()))
    return Selection::everything(false);
  if (value->is_null()) return Selection::nothing();
  return among_external_ids(value->as_list());
}

// In each readable namespace, at most one node has a given external id. Relationships have no
// external id: the check on records reports the error.
Result<Selection> FilterEvaluator::among_external_ids(const List& values) {
  if (plan_.kind != codec::EntityKind::node) return Selection::everything(false);
  std::vector<std::uint64_t> ids;
  const std::vector<std::uint32_t> name_spaces = graph_.name_spaces();
  for (const Value& value : values) {
    CAIRN_TRY(evaluator_.budget().step(name_spaces.size()));
    if (value.string() == nullptr) continue;
    for (const std::uint32_t name_space : name_spaces) {
      CAIRN_ASSIGN(const auto id, graph_.view().find_external(name_space, *value.string()));
      if (id) ids.push_back(*id);
    }
  }
  codec::Bitmap set = codec::Bitmap::from_unsorted(std::move(ids));
  CAIRN_ASSIGN(const codec::Bitmap* all, graph_.visible(plan_.kind));
  return Selection{codec::intersect(set, *all), false, true};
}

// An operand that the test cannot use is an error even if no records remain.
Result<Selection> FilterEvaluator::test(const FilterNode& node, Row row) {
  std::optional<Value> value = Value();
  if (node.low != nullptr) value = operand(node.low, row);
  if (!value) return Selection::everything(false);
  CAIRN_TRY(check_operand(node.test, *value));
  const std::int64_t now = evaluator_.next_context().now;
  FieldLookup field(graph_, plan_.kind, node.keys, within_, &evaluator_.budget());
  CAIRN_ASSIGN(Selection found, field.find({node.test, *value, node.as_text, node.normalize, now}));
  return node.negated ? subtract(Selection::everything(true), found) : std::move(found);
}

// NOT id(n) IN [1, null] is never true.
Result<Selection> FilterEvaluator::among_ids(const List& values, bool negated) {
  std::vector<std::uint64_t> ids;
  for (const Value& value : values) {
    if (value.is_null() && negated) return Selection::nothing();
    if (const auto id = id_of(value)) ids.push_back(*id);
  }
  codec::Bitmap set = codec::Bitmap::from_unsorted(std::move(ids));
  if (negated) return Selection{std::move(set), true, true};
  // The list may contain numbers that are not ids of any entity.
  CAIRN_ASSIGN(const codec::Bitmap* all, graph_.visible(plan_.kind));
  return Selection{codec::intersect(set, *all), false, true};
}

}  // namespace cairn::query
