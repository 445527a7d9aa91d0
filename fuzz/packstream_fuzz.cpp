// Decodes a PackStream message of a client, or of another process of this library. It is refused,
// or its values survive writing and reading, and take no more memory than allowed.
//
// input := most:byte nesting:byte message
//
// `most` is the memory limit of values, in steps of 256 bytes, and `nesting` the limit of levels.
// Small limits let a short input reach them.

#include "codec/packstream_values.hpp"
#include "codec/value_extent.hpp"
#include "fuzz/support/expect.hpp"
#include "query/functions/time_zone.hpp"

#include <string>

namespace {

using namespace cairn;
using namespace cairn::codec;
using cairn::fuzz::expect;

std::string written(const Value& value, PackStreamVectors vectors) {
  std::string bytes;
  PackStreamWriter writer(bytes);
  write_value(writer, value, vectors);
  return bytes;
}

Result<Value> read(PackStreamReader& reader, const PackStreamLimits& limits) {
  return read_value(reader, limits, query::named_zone_offset);
}

/// Checks that each item ends after its start and within the message.
void check_items(std::string_view message) {
  PackStreamReader reader(message);
  while (!reader.is_at_end()) {
    const std::size_t before = reader.position();
    const auto item = reader.next();
    if (!item.has_value()) {
      expect(item.error().code == ErrorCode::invalid_argument && !item.error().message.empty());
      return;
    }
    expect(reader.position() > before && reader.position() <= message.size());
  }
}

/// Checks a value after writing it: the shortest form takes at most the bytes that were read and
/// the value's extent.
void check_again(const Value& value, std::size_t bytes_read) {
  const std::string bytes = written(value, PackStreamVectors::as_structures);
  expect(bytes.size() <= bytes_read + extent_of(value).bytes);
  PackStreamReader reader(bytes);
  const auto again = read(reader, {});
  expect(again.has_value() && reader.is_at_end(), value.to_text());
  expect(*again == value, value.to_text());
  expect(written(*again, PackStreamVectors::as_structures) == bytes, value.to_text());
  const std::string with_lists = written(value, PackStreamVectors::as_lists);
  PackStreamReader lists(with_lists);
  expect(read(lists, {}).has_value() && lists.is_at_end(), value.to_text());
}

std::string whole(const Value& value) {
  std::string bytes;
  PackStreamWriter writer(bytes);
  write_whole_value(writer, value);
  return bytes;
}

/// Reads the message as one of another process of this library. Zones have their offset, so no zone
/// is looked up.
void check_whole_values(std::string_view message, PackStreamLimits limits) {
  limits.is_whole = true;
  PackStreamReader reader(message);
  while (!reader.is_at_end()) {
    const auto value = read(reader, limits);
    if (!value.has_value()) {
      expect(!value.error().message.empty());
      return;
    }
    const Extent extent = extent_of(*value);
    expect(extent.bytes <= limits.memory_bytes, value->to_text());
    expect(extent.levels <= limits.max_nesting_levels, value->to_text());
    const std::string bytes = whole(*value);
    PackStreamReader again(bytes);
    PackStreamLimits none{static_cast<std::size_t>(-1), static_cast<std::size_t>(-1), true};
    const auto second = read(again, none);
    expect(second.has_value() && again.is_at_end(), value->to_text());
    expect(*second == *value && whole(*second) == bytes, value->to_text());
  }
}

void check_values(std::string_view message, const PackStreamLimits& limits) {
  PackStreamReader reader(message);
  while (!reader.is_at_end()) {
    const std::size_t before = reader.position();
    const auto value = read(reader, limits);
    if (!value.has_value()) {
      expect(!value.error().message.empty());
      return;
    }
    const Extent extent = extent_of(*value);
    expect(extent.bytes <= limits.memory_bytes, value->to_text());
    expect(extent.levels <= limits.max_nesting_levels, value->to_text());
    check_again(*value, reader.position() - before);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t most_bytes = 2'048;
  if (size < 2 || size > most_bytes) return -1;
  PackStreamLimits limits;
  limits.memory_bytes = std::size_t{data[0]} * 256;
  limits.max_nesting_levels = data[1] % 129U;
  const std::string_view message = cairn::fuzz::text_of(data + 2, size - 2);
  check_items(message);
  check_values(message, limits);
  check_whole_values(message, limits);
  return 0;
}
