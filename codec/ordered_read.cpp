// read_ordered(): decodes encoded values. It is used where the index alone answers: counts by
// value, facets, and tests on texts. Memory is limited to a constant factor of the bytes, because
// every value takes at least a tag. Decoding is canonical: encoding the result gives the same
// bytes, because every other way to write a value is refused. `levels_` limits recursion to 128
// nested containers, the limit of stored values.

#include "codec/byte_io.hpp"
#include "codec/instant.hpp"
#include "codec/limits.hpp"
#include "codec/ordered_key.hpp"
#include "codec/ordered_number.hpp"

#include <limits>
#include <optional>
#include <utility>

namespace cairn::codec {
namespace {

using Read = std::optional<Value>;  // nullopt if the bytes are not an encoding

std::int64_t read_signed64(ByteCursor& cursor) noexcept {
  return unflip_sign(cursor.read_big<std::uint64_t>());
}

std::int32_t read_signed32(ByteCursor& cursor) noexcept {
  return static_cast<std::int32_t>(cursor.read_big<std::uint32_t>() ^ 0x8000'0000U);
}

std::int32_t read_fraction(ByteCursor& cursor) noexcept {
  return static_cast<std::int32_t>(cursor.read_big<std::uint32_t>());
}

/// Reads text up to its end mark and removes the escapes. A zero byte must be followed by 00 or ff,
/// so a text has exactly one form. Cost: linear.
std::string read_terminated(ByteCursor& cursor) {
  std::string text;
  for (;;) {
    const std::size_t zero = cursor.rest().find('\0');
    if (zero == std::string_view::npos) break;
    text.append(cursor.read_bytes(zero));
    const auto mark = cursor.read_big<std::uint16_t>();
    if (cursor.failed() || mark == 0) return text;
    if (mark != 0x00ff) break;
    text.push_back('\0');
  }
  cursor.fail();
  return {};
}

// Fields must be in the ranges of is_valid(): encoders write no others.
template <class T>
Read if_valid(const ByteCursor& cursor, T value) {
  if (cursor.failed() || !is_valid(value)) return std::nullopt;
  return Value(std::move(value));
}

/// Reads one value after the other; at most `levels` more nested containers may begin.
class Reader {
 public:
  explicit Reader(ByteCursor& cursor) noexcept : cursor_(cursor) {}
  Read read_value();

 private:
  Read read_body(OrderedTag tag);
  Read read_map();
  Read read_list();
  Read read_path();
  Read read_boolean();
  Read read_number();
  Read read_time();
  Read read_duration();
  Read read_date_time();
  Read read_vector();
  /// Skips the mark that ends a container and returns true, if it is next. Returns false at the end
  /// of the bytes; the next read then fails the cursor, so every loop ends.
  bool read_end_mark() {
    const bool at_end = !cursor_.rest().empty() && cursor_.rest().front() == '\0';
    if (at_end) (void)cursor_.read_byte();
    return at_end;
  }
  template <class T>
  Read unless_failed(T value) {
    return cursor_.failed() ? Read() : Read(Value(std::move(value)));
  }

  ByteCursor& cursor_;
  std::uint32_t levels_ = max_nesting_levels;
};

Read Reader::read_value() { return read_body(static_cast<OrderedTag>(cursor_.read_byte())); }

Read Reader::read_body(OrderedTag tag) {
  if (cursor_.failed()) return std::nullopt;
  switch (tag) {
    case OrderedTag::map:
      return read_map();
    case OrderedTag::node:
      return unless_failed(Node(NodeId{cursor_.read_big<std::uint64_t>()}));
    case OrderedTag::relationship:
      return unless_failed(Relationship(RelationshipId{cursor_.read_big<std::uint64_t>()}));
    case OrderedTag::list:
      return read_list();
    case OrderedTag::path:
      return read_path();
    case OrderedTag::date_time:
      return read_date_time();
    case OrderedTag::local_date_time: {
      const std::int64_t seconds = read_signed64(cursor_);
      return if_valid(cursor_, LocalDateTime{seconds, read_fraction(cursor_)});
    }
    case OrderedTag::date:
      return if_valid(cursor_, Date{read_signed64(cursor_)});
    case OrderedTag::time:
      return read_time();
    case OrderedTag::local_time:
      return if_valid(cursor_,
                      LocalTime{static_cast<std::int64_t>(cursor_.read_big<std::uint64_t>())});
    case OrderedTag::duration:
      return read_duration();
    case OrderedTag::vector:
      return read_vector();
    case OrderedTag::string:
      // A string may hold any bytes, so UTF-8 is not checked.
      return unless_failed(read_terminated(cursor_));
    case OrderedTag::boolean:
      return read_boolean();
    case OrderedTag::number:
      return read_number();
    case OrderedTag::not_a_number:
      return Value(std::numeric_limits<double>::quiet_NaN());
    case OrderedTag::null:
      return Value();
    case OrderedTag::long_string:
    case OrderedTag::unindexed_list:
      break;  // occurs only in the index, where the value cannot be restored
  }
  return std::nullopt;
}

// Reads all keys first, then the values.
Read Reader::read_map() {
  if (levels_ == 0) return std::nullopt;
  --levels_;
  Map map;
  while (!read_end_mark()) {
    const auto tag = static_cast<OrderedTag>(cursor_.read_byte());
    std::string key = read_terminated(cursor_);
    // Keys must ascend: encoders write them so, and another order would give a map two encodings.
    const bool ascends = map.empty() || std::prev(map.end())->first < key;
    if (cursor_.failed() || tag != OrderedTag::string || !ascends) return std::nullopt;
    map.emplace_hint(map.end(), std::move(key), Value());
  }
  for (auto& [key, value] : map) {
    Read read = read_value();
    if (!read) return std::nullopt;
    // The values follow in the order of the keys.
    value = std::move(*read);
  }
  ++levels_;
  return Value(std::move(map));
}

Read Reader::read_list() {
  if (levels_ == 0) return std::nullopt;
  --levels_;
  List list;
  while (!read_end_mark()) {
    Read item = read_value();
    if (!item) return std::nullopt;
    list.push_back(std::move(*item));
  }
  ++levels_;
  return Value(std::move(list));
}

Read Reader::read_path() {
  Path path;  // nodes and relationships alternate, beginning with a node
  while (!read_end_mark()) {
    const std::uint8_t mark = cursor_.read_byte();
    const auto id = cursor_.read_big<std::uint64_t>();
    if (cursor_.failed() || mark != 1) return std::nullopt;
    if (path.nodes.size() == path.relationships.size())
      path.nodes.emplace_back(NodeId{id});
    else
      path.relationships.emplace_back(RelationshipId{id});
  }
  const bool ends_in_node = path.nodes.size() > path.relationships.size();
  if (!ends_in_node && !path.nodes.empty()) return std::nullopt;
  return Value(std::move(path));
}

Read Reader::read_boolean() {
  const std::uint8_t byte = cursor_.read_byte();
  if (cursor_.failed() || byte > 1) return std::nullopt;
  return Value(byte == 1);
}

Read Reader::read_number() {
  const auto bits = cursor_.read_big<std::uint64_t>();
  const auto remainder = cursor_.read_big<std::uint16_t>();
  return cursor_.failed() ? std::nullopt : number_value({bits, remainder});
}

Read Reader::read_time() {
  const std::int64_t instant = read_signed64(cursor_);
  const std::int32_t offset = read_signed32(cursor_);
  // An instant is a time of day minus an offset of at most 18 hours: between -18 h and 42 h. The
  // bound keeps the sum below from overflowing.
  const std::int64_t bound = 2 * nanoseconds_per_day;
  if (instant < -bound || instant > bound) return std::nullopt;
  return if_valid(cursor_, Time{instant + offset * nanoseconds_per_second, offset});
}

Read Reader::read_duration() {
  const auto high = read_signed64(cursor_);
  const auto low = cursor_.read_big<std::uint64_t>();
  Duration value;
  value.nanoseconds = read_fraction(cursor_);
  value.months = read_signed64(cursor_);
  value.days = read_signed64(cursor_);
  // The high half of a valid length is small; any other would overflow the difference below.
  constexpr std::int64_t high_bound = std::int64_t{1} << 32;
  if (high < -high_bound || high > high_bound) return std::nullopt;
  const Int128 length = Int128{high} * (Int128{1} << 64) + low;
  const Int128 seconds = length - length_of(value);
  value.seconds = static_cast<std::int64_t>(seconds);
  if (value.seconds != seconds) return std::nullopt;
  return if_valid(cursor_, value);
}

Read Reader::read_date_time() {
  DateTime value;
  value.seconds = read_signed64(cursor_);
  value.nanoseconds = read_fraction(cursor_);
  value.offset_seconds = read_signed32(cursor_);
  value.zone = read_terminated(cursor_);
  return if_valid(cursor_, std::move(value));
}

// Memory is only allocated if enough bytes are left.
Read Reader::read_vector() {
  const auto dimension = cursor_.read_big<std::uint32_t>();
  if (cursor_.failed() || dimension > cursor_.rest().size() / sizeof(float)) return std::nullopt;
  std::vector<float> components(dimension);
  for (float& component : components) {
    const auto bits = cursor_.read_big<std::uint32_t>();
    component = float_of_sortable(bits);
    // Encoders write neither minus zero nor other NaNs.
    if (sortable_bits(component) != bits) return std::nullopt;
  }
  return Value(Vector(std::move(components)));
}

}  // namespace

Result<Value> read_ordered(std::string_view& bytes) {
  ByteCursor cursor(bytes);
  Read value = Reader(cursor).read_value();
  if (!value) {
    const std::size_t offset = bytes.size() - cursor.rest().size();
    return corruption("no encoded value fits these " + std::to_string(bytes.size()) +
                      " bytes; the first wrong byte is byte " + std::to_string(offset) +
                      " or before");
  }
  bytes = cursor.rest();
  return std::move(*value);
}

}  // namespace cairn::codec
