#pragma once
// Values of the language in PackStream, as Bolt 5.0 and later encode them.
//
// Structures, each by its tag: node 'N' {id, labels, properties, element id}; relationship 'R' {id,
// start, end, type, properties, element id, element ids of start and end}; unbound relationship 'r'
// {id, type, properties, element id}; path 'P' {nodes, relationships, indices}; date 'D' {days};
// time 'T' {nanoseconds, offset}; local time 't' {nanoseconds}; date and time 'I' {seconds UTC,
// nanoseconds, offset} or 'i' {seconds UTC, nanoseconds, zone}; local date and time 'd' {seconds,
// nanoseconds}; duration 'E' {months, days, seconds, nanoseconds}; since Bolt 6.0 vector 'V'
// {marker of the component type, components big-endian}. Element ids are those of elementId(): n5,
// r5.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::codec {

// PackStream is the serialization of the Bolt protocol: a marker byte, then lengths and numbers,
// big-endian.
//
// Source: the PackStream specification of Neo4j's Bolt manual, version 1. The functions further
// below write and read values of the language with it.

/// Appends items to bytes, each in its shortest form. A container consists of its header, then its
/// items; the items of a map are key, value, key, value.
class PackStreamWriter {
 public:
  explicit PackStreamWriter(std::string& bytes) noexcept : bytes_(bytes) {}

  void add_null();
  void add_boolean(bool value);
  void add_integer(std::int64_t value);
  void add_float(double value);
  void add_bytes(std::string_view bytes);
  /// Invalid UTF-8 is replaced by U+FFFD.
  void add_text(std::string_view text);
  /// Precondition for containers, texts and bytes: at most 2^32 - 1 items or bytes; a structure has
  /// at most 15 fields.
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

/// One decoded item. For a container it is the header; the items of the container follow.
struct PackStreamItem {
  PackStreamType type = PackStreamType::null;
  bool boolean = false;
  std::int64_t integer = 0;
  double floating = 0;
  std::string_view text;  ///< of a text or of bytes
  std::size_t size = 0;   ///< items of a list, entries of a map, fields of a structure
  std::uint8_t tag = 0;   ///< of a structure
};

/// Reads items one after the other. A size is checked against the remaining bytes before it is
/// used: a list of n items has at least n bytes after its header.
class PackStreamReader {
 public:
  explicit PackStreamReader(std::string_view bytes) noexcept : bytes_(bytes) {}

  /// Errors: invalid_argument with the position, for an unknown marker, invalid UTF-8 and truncated
  /// bytes.
  [[nodiscard]] Result<PackStreamItem> next();
  [[nodiscard]] bool is_at_end() const noexcept { return position_ == bytes_.size(); }
  [[nodiscard]] std::size_t position() const noexcept { return position_; }

 private:
  std::string_view bytes_;
  std::size_t position_ = 0;
};

/// How vectors are written. Bolt has a structure for vectors since version 6.0; before that, a
/// vector is sent as a list of floats.
enum class PackStreamVectors : bool { as_lists, as_structures };

/// Writes a value as clients read it. Invalid UTF-8 is replaced by U+FFFD. Recurses as deep as the
/// value is nested.
void write_value(PackStreamWriter& writer, const Value& value, PackStreamVectors vectors);

/// Writes a value without loss, for another process that uses this library. Invalid UTF-8 is
/// written as bytes. A node has its external id in place of the element id, a relationship is {id,
/// start, end, type, properties}, a path lists all its nodes and relationships, and a date and time
/// with a zone is {seconds UTC, nanoseconds, offset, zone}.
void write_whole_value(PackStreamWriter& writer, const Value& value);
/// Writes a text without loss, such as the key of a map.
void write_whole_text(PackStreamWriter& writer, std::string_view text);

/// Limits of read_value(), since a message of few bytes may describe a value of much memory and
/// many levels.
struct PackStreamLimits {
  std::size_t max_nesting_levels = 128;  ///< of lists, maps and structures
  /// Memory for values besides the bytes of the message: a list of a million nulls takes 56 MB.
  std::size_t memory_bytes = std::size_t{64} << 20;
  bool is_whole = false;  ///< the value comes from write_whole_value()
};

/// Returns the offset of a zone ("Europe/Berlin") at an instant (seconds since 1970 UTC), in
/// seconds east of UTC. Errors: invalid_argument for an unknown zone.
using ZoneOffset = Result<std::int32_t> (*)(std::string_view zone, std::int64_t instant);

/// Reads the next value. Refuses items that are not values of the language, by name: bytes, points,
/// a node or path from a client, an unknown structure. A vector of 4- or 8-byte floats or of
/// integers becomes a Vector.
///
/// `zone_offset` is only called for the structure 'i', which has no offset; query/functions has an
/// implementation. Precondition: it is not null. Errors: those of PackStreamReader::next();
/// type_error for an item that is not a value of the language; invalid_argument for a repeated key
/// in a map, a structure with a wrong number of fields, and a temporal value out of range;
/// resource_limit before a limit would be exceeded. After an error nothing more can be read.
[[nodiscard]] Result<Value> read_value(PackStreamReader& reader, const PackStreamLimits& limits,
                                       ZoneOffset zone_offset);

}  // namespace cairn::codec
