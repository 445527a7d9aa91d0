// PackStreamWriter and PackStreamReader: encoding and decoding of single items. A size is never
// trusted: the reader compares it with the remaining bytes before it returns a container.
#include "codec/packstream_values.hpp"

#include "codec/byte_io.hpp"
#include "codec/utf8.hpp"

#include <bit>
#include <cassert>
#include <type_traits>
#include <utility>

namespace cairn::codec {

// Markers, sizes and numbers. The upper four bits of a marker select the type. If the type has a
// tiny form, the lower four bits are the size.

namespace {

constexpr std::uint8_t null_marker = 0xc0;
constexpr std::uint8_t float_marker = 0xc1;
constexpr std::uint8_t false_marker = 0xc2;
constexpr std::uint8_t true_marker = 0xc3;
constexpr std::uint8_t integer_8_marker = 0xc8;
constexpr std::uint8_t integer_16_marker = 0xc9;
constexpr std::uint8_t integer_32_marker = 0xca;
constexpr std::uint8_t integer_64_marker = 0xcb;
constexpr std::uint8_t structure_marker = 0xb0;
/// A size up to this is a part of the marker.
constexpr std::size_t most_tiny_size = 15;
constexpr std::int64_t least_tiny_integer = -16;
constexpr std::int64_t most_tiny_integer = 127;

/// The markers of a type that has a size.
struct SizeMarkers {
  std::uint8_t tiny = 0;  ///< of sizes within the marker; 0 if the type has none
  std::uint8_t of_8 = 0;  ///< of one-byte sizes; 2- and 4-byte sizes have the next two
};

constexpr SizeMarkers byte_markers{0, 0xcc};
constexpr SizeMarkers text_markers{0x80, 0xd0};
constexpr SizeMarkers list_markers{0x90, 0xd4};
constexpr SizeMarkers map_markers{0xa0, 0xd8};

void append_marker(std::string& bytes, std::size_t marker) {
  bytes.push_back(static_cast<char>(static_cast<std::uint8_t>(marker)));
}

template <class Number>
void append_integer(std::string& bytes, std::uint8_t marker, std::int64_t value) {
  append_marker(bytes, marker);
  append_big(bytes, static_cast<Number>(value));
}

/// Writes a size in the shortest form: within the marker, or after it in 1, 2 or 4 bytes.
void append_size(std::string& bytes, const SizeMarkers& markers, std::size_t size) {
  assert(std::in_range<std::uint32_t>(size));
  if (markers.tiny != 0 && size <= most_tiny_size) return append_marker(bytes, markers.tiny | size);
  if (std::in_range<std::uint8_t>(size)) {
    append_marker(bytes, markers.of_8);
    append_big(bytes, static_cast<std::uint8_t>(size));
  } else if (std::in_range<std::uint16_t>(size)) {
    append_marker(bytes, markers.of_8 + 1U);
    append_big(bytes, static_cast<std::uint16_t>(size));
  } else {
    append_marker(bytes, markers.of_8 + 2U);
    append_big(bytes, static_cast<std::uint32_t>(size));
  }
}

/// Why bytes are not an item; empty if they are one, or if the cursor has failed.
using PackStreamFault = std::string;

/// Reads a size. `width` is 0, 1 or 2 for sizes of one, two and four bytes.
std::size_t take_size(ByteCursor& cursor, int width) {
  if (width == 0) return cursor.read_byte();
  return width == 1 ? cursor.read_big<std::uint16_t>() : cursor.read_big<std::uint32_t>();
}

PackStreamFault take_text(ByteCursor& cursor, std::size_t size, PackStreamItem& item) {
  item.type = PackStreamType::text;
  item.text = cursor.read_bytes(size);
  const std::size_t sound = utf8_prefix(item.text);
  if (sound == item.text.size()) return {};
  return "its text is not valid UTF-8 at byte " + std::to_string(sound);
}

/// Reads the size of a container. Each item has at least one byte, each entry of a map at least
/// two.
PackStreamFault take_container(const ByteCursor& cursor, PackStreamType type, std::size_t size,
                               PackStreamItem& item) {
  item.type = type;
  item.size = size;
  const std::uint64_t least_bytes = std::uint64_t{size} * (type == PackStreamType::map ? 2 : 1);
  if (cursor.failed() || least_bytes <= cursor.rest().size()) return {};
  return "its size is " + std::to_string(size) + ", but the bytes left are only " +
         std::to_string(cursor.rest().size());
}

PackStreamFault take_structure(ByteCursor& cursor, std::size_t size, PackStreamItem& item) {
  item.tag = cursor.read_byte();
  return take_container(cursor, PackStreamType::structure, size, item);
}

PackStreamFault unknown_marker(std::uint8_t marker) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string fault = "no value begins with 0x";
  fault.push_back(digits[marker >> 4]);
  fault.push_back(digits[marker & 0xf]);
  return fault;
}

void take_integer(std::int64_t value, PackStreamItem& item) {
  item.type = PackStreamType::integer;
  item.integer = value;
}

void take_boolean(bool value, PackStreamItem& item) {
  item.type = PackStreamType::boolean;
  item.boolean = value;
}

void take_float(ByteCursor& cursor, PackStreamItem& item) {
  item.type = PackStreamType::floating;
  item.floating = std::bit_cast<double>(cursor.read_big<std::uint64_t>());
}

template <class Number>
std::int64_t read_signed(ByteCursor& cursor) {
  return static_cast<Number>(cursor.read_big<std::make_unsigned_t<Number>>());
}

/// Reads a value that is its marker alone, or a number after the marker.
PackStreamFault take_scalar(ByteCursor& cursor, std::uint8_t marker, PackStreamItem& item) {
  switch (marker) {
    case null_marker:
      return {};
    case float_marker:
      return take_float(cursor, item), PackStreamFault();
    case false_marker:
    case true_marker:
      return take_boolean(marker == true_marker, item), PackStreamFault();
    case integer_8_marker:
      return take_integer(read_signed<std::int8_t>(cursor), item), PackStreamFault();
    case integer_16_marker:
      return take_integer(read_signed<std::int16_t>(cursor), item), PackStreamFault();
    case integer_32_marker:
      return take_integer(read_signed<std::int32_t>(cursor), item), PackStreamFault();
    case integer_64_marker:
      return take_integer(read_signed<std::int64_t>(cursor), item), PackStreamFault();
    default:
      return unknown_marker(marker);
  }
}

/// Reads an item with a marker from 0xC0 to 0xDF.
PackStreamFault take_large(ByteCursor& cursor, std::uint8_t marker, PackStreamItem& item) {
  const auto width_of = [marker](const SizeMarkers& kind) { return marker - kind.of_8; };
  const auto is_of = [&](const SizeMarkers& kind) {
    return width_of(kind) >= 0 && width_of(kind) <= 2;
  };
  if (is_of(text_markers))
    return take_text(cursor, take_size(cursor, width_of(text_markers)), item);
  if (is_of(list_markers)) {
    const std::size_t size = take_size(cursor, width_of(list_markers));
    return take_container(cursor, PackStreamType::list, size, item);
  }
  if (is_of(map_markers)) {
    const std::size_t size = take_size(cursor, width_of(map_markers));
    return take_container(cursor, PackStreamType::map, size, item);
  }
  if (!is_of(byte_markers)) return take_scalar(cursor, marker, item);
  item.type = PackStreamType::bytes;
  item.text = cursor.read_bytes(take_size(cursor, width_of(byte_markers)));
  return {};
}

/// Reads one item by the upper half of its marker. Markers of small integers are the integers
/// themselves.
PackStreamFault take_item(ByteCursor& cursor, PackStreamItem& item) {
  const std::uint8_t marker = cursor.read_byte();
  const std::size_t tiny_size = marker & most_tiny_size;
  switch (marker & 0xf0) {
    case text_markers.tiny:
      return take_text(cursor, tiny_size, item);
    case list_markers.tiny:
      return take_container(cursor, PackStreamType::list, tiny_size, item);
    case map_markers.tiny:
      return take_container(cursor, PackStreamType::map, tiny_size, item);
    case structure_marker:
      return take_structure(cursor, tiny_size, item);
    case 0xc0:
    case 0xd0:
      return take_large(cursor, marker, item);
    case 0xe0:
      return unknown_marker(marker);
    default:
      return take_integer(static_cast<std::int8_t>(marker), item), PackStreamFault();
  }
}

}  // namespace

void PackStreamWriter::add_null() { append_marker(bytes_, null_marker); }

void PackStreamWriter::add_boolean(bool value) {
  append_marker(bytes_, value ? true_marker : false_marker);
}

void PackStreamWriter::add_integer(std::int64_t value) {
  if (value >= least_tiny_integer && value <= most_tiny_integer)
    append_marker(bytes_, static_cast<std::uint8_t>(value));
  else if (std::in_range<std::int8_t>(value))
    append_integer<std::uint8_t>(bytes_, integer_8_marker, value);
  else if (std::in_range<std::int16_t>(value))
    append_integer<std::uint16_t>(bytes_, integer_16_marker, value);
  else if (std::in_range<std::int32_t>(value))
    append_integer<std::uint32_t>(bytes_, integer_32_marker, value);
  else
    append_integer<std::uint64_t>(bytes_, integer_64_marker, value);
}

void PackStreamWriter::add_float(double value) {
  append_marker(bytes_, float_marker);
  append_big(bytes_, std::bit_cast<std::uint64_t>(value));
}

void PackStreamWriter::add_bytes(std::string_view bytes) {
  append_size(bytes_, byte_markers, bytes.size());
  bytes_ += bytes;
}

// Clients refuse a whole message if one text is not valid UTF-8, so such text is repaired.
void PackStreamWriter::add_text(std::string_view text) {
  if (utf8_prefix(text) != text.size()) return add_text(repaired_utf8(text));
  append_size(bytes_, text_markers, text.size());
  bytes_ += text;
}

void PackStreamWriter::begin_list(std::size_t items) { append_size(bytes_, list_markers, items); }

void PackStreamWriter::begin_map(std::size_t entries) { append_size(bytes_, map_markers, entries); }

void PackStreamWriter::begin_structure(std::uint8_t tag, std::size_t fields) {
  assert(fields <= most_tiny_size);
  append_marker(bytes_, structure_marker | fields);
  append_marker(bytes_, tag);
}

// A failed cursor returns zeros, which look like valid items, so its failure is checked first.
Result<PackStreamItem> PackStreamReader::next() {
  ByteCursor cursor(bytes_.substr(position_));
  PackStreamItem item;
  PackStreamFault fault = take_item(cursor, item);
  if (cursor.failed()) fault = "the message ends within it";
  if (!fault.empty())
    return Error{ErrorCode::invalid_argument,
                 "the value at byte " + std::to_string(position_) +
                     " of a message is not valid PackStream: " + fault,
                 std::nullopt};
  position_ = bytes_.size() - cursor.rest().size();
  return item;
}

}  // namespace cairn::codec
