// encode_vector and decode_vector.
//
// count:4 | check:4 | float:4 ...
//
// Truth, and the one value of the store that carries its own checksum: a flipped bit in a float is a
// slightly wrong neighbour for ever, which no decoder could see. 32 bits of XXH3 beside RocksDB's
// own block checksum.

#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "codec/record.hpp"

#include <bit>

namespace cairn::codec {
namespace {

constexpr std::size_t head_bytes = 8;

// Unlike a record, a damaged vector is still a vector: nothing but a checksum notices.
std::uint32_t vector_checksum(std::string_view floats) noexcept {
  return static_cast<std::uint32_t>(checksum(floats));
}

}  // namespace

std::string encode_vector(std::span<const float> components) {
  static_assert(std::endian::native == std::endian::little);
  // Floats are stored as they lie in memory; the assertion keeps other machines out at compile
  // time.
  const std::string_view floats(reinterpret_cast<const char*>(components.data()),
                                components.size_bytes());
  std::string out;
  out.reserve(head_bytes + floats.size());
  append_little(out, static_cast<std::uint32_t>(components.size()));
  append_little(out, vector_checksum(floats));
  return out.append(floats);
}

Result<std::vector<float>> decode_vector(std::string_view bytes) {
  ByteCursor cursor(bytes);
  const auto count = cursor.read_little<std::uint32_t>();
  const auto expected = cursor.read_little<std::uint32_t>();
  const std::string_view floats = cursor.rest();
  // The count must agree with the bytes before memory is taken for it.
  if (cursor.failed() || floats.size() != std::size_t{count} * sizeof(float))
    return corruption("a stored vector of " + std::to_string(count) + " components has " +
                      std::to_string(bytes.size()) + " bytes");
  if (vector_checksum(floats) != expected)
    return corruption("the checksum of a stored vector differs");
  std::vector<float> components(count);
  // Copied byte by byte, as they may lie at any address.
  floats.copy(reinterpret_cast<char*>(components.data()), floats.size());
  return components;
}

}  // namespace cairn::codec
