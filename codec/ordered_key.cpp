// Encodes values so that they sort bytewise, for index keys and other sort keys. All types share
// one order, because a property may hold values of any type and ORDER BY has to rank them. The
// scheme is that of FoundationDB's tuple layer: a type byte, a body that sorts, and an end mark
// that sorts before any continuation.
//
// 'Ada'          50 | 41 64 61 | 00 00
// 'Ada\0'        50 | 41 64 61 00 ff | 00 00          above 'Ada': ff > 00
// 7              60 | c0 1c 00 00 00 00 00 00 | 00 00       a double, its sign bit set
// [7]            28 | 60 ... | 00
//
// Encodings are appended to a caller's buffer, because keys consist of several parts. Cost: linear
// in the value. Encoding cannot fail; values that may not be stored are refused before.
#include "codec/ordered_key.hpp"

#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "codec/instant.hpp"
#include "codec/ordered_number.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <compare>
#include <tuple>

namespace cairn::codec {
namespace {

void append_tag(std::string& out, OrderedTag tag) { out.push_back(static_cast<char>(tag)); }

void append_signed(std::string& out, std::int64_t value) { append_big(out, flip_sign(value)); }

void append_signed(std::string& out, std::int32_t value) {
  append_big(out, static_cast<std::uint32_t>(value) ^ 0x8000'0000U);
}

// Only the upper half has the sign.
void append_signed(std::string& out, Int128 value) {
  append_signed(out, static_cast<std::int64_t>(value >> 64));
  append_big(out, static_cast<std::uint64_t>(value));
}

// The fraction of a valid value is never negative, so its bits sort as they are.
void append_fraction(std::string& out, std::int32_t nanoseconds) {
  append_big(out, static_cast<std::uint32_t>(nanoseconds));
}

// A zero byte becomes 00 ff, which sorts above the end mark 00 00 and below every other byte: "a" <
// "a\0" < "a\1".
void append_escaped(std::string& out, std::string_view text) {
  for (;;) {
    const std::size_t zero = text.find('\0');
    out.append(text.substr(0, zero));
    if (zero == std::string_view::npos) return;
    out.append("\0\xff", 2);
    text.remove_prefix(zero + 1);
  }
}

void append_end(std::string& out) { out.append("\0\0", 2); }

void append_terminated(std::string& out, std::string_view text) {
  append_escaped(out, text);
  append_end(out);
}

/// Appends the body of a value, which follows its tag.
struct Appender {
  std::string& out;

  // Null and NaN have no body.
  void operator()(std::monostate) const {}
  void operator()(bool value) const { out.push_back(value ? '\1' : '\0'); }
  void operator()(std::int64_t value) const { append_number(ordered_number(value)); }
  void operator()(double value) const {
    if (!std::isnan(value)) append_number(ordered_number(value));
  }
  void operator()(const std::string& text) const { append_terminated(out, text); }
  void operator()(const Value::ListPtr& list) const {
    for (const Value& item : *list) append_ordered(out, item);
    out.push_back('\0');
  }
  // Keys first, then values: maps are compared by all their keys before any value.
  void operator()(const Value::MapPtr& map) const {
    for (const auto& [key, value] : *map) {
      append_tag(out, OrderedTag::string);
      append_terminated(out, key);
    }
    out.push_back('\0');
    for (const auto& [key, value] : *map) append_ordered(out, value);
  }
  void operator()(const Node& node) const { append_big(out, node.id().value); }
  void operator()(const Relationship& relationship) const {
    append_big(out, relationship.id().value);
  }
  void operator()(const Value::PathPtr& path) const {
    for (std::size_t i = 0; i < path->nodes.size(); ++i) {
      append_step(path->nodes[i].id().value);
      if (i < path->relationships.size()) append_step(path->relationships[i].id().value);
    }
    out.push_back('\0');
  }
  void operator()(Date value) const { append_signed(out, value.days); }
  void operator()(LocalTime value) const {
    append_big(out, static_cast<std::uint64_t>(value.nanoseconds));
  }
  // By instant, then by offset: two clocks that show the same moment are different values.
  void operator()(Time value) const {
    append_signed(out, instant_of(value));
    append_signed(out, value.offset_seconds);
  }
  void operator()(LocalDateTime value) const {
    append_signed(out, value.seconds);
    append_fraction(out, value.nanoseconds);
  }
  void operator()(const DateTime& value) const {
    append_signed(out, value.seconds);
    append_fraction(out, value.nanoseconds);
    append_signed(out, value.offset_seconds);
    append_terminated(out, value.zone);
  }
  void operator()(const Duration& value) const {
    append_signed(out, length_of(value));
    append_fraction(out, value.nanoseconds);
    append_signed(out, value.months);
    append_signed(out, value.days);
  }
  void operator()(const Vector& vector) const {
    append_big(out, static_cast<std::uint32_t>(vector.dimension()));
    for (float component : vector.components()) append_big(out, sortable_bits(component));
  }

 private:
  void append_number(const OrderedNumber& number) const {
    append_big(out, number.bits);
    append_big(out, number.remainder);
  }
  // The mark 01 of a step sorts above the end mark 00, so a shorter path sorts before its
  // extensions.
  void append_step(std::uint64_t id) const {
    out.push_back('\1');
    append_big(out, id);
  }
};

}  // namespace

OrderedTag ordered_tag(const Value& value) noexcept {
  using enum OrderedTag;
  // Indexed by ValueType.
  static constexpr std::array<OrderedTag, 17> tags = {
      null, boolean, number,     number, string,          list,      map,      node,  relationship,
      path, date,    local_time, time,   local_date_time, date_time, duration, vector};
  const double* floating = value.get_if<double>();
  return floating && std::isnan(*floating) ? not_a_number
                                           : tags[static_cast<std::size_t>(value.type())];
}

void append_ordered(std::string& out, const Value& value) {
  append_tag(out, ordered_tag(value));
  std::visit(Appender{out}, value.content());
}

// The key of a long text has at least 83 bytes: tag, 64 of prefix, end mark, 16 of hash. It has up
// to 147 if the prefix consists of zeros, which take two bytes each. The cut may split a UTF-8
// character, because bytes are compared and the prefix is never decoded. A range over the prefix
// finds candidates; equality needs prefix and hash.
void append_index_value(std::string& out, const Value& value) {
  const std::string* text = value.string();
  if (text == nullptr || text->size() <= max_indexed_string_bytes) {
    append_ordered(out, value);
    return;
  }
  append_tag(out, OrderedTag::long_string);
  append_terminated(out, std::string_view(*text).substr(0, long_string_prefix_bytes));
  const Hash128 hash = hash128(*text);
  append_big(out, hash.high);
  append_big(out, hash.low);
}

// Lists and maps are indexed by their hash.
bool index_value_needs_recheck(const Value& value) noexcept {
  const std::string* text = value.string();
  return value.list() || value.map() || (text && text->size() > max_indexed_string_bytes);
}

void append_string_prefix(std::string& out, OrderedTag tag, std::string_view prefix) {
  append_tag(out, tag);
  const bool is_cut = tag == OrderedTag::long_string;
  append_escaped(out, is_cut ? prefix.substr(0, long_string_prefix_bytes) : prefix);
}

// Encodes the whole container to hash it, so it needs memory of about its size. The encoding is
// canonical, so equal values have equal hashes, however they were written.
std::string container_hash(const Value& value) {
  std::string whole;
  append_ordered(whole, value);
  const Hash128 hash = hash128(whole);
  std::string out;
  append_big(out, hash.high);
  append_big(out, hash.low);
  return out;
}

// compare_ordered(): the order of the encodings, without making them. Sorting, DISTINCT, grouping
// and aggregates compare values many times and would otherwise encode both sides each time. The
// rules are those of the encoding above, written a second time on purpose; a test compares the two
// for generated values.
//
// The order is total over all values, NaN and null included, so containers of the standard library
// may use it.

namespace {

int sign_of(std::strong_ordering order) noexcept { return order < 0 ? -1 : order > 0 ? 1 : 0; }

template <class T>
int compare(const T& a, const T& b) noexcept {
  return sign_of(a <=> b);
}

/// Compares element by element. If one range is a prefix of the other, the shorter is less.
template <class Range, class Compare>
int compare_ranges(const Range& a, const Range& b, Compare&& compare_items) noexcept {
  auto left = a.begin();
  auto right = b.begin();
  for (; left != a.end() && right != b.end(); ++left, ++right)
    if (const int order = compare_items(*left, *right); order != 0) return order;
  return compare(left != a.end(), right != b.end());
}

/// Converts integers and floats to their common order; neither type can represent all values of the
/// other.
OrderedNumber number_of(const Value& value) noexcept {
  return value.type() == ValueType::integer ? ordered_number(value.as_integer())
                                            : ordered_number(value.as_float());
}

/// Compares lengths by hand, because 128-bit integers have no <=> in strict mode.
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
    // The tags are equal, so either both are NaN or neither is.
    return std::isnan(a) ? 0 : compare(ordered_number(a), ordered_number(b));
  }
  int operator()(const std::string& a, const std::string& b) const noexcept {
    return compare(a, b);
  }
  // A list that is a prefix of another is less: its end mark 00 is below every tag. A list shared
  // by both sides is equal to itself, NaN included, and is not walked.
  int operator()(const Value::ListPtr& a, const Value::ListPtr& b) const noexcept {
    if (a == b) return 0;
    return compare_ranges(*a, *b, compare_ordered);
  }
  // All keys are compared before any value, as in the encoding.
  int operator()(const Value::MapPtr& a, const Value::MapPtr& b) const noexcept {
    if (a == b) return 0;
    const int keys = compare_ranges(
        *a, *b, [](const auto& x, const auto& y) { return compare(x.first, y.first); });
    if (keys != 0) return keys;
    return compare_ranges(
        *a, *b, [](const auto& x, const auto& y) { return compare_ordered(x.second, y.second); });
  }
  // Compares ids only: two versions of a node are equal, whatever changed between them.
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

// Compares node, relationship, node, and so on. If one path is a prefix of the other, the shorter
// is less.
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

// If tags are equal and types differ, the values are an integer and a float.
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
