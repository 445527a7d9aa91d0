#pragma once
// Values of the language in PackStream, as Bolt 5.0 and later send them.
//
// Node 'N' {id, labels, properties, element id}, relationship 'R' {id, start, end, type, properties, element id, start's,
// end's}, unbound relationship 'r' {id, type, properties, element id}, path 'P' {nodes, relationships, indices}, date 'D'
// {days}, time 'T' {nanoseconds, offset}, local time 't', date and time 'I' {seconds UTC, nanoseconds, offset} or 'i'
// {seconds UTC, nanoseconds, zone}, local date and time 'd', duration 'E' {months, days, seconds, nanoseconds}, and since
// 6.0 vector 'V' {marker of the component type, components big-endian}. Element ids are those of elementId(): n5, r5.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::codec {

// PackStream, the serialization of the Bolt protocol: a marker byte, then lengths and numbers big-endian.
//
// Source: the PackStream specification of Neo4j's Bolt manual, version 1. Values of the language lie one level above:
// they are written and read by the functions below.

/// Appends items to bytes, each in its shortest form. Of a container the header comes first, then its items: a map's
/// are key, value, key, value.
class PackStreamWriter {
 public:
  explicit PackStreamWriter(std::string& bytes) noexcept : bytes_(bytes) {}

  void add_null();
  void add_boolean(bool value);
  void add_integer(std::int64_t value);
  void add_float(double value);
  void add_bytes(std::string_view bytes);
  /// What is no UTF-8 gets U+FFFD in its place.
  void add_text(std::string_view text);
  /// Precondition of these and the two before: at most 2^32 - 1 items or bytes, of a structure at most 15.
  void begin_list(std::size_t items);
  void begin_map(std::size_t entries);
  void begin_structure(std::uint8_t tag, std::size_t fields);

 private:
  std::string& bytes_;
};

enum class PackStreamType : std::uint8_t {
  null,
  boolean,
  integer,
  floating,
  bytes,
  text,
  list,
  map,
  structure,
};

/// One item as it is in the bytes: a container's is its header, and its items follow.
struct PackStreamItem {
  PackStreamType type = PackStreamType::null;
  bool boolean = false;
  std::int64_t integer = 0;
  double floating = 0;
  std::string_view text;  ///< of a text and of bytes
  std::size_t size = 0;   ///< items of a list, entries of a map, fields of a structure
  std::uint8_t tag = 0;   ///< of a structure
};

/// Reads items one after the other. Lengths are checked against the bytes that are left before anything is believed:
/// a list of n items has at least n bytes behind its header.
class PackStreamReader {
 public:
  explicit PackStreamReader(std::string_view bytes) noexcept : bytes_(bytes) {}

  /// Errors: invalid_argument for an unknown marker, text that is no UTF-8 and what is cut off, with the position.
  [[nodiscard]] Result<PackStreamItem> next();
  [[nodiscard]] bool is_at_end() const noexcept { return position_ == bytes_.size(); }
  [[nodiscard]] std::size_t position() const noexcept { return position_; }

 private:
  std::string_view bytes_;
  std::size_t position_ = 0;
};

/// Below 6.0 there is no structure for a vector: it is a list of floats.
enum class PackStreamVectors : bool { as_lists, as_structures };

/// Text that is no UTF-8 gets U+FFFD in its place. Recurses as deep as the value is nested.
void write_value(PackStreamWriter& writer, const Value& value, PackStreamVectors vectors);

/// As processes of this library write values to each other, so that nothing is lost. Text that is no UTF-8 is bytes, a node
/// has its external id in place of the element id, a relationship is {id, start, end, type, properties}, a path has all its
/// nodes and relationships one after the other, and a date and time with a zone {seconds UTC, nanoseconds, offset, zone}.
void write_whole_value(PackStreamWriter& writer, const Value& value);
/// A text of it, such as the key of a map.
void write_whole_text(PackStreamWriter& writer, std::string_view text);

struct PackStreamLimits {
  std::size_t max_nesting_levels = 128;  ///< lists, maps and structures inside of each other
  /// Of values beside their bytes: a list of a million nulls takes 56 MB.
  std::size_t memory_bytes = std::size_t{64} << 20;
  bool is_whole = false;  ///< what write_whole_value() wrote
};

/// How many seconds east of UTC the clocks of a zone ("Europe/Berlin") are at an instant, in seconds since 1970 UTC.
/// Errors: invalid_argument for an unknown zone.
using ZoneOffset = Result<std::int32_t> (*)(std::string_view zone, std::int64_t instant);

/// The next value. What has no place in the language (bytes, points, a node or path from a client, an unknown
/// structure) is refused by name. A vector of floats of 4 or 8 bytes or of integers is a Vector.
///
/// `zone_offset` is asked for the structure 'i' alone, which has no offset of its own; query/functions has one.
/// Precondition: it is not null.
/// Errors: as of PackStreamReader::next(); type_error for a value that the language has not; invalid_argument for a
/// map with a key twice, a structure of other fields than it has, and a temporal value out of its range;
/// resource_limit beyond a limit, before the memory is taken. After an error nothing more can be read.
[[nodiscard]] Result<Value> read_value(PackStreamReader& reader, const PackStreamLimits& limits,
                                       ZoneOffset zone_offset);

}  // namespace cairn::codec
