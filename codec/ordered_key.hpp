#pragma once
// Order-preserving encodings: comparing two encodings byte by byte compares the values, in the
// order of ORDER BY: map < node < relationship < list < path < temporals < vector < string <
// boolean < number < NaN < null. Integers and floats share one order, which is exact beyond 2^53;
// -0 equals 0. No encoding is a prefix of another, so more key bytes may follow it.
//
// value         := tag:u8 body
// map           := (string-value)* 00 value*        all keys in order, then their values
// node          := id:be64                          relationship likewise
// list          := value* 00                        tags are above 00, so the shorter list is first
// path          := (01 id:be64)* 00                 node, relationship, node, ...
// date_time     := seconds:s64 nanoseconds:be32 offset:s32 text
// local_date_time := seconds:s64 nanoseconds:be32
// date          := days:s64
// time          := instant:s64 offset:s32           nanoseconds since midnight UTC
// local_time    := nanoseconds:be64
// duration      := length:s128 nanoseconds:be32 months:s64 days:s64    length in seconds, with
//                                                   months of 2,629,746 seconds
// vector        := dimension:be32 (bits:be32)*      bits arranged as those of a number
// string        := text
// long_string   := text hash:be128                  text is the first 64 bytes; hash is XXH3 of all bytes
// boolean       := 00 | 01
// number        := bits:be64 remainder:be16         see ordered_number.hpp
// not_a_number, null :=                             no body
// text          := (byte | 00 ff)* 00 00            00 is escaped as 00 ff
// sN            := beN with the sign bit flipped

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::codec {

/// First byte of every encoded value. The numbers are stored on disk; the gaps are reserved for
/// later types.
enum class OrderedTag : std::uint8_t {
  map = 0x10,
  node = 0x18,
  relationship = 0x20,
  list = 0x28,
  unindexed_list = 0x2d,  ///< in presence entries only: a list without element entries
  path = 0x30,
  date_time = 0x38,
  local_date_time = 0x39,
  date = 0x3a,
  time = 0x3b,
  local_time = 0x3c,
  duration = 0x3d,
  vector = 0x48,
  string = 0x50,
  long_string = 0x51,
  boolean = 0x58,
  number = 0x60,
  not_a_number = 0x68,
  null = 0x70,
};

/// Strings longer than this are indexed by prefix and hash.
inline constexpr std::size_t max_indexed_string_bytes = 256;
inline constexpr std::size_t long_string_prefix_bytes = 64;

/// Returns the tag of a value; `string` for a string of any length.
[[nodiscard]] OrderedTag ordered_tag(const Value& value) noexcept;

/// Appends the encoding of any value. Containers are encoded with their elements.
void append_ordered(std::string& out, const Value& value);
/// Reads one value from the front of `bytes` and moves past it. Nodes and relationships have only
/// their ids. A number becomes an integer if it is whole and fits, else a float. Errors:
/// corruption.
[[nodiscard]] Result<Value> read_ordered(std::string_view& bytes);

/// Appends the index form of a scalar: as append_ordered(), except that a string longer than
/// max_indexed_string_bytes becomes a long_string.
void append_index_value(std::string& out, const Value& value);
/// True if equal index forms do not prove that the values are equal (long strings, container
/// hashes).
[[nodiscard]] bool index_value_needs_recheck(const Value& value) noexcept;
/// Appends the encoding of a string prefix, without an end mark. Every encoded string with that
/// prefix starts with these bytes. For the tag long_string the prefix is cut to what long strings
/// store, so the found strings need a recheck.
void append_string_prefix(std::string& out, OrderedTag tag, std::string_view prefix);

/// Compares two values as their encodings would, without encoding them: the order and equality of
/// the language. Returns a negative number, zero or a positive number.
[[nodiscard]] int compare_ordered(const Value& a, const Value& b) noexcept;

/// Returns a 128-bit hash of a whole list or map, equal for values that compare_ordered() finds
/// equal.
[[nodiscard]] std::string container_hash(const Value& value);

}  // namespace cairn::codec
