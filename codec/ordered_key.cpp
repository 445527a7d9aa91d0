// The encoder of index values, and of whatever must sort in a key. Not memcomparable copies of the
// types but one line for all of them, because a property may hold values of any type and ORDER BY
// has to rank them. The idea is that of FoundationDB's tuple layer: a type byte, a body that sorts,
// an end that sorts before any continuation.
//
// 'Ada'          50 | 41 64 61 | 00 00
// 'Ada\0'        50 | 41 64 61 00 ff | 00 00          above 'Ada': ff > 00
// 7              60 | c0 1c 00 00 00 00 00 00 | 00 00       a double, its sign bit set
// [7]            28 | 60 ... | 00
//
// Appended to a caller's buffer: keys are built of several parts, and one allocation serves for
// all. Cost: linear in the value. Nothing here fails; what may not be stored was refused before.
#include "codec/ordered_key.hpp"

#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "codec/ordered_float.hpp"
#include "codec/ordered_number.hpp"
#include "codec/temporal_order.hpp"

#include <array>
#include <bit>
#include <cmath>

namespace cairn::codec {
namespace {

void append_tag(std::string& out, OrderedTag tag) { out.push_back(static_cast<char>(tag)); }

void append_signed(std::string& out, std::int64_t value) { append_big(out, flip_sign(value)); }

void append_signed(std::string& out, std::int32_t value) {
  append_big(out, static_cast<std::uint32_t>(value) ^ 0x8000'0000U);
}

// The sign lies in the upper half alone.
void append_signed(std::string& out, Int128 value) {
  append_signed(out, static_cast<std::int64_t>(value >> 64));
  append_big(out, static_cast<std::uint64_t>(value));
}

// Never negative in a valid value, so its bits sort as they are.
void append_fraction(std::string& out, std::int32_t nanoseconds) {
  append_big(out, static_cast<std::uint32_t>(nanoseconds));
}

// A zero byte becomes 00 ff, above the end mark 00 00 and below every other byte: "a" < "a\0" <
// "a\1".
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

/// Appends what follows the tag.
struct Appender {
  std::string& out;

  // Null and NaN are their tags.
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
  // Keys first and values later: two maps differ by their keys before any value counts.
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
  // By the instant, then by the offset: two clocks that show one moment are different values.
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
  // A step's 01 is above the end's 00: the shorter path is first.
  void append_step(std::uint64_t id) const {
    out.push_back('\1');
    append_big(out, id);
  }
};

}  // namespace

OrderedTag ordered_tag(const Value& value) noexcept {
  using enum OrderedTag;
  // By ValueType.
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

// The key of a text of a megabyte has 83 bytes, at least: tag, 64 of prefix, end, 16 of hash; up to
// 147 where the prefix is zeros, which take two each. The cut may fall within a character of UTF-8:
// bytes are compared, and nobody decodes the prefix.
// What is cut off is in the hash; a range over the prefix finds candidates, equality needs both.
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

// Lists and maps are found by their hash.
bool index_value_needs_recheck(const Value& value) noexcept {
  const std::string* text = value.string();
  return value.list() || value.map() || (text && text->size() > max_indexed_string_bytes);
}

void append_string_prefix(std::string& out, OrderedTag tag, std::string_view prefix) {
  append_tag(out, tag);
  const bool is_cut = tag == OrderedTag::long_string;
  append_escaped(out, is_cut ? prefix.substr(0, long_string_prefix_bytes) : prefix);
}

// The whole container is encoded to be hashed: memory of its size for a moment, within
// max_value_bytes and its escapes.
// The encoding is canonical, so its hash is one of the value and not of how it was written.
std::string container_hash(const Value& value) {
  std::string whole;
  append_ordered(whole, value);
  const Hash128 hash = hash128(whole);
  std::string out;
  append_big(out, hash.high);
  append_big(out, hash.low);
  return out;
}

}  // namespace cairn::codec
