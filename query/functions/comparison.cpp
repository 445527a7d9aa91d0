// Equality and comparability: three-valued, null being "unknown".
// The rules of `=`, `<` and IN. Sameness for grouping and DISTINCT, where null is null, stands
// below; the order of ORDER BY, which every two values have, is codec::compare_ordered.

#include "codec/ordered_key.hpp"
#include "query/functions/call.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/sequence.hpp"
#include "query/functions/value_semantics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

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

// Sameness for DISTINCT, grouping and set operations, and the hash that goes with it. Unlike
// equality it is two-valued: null is the same as null, NaN as NaN.
// The law: equivalent values have equal hashes. Hashes are for one process and never stored.

namespace {

bool equivalent_numbers(const Value& a, const Value& b) noexcept {
  if (is_nan(a) || is_nan(b)) return is_nan(a) && is_nan(b);
  return compare_numbers(a, b) == std::optional(0);
}

/// A vector is equivalent to the list of its floats; grouping must not depend on how it is stored.
bool equivalent_lists(const Value& a, const Value& b) {
  if (a.list() != nullptr && a.list() == b.list()) return true;
  if (sequence_size(a) != sequence_size(b)) return false;
  List storage_a;
  List storage_b;
  return std::ranges::equal(*sequence_of(a, storage_a), *sequence_of(b, storage_b), equivalent);
}

/// Both maps are in key order, so pairs at the same place have to agree.
bool equivalent_maps(const Map& a, const Map& b) {
  if (&a == &b) return true;
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return x.first == y.first && equivalent(x.second, y.second);
  });
}

/// The finalizer of SplitMix64: every input bit changes every output bit with probability 1/2.
std::uint64_t mix(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// The order of parts matters: [1, 2] and [2, 1] are different values.
std::uint64_t combine(std::uint64_t hash, std::uint64_t part) noexcept {
  return mix(hash + 0x9e3779b97f4a7c15ULL + part);
}

/// Starts from the type, so that date 1 and integer 1 do not collide.
template <class... Parts>
std::uint64_t hash_parts(ValueType type, Parts... parts) noexcept {
  auto hash = mix(static_cast<std::uint64_t>(type) + 1);
  ((hash = combine(hash, static_cast<std::uint64_t>(parts))), ...);
  return hash;
}

std::uint64_t hash_integer(std::int64_t value) noexcept {
  return hash_parts(ValueType::integer, value);
}

/// A whole float hashes as the integer it equals, all NaNs alike.
std::uint64_t hash_float(double value) noexcept {
  constexpr double limit = 9'223'372'036'854'775'808.0;
  if (std::isnan(value)) return hash_parts(ValueType::floating);
  if (value >= -limit && value < limit && std::trunc(value) == value)
    return hash_integer(static_cast<std::int64_t>(value));
  return hash_parts(ValueType::floating, std::bit_cast<std::uint64_t>(value));
}

/// One overload a type, so that a new type without a hash does not compile. Numbers and sequences
/// share a hash across types, because they are compared across them.
struct Hasher {
  std::uint64_t operator()(std::monostate) const { return hash_parts(ValueType::null); }
  std::uint64_t operator()(bool value) const { return hash_parts(ValueType::boolean, value); }
  std::uint64_t operator()(std::int64_t value) const { return hash_integer(value); }
  std::uint64_t operator()(double value) const { return hash_float(value); }
  std::uint64_t operator()(const std::string& value) const {
    return hash_parts(ValueType::string, std::hash<std::string>{}(value));
  }
  std::uint64_t operator()(const Value::ListPtr& list) const {
    auto hash = hash_parts(ValueType::list);
    for (const Value& item : *list) hash = combine(hash, hash_value(item));
    return hash;
  }
  /// As a list of floats, which it is equal to.
  std::uint64_t operator()(const Vector& vector) const {
    auto hash = hash_parts(ValueType::list);
    for (float component : vector.components())
      hash = combine(hash, hash_float(static_cast<double>(component)));
    return hash;
  }
  /// Keys come in order, so the hash does not depend on how the map was made.
  std::uint64_t operator()(const Value::MapPtr& map) const {
    auto hash = hash_parts(ValueType::map);
    for (const auto& [key, value] : *map)
      hash = combine(combine(hash, std::hash<std::string>{}(key)), hash_value(value));
    return hash;
  }
  std::uint64_t operator()(const Node& node) const {
    return hash_parts(ValueType::node, node.id().value);
  }
  std::uint64_t operator()(const Relationship& relationship) const {
    return hash_parts(ValueType::relationship, relationship.id().value);
  }
  /// Nodes and relationships hash by their ids, whatever is loaded of them.
  std::uint64_t operator()(const Value::PathPtr& path) const {
    auto hash = hash_parts(ValueType::path);
    for (const Node& node : path->nodes) hash = combine(hash, (*this)(node));
    for (const Relationship& step : path->relationships) hash = combine(hash, (*this)(step));
    return hash;
  }
  std::uint64_t operator()(const Date& x) const { return hash_parts(ValueType::date, x.days); }
  std::uint64_t operator()(const LocalTime& x) const {
    return hash_parts(ValueType::local_time, x.nanoseconds);
  }
  std::uint64_t operator()(const Time& x) const {
    return hash_parts(ValueType::time, x.nanoseconds, x.offset_seconds);
  }
  std::uint64_t operator()(const LocalDateTime& x) const {
    return hash_parts(ValueType::local_date_time, x.seconds, x.nanoseconds);
  }
  std::uint64_t operator()(const DateTime& x) const {
    return hash_parts(ValueType::date_time, x.seconds, x.nanoseconds, x.offset_seconds,
                      std::hash<std::string>{}(x.zone));
  }
  std::uint64_t operator()(const Duration& x) const {
    return hash_parts(ValueType::duration, x.months, x.days, x.seconds, x.nanoseconds);
  }
};

}  // namespace

// Types that are compared across come first; for all others Value's own equality is sameness.
// Between types only numbers are the same as numbers, and vectors as lists.
bool equivalent(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return equivalent_numbers(a, b);
  if (is_sequence(a) && is_sequence(b)) return equivalent_lists(a, b);
  if (a.type() != b.type()) return false;
  if (a.map()) return equivalent_maps(*a.map(), *b.map());
  return a == b;
}

std::uint64_t hash_value(const Value& value) { return std::visit(Hasher{}, value.content()); }

}  // namespace cairn::query
