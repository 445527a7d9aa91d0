// Sameness for DISTINCT, grouping and set operations, and the hash that goes with it. Unlike
// equality it is two-valued: null is the same as null, NaN as NaN.
// The law: equivalent values have equal hashes. Hashes are for one process and never stored.

#include "query/functions/number_order.hpp"
#include "query/functions/sequence.hpp"
#include "query/functions/value_semantics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

namespace cairn::query {
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
