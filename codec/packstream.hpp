#pragma once
// PackStream, the serialization of the Bolt protocol: a marker byte, then lengths and numbers big-endian.
//
// Source: the PackStream specification of Neo4j's Bolt manual, version 1. Values of the language lie one level above,
// in packstream_values.hpp.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::codec {

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

/// One item as it stands in the bytes: a container's is its header, and its items follow.
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

}  // namespace cairn::codec
