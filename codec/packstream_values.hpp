#pragma once
// Values of the language in PackStream, as Bolt 5.0 and later send them.
//
// Node 'N' {id, labels, properties, element id}, relationship 'R' {id, start, end, type, properties, element id, start's,
// end's}, unbound relationship 'r' {id, type, properties, element id}, path 'P' {nodes, relationships, indices}, date 'D'
// {days}, time 'T' {nanoseconds, offset}, local time 't', date and time 'I' {seconds UTC, nanoseconds, offset} or 'i'
// {seconds UTC, nanoseconds, zone}, local date and time 'd', duration 'E' {months, days, seconds, nanoseconds}, and since
// 6.0 vector 'V' {marker of the component type, components big-endian}. Element ids are those of elementId(): n5, r5.

#include "codec/packstream.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::codec {

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
