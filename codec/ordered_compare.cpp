// compare_ordered: the order of the encodings, without making them.
// Sorting, DISTINCT, grouping and aggregates compare values many times and would else encode both
// sides each time. The rules are the same as those of ordered_key.cpp, written a second time on
// purpose: a generated-value test holds the two against each other.
//
// Total over all values, NaN and null included, so it may order containers of the standard library.

#include "codec/ordered_float.hpp"
#include "codec/ordered_key.hpp"
#include "codec/ordered_number.hpp"
#include "codec/temporal_order.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <tuple>

namespace cairn::codec {
namespace {

int sign_of(std::strong_ordering order) noexcept { return order < 0 ? -1 : order > 0 ? 1 : 0; }

template <class T>
int compare(const T& a, const T& b) noexcept {
  return sign_of(a <=> b);
}

/// Element by element; where one range begins the other, the shorter is first.
template <class Range, class Compare>
int compare_ranges(const Range& a, const Range& b, Compare&& compare_items) noexcept {
  auto left = a.begin();
  auto right = b.begin();
  for (; left != a.end() && right != b.end(); ++left, ++right)
    if (const int order = compare_items(*left, *right); order != 0) return order;
  return compare(left != a.end(), right != b.end());
}

/// Integers and floats meet where both have a place; neither can be converted to the other exactly.
OrderedNumber number_of(const Value& value) noexcept {
  return value.type() == ValueType::integer ? ordered_number(value.as_integer())
                                            : ordered_number(value.as_float());
}

/// 128-bit integers have no <=> in strict mode.
int compare_length(const Duration& a, const Duration& b) noexcept {
  const Int128 left = length_of(a);
  const Int128 right = length_of(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

/// Compares two contents of the same type.
struct Comparer {
  int operator()(std::monostate, std::monostate) const noexcept { return 0; }
  int operator()(bool a, bool b) const noexcept { return compare(a, b); }
  int operator()(std::int64_t a, std::int64_t b) const noexcept { return compare(a, b); }
  int operator()(double a, double b) const noexcept {
    // Tags were equal, so both are NaN or neither is.
    return std::isnan(a) ? 0 : compare(ordered_number(a), ordered_number(b));
  }
  int operator()(const std::string& a, const std::string& b) const noexcept {
    return compare(a, b);
  }
  // A list that begins another one is less: its end mark 00 is below every tag.
  // What two rows share is equal to itself, NaN included, and need not be walked.
  int operator()(const Value::ListPtr& a, const Value::ListPtr& b) const noexcept {
    if (a == b) return 0;
    return compare_ranges(*a, *b, compare_ordered);
  }
  // All keys decide before any value does, as their encodings stand first.
  int operator()(const Value::MapPtr& a, const Value::MapPtr& b) const noexcept {
    if (a == b) return 0;
    const int keys = compare_ranges(
        *a, *b, [](const auto& x, const auto& y) { return compare(x.first, y.first); });
    if (keys != 0) return keys;
    return compare_ranges(
        *a, *b, [](const auto& x, const auto& y) { return compare_ordered(x.second, y.second); });
  }
  // By id alone: two readings of one node are one, whatever was changed between them.
  int operator()(const Node& a, const Node& b) const noexcept { return compare(a.id(), b.id()); }
  int operator()(const Relationship& a, const Relationship& b) const noexcept {
    return compare(a.id(), b.id());
  }
  int operator()(const Value::PathPtr& a, const Value::PathPtr& b) const noexcept;
  int operator()(Date a, Date b) const noexcept { return compare(a, b); }
  int operator()(LocalTime a, LocalTime b) const noexcept { return compare(a, b); }
  int operator()(LocalDateTime a, LocalDateTime b) const noexcept { return compare(a, b); }
  int operator()(Time a, Time b) const noexcept {
    return compare(std::pair(instant_of(a), a.offset_seconds),
                   std::pair(instant_of(b), b.offset_seconds));
  }
  int operator()(const DateTime& a, const DateTime& b) const noexcept {
    const auto fields = [](const DateTime& x) {
      return std::tie(x.seconds, x.nanoseconds, x.offset_seconds, x.zone);
    };
    return compare(fields(a), fields(b));
  }
  int operator()(const Duration& a, const Duration& b) const noexcept {
    if (const int order = compare_length(a, b); order != 0) return order;
    const auto fields = [](const Duration& x) { return std::tie(x.nanoseconds, x.months, x.days); };
    return compare(fields(a), fields(b));
  }
  int operator()(const Vector& a, const Vector& b) const noexcept {
    if (const int order = compare(a.dimension(), b.dimension()); order != 0) return order;
    return compare_ranges(a.components(), b.components(), [](float x, float y) {
      return compare(sortable_bits(x), sortable_bits(y));
    });
  }
};

// Step by step: node, relationship, node, ...; of two paths of which one begins the other, the
// shorter is first.
int Comparer::operator()(const Value::PathPtr& a, const Value::PathPtr& b) const noexcept {
  const std::size_t nodes = std::min(a->nodes.size(), b->nodes.size());
  for (std::size_t i = 0; i < nodes; ++i) {
    if (const int order = (*this)(a->nodes[i], b->nodes[i]); order != 0) return order;
    if (i >= a->relationships.size() || i >= b->relationships.size()) break;
    const int order = (*this)(a->relationships[i], b->relationships[i]);
    if (order != 0) return order;
  }
  return compare(a->nodes.size(), b->nodes.size());
}

}  // namespace

// Of equal tag and unequal type are only an integer and a float.
int compare_ordered(const Value& a, const Value& b) noexcept {
  if (const int tags = compare(ordered_tag(a), ordered_tag(b)); tags != 0) return tags;
  if (a.type() != b.type()) return compare(number_of(a), number_of(b));
  return std::visit(
      [&](const auto& content) {
        using Content = std::decay_t<decltype(content)>;
        return Comparer{}(content, *std::get_if<Content>(&b.content()));
      },
      a.content());
}

}  // namespace cairn::codec
