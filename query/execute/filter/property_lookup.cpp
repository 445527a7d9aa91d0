// Answers predicates of the language on a property path from its index, in three-valued logic.
// field_lookup.cpp is the counterpart for the two-valued operators of filters. Each function finds
// the records for which its predicate is true. Its negative counterpart finds those for which it is
// false. For all other records the predicate is unknown.
#include "query/execute/filter/property_lookup.hpp"

#include "engine/catalog/catalog.hpp"
#include "engine/index/index_entries.hpp"
#include "query/execute/path_index.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query {
namespace {

// True for types that `<` can compare. Lists are compared on their records.
bool has_order(const Value& value) {
  return value.type() != ValueType::map && value.type() != ValueType::duration &&
         can_be_stored(value);
}

bool is_container(const Value& value) { return is_sequence(value) || value.map() != nullptr; }

bool same_type(const Value& a, const Value& b) {
  return a.type() == b.type() || (a.is_number() && b.is_number()) ||
         (is_sequence(a) && is_sequence(b));
}

}  // namespace

Result<Selection> PropertyLookup::unindexed(const std::vector<std::string>& keys) const {
  // If no record uses the name, no record has the path. Otherwise nothing is known.
  return graph_.catalog().find_property(keys.front()) ? Selection::everything(false)
                                                      : Selection::nothing();
}

Result<Selection> PropertyLookup::ask(engine::IndexPredicate question,
                                      const std::vector<std::string>& keys) {
  CAIRN_ASSIGN(auto found, ask_path(graph_, kind_, keys, std::move(question)));
  return found ? Result<Selection>(std::move(*found)) : unindexed(keys);
}

// If a is a map, entries at the path a.b answer a.b. If a has another type, the record decides: a
// temporal value has components, and a list is an error. Nulls are excluded, because a property of
// null is null.
Result<Selection> PropertyLookup::not_by_path() {
  Selection others;
  for (std::size_t depth = 1; depth < keys_.size(); ++depth) {
    const std::vector<std::string> above(keys_.begin(),
                                         keys_.begin() + static_cast<std::ptrdiff_t>(depth));
    const auto of = [&](Operation operation, Value example) {
      return ask({kind_, 0, operation, std::move(example), {}, true, true}, above);
    };
    CAIRN_ASSIGN(Selection rest, of(Operation::present, {}));
    CAIRN_ASSIGN(const Selection maps, of(Operation::of_type, Map{}));
    CAIRN_ASSIGN(const Selection nulls, of(Operation::of_type, {}));
    others = unite(others, subtract(subtract(rest, maps), nulls));
  }
  return others;
}

// Adds the records that the path does not decide, so the answer may be too large but never too
// small.
Result<Selection> PropertyLookup::ask(engine::IndexPredicate question) {
  CAIRN_ASSIGN(Selection found, ask(std::move(question), keys_));
  if (keys_.size() == 1) return found;
  CAIRN_ASSIGN(const Selection others, not_by_path());
  return others.empty() ? std::move(found) : inexact(unite(found, others));
}

Result<Selection> PropertyLookup::ask(Operation operation, Value operand) {
  return ask({kind_, 0, operation, std::move(operand), {}, true, true});
}

// A stored null does not count as a value in the language.
Result<Selection> PropertyLookup::present() {
  CAIRN_ASSIGN(const Selection any, ask(Operation::present));
  CAIRN_ASSIGN(const Selection nulls, of_type({}));
  return subtract(any, nulls);
}

Result<Selection> PropertyLookup::equals(const Value& value) {
  if (value.is_null() || is_nan(value) || !can_be_stored(value)) return Selection::nothing();
  return ask(Operation::equals, as_indexed(value));
}

// n.p <> v: the record has p, and p is not v. Values of another type differ, and NaN differs even
// from itself. Equality with a list or map may be unknown, so only scalars have an exact
// complement.
Result<Selection> PropertyLookup::differs(const Value& value) {
  if (value.is_null()) return Selection::nothing();
  CAIRN_ASSIGN(Selection any, present());
  if (is_container(value)) return inexact(std::move(any));
  CAIRN_ASSIGN(const Selection same, equals(value));
  return subtract(any, same);
}

Result<Selection> PropertyLookup::one_of(const List& values) {
  return unite_each(values, [this](const Value& value) { return equals(value); });
}

// NOT x IN a list that contains null is never true. NOT x IN an empty list is always true.
Result<Selection> PropertyLookup::none_of(const List& values) {
  if (values.empty()) return Selection::everything(true);
  const auto is_null = [](const Value& value) { return value.is_null(); };
  if (std::any_of(values.begin(), values.end(), is_null)) return Selection::nothing();
  CAIRN_ASSIGN(Selection any, present());
  if (std::any_of(values.begin(), values.end(), is_container)) return inexact(std::move(any));
  CAIRN_ASSIGN(const Selection those, one_of(values));
  return subtract(any, those);
}

// A bound that is null or has no order makes the comparison unknown for every record. Bounds of
// different types do so too, because no value is comparable with both. Lists are compared element
// by element, and the index has no entries for this order, so all lists are candidates.
Result<Selection> PropertyLookup::between(const Value* low, bool low_inclusive, const Value* high,
                                          bool high_inclusive) {
  for (const Value* bound : {low, high})
    if (bound != nullptr && (bound->is_null() || is_nan(*bound) || !has_order(*bound)))
      return Selection::nothing();
  if (low != nullptr && high != nullptr && !same_type(*low, *high)) return Selection::nothing();
  if (is_sequence(low != nullptr ? *low : *high)) {
    CAIRN_ASSIGN(Selection some, lists());
    return inexact(std::move(some));
  }
  return ask({kind_, 0, Operation::range, low != nullptr ? *low : Value(),
              high != nullptr ? *high : Value(), low_inclusive, high_inclusive});
}

// Only values comparable with the bound can make the comparison false. NaN is a number but never
// within a range.
Result<Selection> PropertyLookup::beyond(const Value* low, bool low_inclusive, const Value* high,
                                         bool high_inclusive) {
  const Value& bound = low != nullptr ? *low : *high;
  if (bound.is_null() || !has_order(bound)) return Selection::nothing();
  if (is_sequence(bound)) {
    CAIRN_ASSIGN(Selection some, lists());
    return inexact(std::move(some));
  }
  CAIRN_ASSIGN(const Selection comparable, of_type(bound));
  CAIRN_ASSIGN(const Selection within, between(low, low_inclusive, high, high_inclusive));
  return subtract(comparable, within);
}

// A prefix that is not a text makes the test unknown for all records.
Result<Selection> PropertyLookup::starts_with(const Value& prefix) {
  if (prefix.string() == nullptr) return Selection::nothing();
  return ask(Operation::starts_with, prefix);
}

// The test is unknown for values that are not texts.
Result<Selection> PropertyLookup::starts_otherwise(const Value& prefix) {
  if (prefix.string() == nullptr) return Selection::nothing();
  CAIRN_ASSIGN(const Selection texts, of_type(""));
  CAIRN_ASSIGN(const Selection those, starts_with(prefix));
  return subtract(texts, those);
}

// If the operand is not a text, the check on records decides whether that is an error.
Result<Selection> PropertyLookup::text(const Value& operand) {
  if (operand.is_null()) return Selection::nothing();
  if (operand.string() == nullptr) return Selection::everything(false);
  CAIRN_ASSIGN(Selection texts, of_type(""));
  return inexact(std::move(texts));
}

// In the language, vectors are lists of floats.
Result<Selection> PropertyLookup::lists() {
  CAIRN_ASSIGN(const Selection plain, of_type(List{}));
  CAIRN_ASSIGN(const Selection vectors, of_type(Vector{}));
  return unite(plain, vectors);
}

// Handles value IN n.list, from the entries of elements.
Result<Selection> PropertyLookup::has_element(const Value& value) {
  if (value.is_null() || is_nan(value) || !can_be_stored(value)) return Selection::nothing();
  return ask(Operation::element, as_indexed(value));
}

Result<Selection> PropertyLookup::has_any(const List& values) {
  return unite_each(values, [this](const Value& value) { return has_element(value); });
}

// Returns vectors and long lists of numbers, whose elements have no entries. A lookup of any long
// list of numbers returns all of them as candidates.
Result<Selection> PropertyLookup::unindexed_lists() {
  return ask(Operation::equals, List(engine::max_indexed_numbers + 1, Value(0)));
}

// Returns lists for which `value IN list` may be true, or unknown for another reason than a null in
// the list. [1] IN [[null]] is unknown. So for a list, all lists that contain lists are returned,
// including long lists of numbers.
Result<Selection> PropertyLookup::may_hold(const Value& value) {
  if (!is_sequence(value)) return has_element(value);
  CAIRN_ASSIGN(const Selection lists, ask(Operation::element, List{}));
  CAIRN_ASSIGN(const Selection numbers,
               ask(Operation::element, List(engine::max_indexed_numbers + 1, Value(0))));
  return unite(lists, numbers);
}

//    all lists - lists with a null - lists that may have the value     pass
//    lists that may have the value                                     are doubtful
//
// A number may be in any list whose elements have no entries. For other lists, the entries decide.
// Null is not in an empty list, and for all other lists the result is unknown.
Result<PartlyKnown> PropertyLookup::lacks_element(const Value& value) {
  if (value.is_null()) {
    CAIRN_ASSIGN(const Selection empty, equals(List{}));
    return PartlyKnown{empty, {}};
  }
  CAIRN_ASSIGN(const Selection all, lists());
  CAIRN_ASSIGN(const Selection with_null, ask(Operation::element));
  CAIRN_ASSIGN(const Selection holding, may_hold(value));
  const Selection whole = subtract(all, with_null);
  if (!whole.exact || whole.all_but || holding.exact || holding.all_but)
    return PartlyKnown{subtract(whole, holding), {}};
  codec::Bitmap doubtful = codec::intersect(whole.ids, holding.ids);
  if (value.is_number()) {
    CAIRN_ASSIGN(const Selection any_number, unindexed_lists());
    doubtful = codec::intersect(doubtful, any_number.ids);
  }
  return PartlyKnown{{codec::subtract(whole.ids, holding.ids), false, true}, std::move(doubtful)};
}

// Splits a period into a few blocks with fixed borders: hours, 8 hours, 64 hours, and so on by
// powers of 8, aligned to the epoch. "Since 7 days ago" is a different period in every statement,
// but nearly all blocks are the same. So their posting lists come from the cache, and only the hour
// at each end is scanned.

namespace {

constexpr std::int64_t hour = 3'600'000'000;
constexpr std::int64_t longest = hour * 8 * 8 * 8 * 8 * 8 * 8;  // 8^6 hours are 29.9 years

// Returns the last border of this length at or before `time`.
std::int64_t border_before(std::int64_t time, std::int64_t length) {
  const std::int64_t rest = time % length;
  return time - (rest < 0 ? rest + length : rest);
}

// Returns the end of the longest aligned block that starts at `first` and fits, or else the next
// hour. There are at most 14 blocks of each length below the longest.
std::int64_t block_end(std::int64_t first, std::int64_t last) {
  for (std::int64_t length = longest; length >= hour; length /= 8)
    if (first % length == 0 && length <= last - first) return first + length;
  return std::min(last, border_before(first, hour) + hour);
}

// Times beyond four-digit years are not split, because borders would exceed the range of numbers.
bool is_far(std::int64_t time) {
  constexpr std::int64_t most = std::int64_t{1} << 60;
  return time > most || time < -most;
}

}  // namespace

// The blocks are half-open, ascending and without gaps. An open end is one open block.
std::vector<InstantBlock> instant_blocks(const InstantBlock& interval) {
  std::vector<InstantBlock> blocks;
  if (interval.first && interval.last && *interval.first >= *interval.last) return blocks;
  if ((!interval.first && !interval.last) || (interval.first && is_far(*interval.first)) ||
      (interval.last && is_far(*interval.last)))
    return {interval};
  std::int64_t first = interval.first.value_or(0);
  std::int64_t last = interval.last.value_or(0);
  if (!interval.first) {
    first = border_before(last, longest);
    blocks.push_back({std::nullopt, first});
  }
  if (!interval.last) last = border_before(first, longest) + longest;
  while (first < last) {
    const std::int64_t end = block_end(first, last);
    blocks.push_back({first, end});
    first = end;
  }
  if (!interval.last) blocks.push_back({last, std::nullopt});
  return blocks;
}

}  // namespace cairn::query
