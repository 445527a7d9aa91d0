// Equality and comparability: three-valued, null being "unknown".
// The rules of `=`, `<` and IN. Sameness for grouping and DISTINCT, where null is null, is
// equivalence.cpp's; the order of ORDER BY, which every two values have, is codec::compare_ordered.

#include "codec/ordered_key.hpp"
#include "query/functions/call.hpp"
#include "query/functions/number_order.hpp"
#include "query/functions/sequence.hpp"
#include "query/functions/value_semantics.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::query {
namespace {

/// Three-valued AND over pairs: false wins, then unknown.
class AllEqual {
 public:
  /// False as soon as the answer is known to be false.
  bool add(std::optional<bool> pair) {
    if (!pair) is_unknown_ = true;
    is_false_ = is_false_ || pair == std::optional(false);
    return !is_false_;
  }
  [[nodiscard]] std::optional<bool> answer() const {
    if (is_false_) return false;
    return is_unknown_ ? std::nullopt : std::optional(true);
  }

 private:
  bool is_unknown_ = false;
  bool is_false_ = false;
};

/// Lists of different length differ, whatever nulls are in them; otherwise a null element makes the
/// answer unknown unless another pair differs.
std::optional<bool> equal_lists(const Value& a, const Value& b) {
  if (sequence_size(a) != sequence_size(b)) return false;
  List storage_a;
  List storage_b;
  const List& left = *sequence_of(a, storage_a);
  const List& right = *sequence_of(b, storage_b);
  AllEqual all;
  for (std::size_t i = 0; i < left.size(); ++i)
    if (!all.add(equals(left[i], right[i]))) break;
  return all.answer();
}

/// The same for maps: a key that one of them lacks decides, its value does not matter.
std::optional<bool> equal_maps(const Map& a, const Map& b) {
  const bool same_keys =
      std::ranges::equal(a, b, [](const auto& x, const auto& y) { return x.first == y.first; });
  if (!same_keys) return false;
  AllEqual all;
  auto other = b.begin();
  for (const auto& [key, value] : a)
    if (!all.add(equals(value, (other++)->second))) break;
  return all.answer();
}

/// The first pair that differs decides; a pair that cannot be compared makes the lists incomparable
/// unless the two are known to be equal, as nodes and maps may be.
std::optional<int> compare_lists(const Value& a, const Value& b) {
  List storage_a;
  List storage_b;
  const List& left = *sequence_of(a, storage_a);
  const List& right = *sequence_of(b, storage_b);
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    const auto order = compare(left[i], right[i]);
    if (order && *order != 0) return order;
    if (!order && equals(left[i], right[i]) != std::optional(true)) return std::nullopt;
  }
  return (left.size() > right.size()) - (left.size() < right.size());
}

/// Types with < and >. All others can only be equal or not.
bool has_order(ValueType type) noexcept {
  switch (type) {
    case ValueType::boolean:
    case ValueType::string:
    case ValueType::date:
    case ValueType::local_time:
    case ValueType::time:
    case ValueType::local_date_time:
    case ValueType::date_time:
      return true;
    default:
      return false;  // durations too: a month has no fixed length
  }
}

}  // namespace

// Different types are never equal and never unknown, except numbers, and vectors with lists.
// Numbers by their exact values: 2^53 + 1 is not the float 2^53. NaN equals nothing, itself
// included.
std::optional<bool> equals(const Value& a, const Value& b) {
  if (a.is_null() || b.is_null()) return std::nullopt;
  if (a.is_number() && b.is_number()) return compare_numbers(a, b) == std::optional(0);
  if (is_sequence(a) && is_sequence(b)) return equal_lists(a, b);
  if (a.type() != b.type()) return false;
  if (a.map()) return equal_maps(*a.map(), *b.map());
  return a == b;
}

// NaN is incomparable here; that `NaN < 1` is false and not null is the evaluator's business.
// Nothing is the answer "unknown", which makes `<` null.
std::optional<int> compare(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return compare_numbers(a, b);
  if (is_sequence(a) && is_sequence(b)) return compare_lists(a, b);
  if (a.type() != b.type() || !has_order(a.type())) return std::nullopt;
  return codec::compare_ordered(a, b);
}

// As a chain of `=` joined by OR: one true makes it true, else one unknown makes it unknown.
// Nothing is IN an empty list, not even null.
Result<Value> is_in(const Value& value, const Value& list) {
  if (list.is_null()) return Value();
  if (!is_sequence(list))
    return Error{ErrorCode::type_error, "IN needs a list on its right, got " + described(list), {}};
  List storage;
  bool is_unknown = false;
  for (const Value& item : *sequence_of(list, storage)) {
    const auto same = equals(value, item);
    if (same == std::optional(true)) return Value(true);
    is_unknown = is_unknown || !same;
  }
  return is_unknown ? Value() : Value(false);
}

}  // namespace cairn::query
