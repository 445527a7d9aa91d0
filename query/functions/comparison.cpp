// Equality and order for `=`, `<` and IN. These operators are three-valued: null means "unknown".
//
// The second half has equivalence for grouping and DISTINCT, where null equals null. The order of ORDER BY, which is
// defined for any two values, is codec::compare_ordered().

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

/// Three-valued AND over pairs: one false makes the result false, else one unknown makes it unknown.
class AllEqual {
 public:
  /// Returns false as soon as the result is false.
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

/// Lists of different lengths are not equal, even with nulls in them. Otherwise a null makes the result unknown
/// unless another pair differs.
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

/// As equal_lists(). Maps with different keys are not equal; values are compared only if the keys are equal.
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

/// The first pair that differs decides. If a pair has no order, the result is unknown, unless the two values are equal:
/// nodes or maps may be equal.
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

/// True for types with < and >, except numbers and lists. Values of other types can only be equal or different.
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
      return false;  // also durations, because months differ in length
  }
}

}  // namespace

// Values of different types are never equal and the result is never unknown. Exceptions are numbers, and a vector and a
// list. Numbers are compared by exact value: 2^53 + 1 differs from the float 2^53. NaN equals nothing, not even itself.
std::optional<bool> equals(const Value& a, const Value& b) {
  if (a.is_null() || b.is_null()) return std::nullopt;
  if (a.is_number() && b.is_number()) return compare_numbers(a, b) == std::optional(0);
  if (is_sequence(a) && is_sequence(b)) return equal_lists(a, b);
  if (a.type() != b.type()) return false;
  if (a.map()) return equal_maps(*a.map(), *b.map());
  return a == b;
}

// Returns nullopt for "unknown", which makes `<` null. NaN has no order here; the evaluator makes `NaN < 1` false
// instead of null.
std::optional<int> compare(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return compare_numbers(a, b);
  if (is_sequence(a) && is_sequence(b)) return compare_lists(a, b);
  if (a.type() != b.type() || !has_order(a.type())) return std::nullopt;
  return codec::compare_ordered(a, b);
}

// Equivalent to a chain of `=` joined by OR. Nothing is IN an empty list, not even null.
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

// Equivalence for DISTINCT, grouping and set operations, and a matching hash. Equivalence is two-valued: null equals
// null, and NaN equals NaN. Equivalent values have equal hashes. Hashes are valid within one process and are never
// stored.

namespace {

bool equivalent_numbers(const Value& a, const Value& b) noexcept {
  if (is_nan(a) || is_nan(b)) return is_nan(a) && is_nan(b);
  return compare_numbers(a, b) == std::optional(0);
}

/// A vector is equivalent to the list of its floats, so grouping does not depend on the stored form.
bool equivalent_lists(const Value& a, const Value& b) {
  if (a.list() != nullptr && a.list() == b.list()) return true;
  if (sequence_size(a) != sequence_size(b)) return false;
  List storage_a;
  List storage_b;
  return std::ranges::equal(*sequence_of(a, storage_a), *sequence_of(b, storage_b), equivalent);
}

/// Maps are ordered by key, so entries are compared pairwise.
bool equivalent_maps(const Map& a, const Map& b) {
  if (&a == &b) return true;
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return x.first == y.first && equivalent(x.second, y.second);
  });
}

/// The finalizer of SplitMix64: each input bit changes each output bit with probability 1/2.
std::uint64_t mix(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Depends on the order of parts, because [1, 2] and [2, 1] differ.
std::uint64_t combine(std::uint64_t hash, std::uint64_t part) noexcept {
  return mix(hash + 0x9e3779b97f4a7c15ULL + part);
}

/// Includes the type, so that the date 1 and the integer 1 have different hashes.
template <class... Parts>
std::uint64_t hash_parts(ValueType type, Parts... parts) noexcept {
  auto hash = mix(static_cast<std::uint64_t>(type) + 1);
  ((hash = combine(hash, static_cast<std::uint64_t>(parts))), ...);
  return hash;
}

std::uint64_t hash_integer(std::int64_t value) noexcept {
  return hash_parts(ValueType::integer, value);
}

/// A whole float has the hash of the integer that it equals. All NaNs have the same hash.
std::uint64_t hash_float(double value) noexcept {
  constexpr double limit = 9'223'372'036'854'775'808.0;
  if (std::isnan(value)) return hash_parts(ValueType::floating);
  if (value >= -limit && value < limit && std::trunc(value) == value)
    return hash_integer(static_cast<std::int64_t>(value));
  return hash_parts(ValueType::floating, std::bit_cast<std::uint64_t>(value));
}

/// One overload for each type, so that a new type without a hash does not compile. Numbers share hashes across types,
/// and so do lists and vectors, because they may be equivalent.
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
  /// Computes the hash of the list of floats to which the vector is equivalent.
  std::uint64_t operator()(const Vector& vector) const {
    auto hash = hash_parts(ValueType::list);
    for (float component : vector.components())
      hash = combine(hash, hash_float(static_cast<double>(component)));
    return hash;
  }
  /// Entries are ordered by key, so that the hash does not depend on how the map was built.
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
  /// Nodes and relationships are hashed by id, since they may be loaded or not.
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

// Numbers of different types may be equivalent, and lists with vectors. For all other types, Value's own equality is
// used.
bool equivalent(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return equivalent_numbers(a, b);
  if (is_sequence(a) && is_sequence(b)) return equivalent_lists(a, b);
  if (a.type() != b.type()) return false;
  if (a.map()) return equivalent_maps(*a.map(), *b.map());
  return a == b;
}

std::uint64_t hash_value(const Value& value) { return std::visit(Hasher{}, value.content()); }

}  // namespace cairn::query
