// Converts vector components between PackStream and floats. Vectors are stored as floats whatever
// type a client sends.
#include "codec/packstream_vector.hpp"

#include "codec/byte_io.hpp"

#include <bit>
#include <cstring>

namespace cairn::codec {
namespace {

// A wider component is rounded, because vectors hold floats of 32 bits.
float read_component(ByteCursor& cursor, PackStreamComponent type) noexcept {
  switch (type) {
    case PackStreamComponent::integer_8:
      return static_cast<std::int8_t>(cursor.read_byte());
    case PackStreamComponent::integer_16:
      return static_cast<std::int16_t>(cursor.read_big<std::uint16_t>());
    case PackStreamComponent::integer_32:
      return static_cast<float>(static_cast<std::int32_t>(cursor.read_big<std::uint32_t>()));
    case PackStreamComponent::integer_64:
      return static_cast<float>(static_cast<std::int64_t>(cursor.read_big<std::uint64_t>()));
    case PackStreamComponent::float_32:
      return std::bit_cast<float>(cursor.read_big<std::uint32_t>());
    case PackStreamComponent::float_64:
      break;
  }
  return static_cast<float>(std::bit_cast<double>(cursor.read_big<std::uint64_t>()));
}

static_assert(std::endian::native == std::endian::little);

// Most vectors are of this type.
std::vector<float> read_floats(std::string_view bytes) {
  std::vector<float> components(bytes.size() / sizeof(float));
  for (std::size_t i = 0; i < components.size(); ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * sizeof bits, sizeof bits);
    components[i] = std::bit_cast<float>(__builtin_bswap32(bits));
  }
  return components;
}

}  // namespace

std::size_t component_width(PackStreamComponent type) noexcept {
  switch (type) {
    case PackStreamComponent::integer_8:
      return 1;
    case PackStreamComponent::integer_16:
      return 2;
    case PackStreamComponent::float_32:
    case PackStreamComponent::integer_32:
      return 4;
    case PackStreamComponent::float_64:
    case PackStreamComponent::integer_64:
      return 8;
  }
  return 0;
}

std::vector<float> read_components(PackStreamComponent type, std::string_view bytes) {
  if (type == PackStreamComponent::float_32) return read_floats(bytes);
  std::vector<float> components(bytes.size() / component_width(type));
  ByteCursor cursor(bytes);
  for (float& component : components) component = read_component(cursor, type);
  return components;
}

std::string component_bytes(std::span<const float> components) {
  std::string bytes(components.size_bytes(), '\0');
  for (std::size_t i = 0; i < components.size(); ++i) {
    const std::uint32_t bits = __builtin_bswap32(std::bit_cast<std::uint32_t>(components[i]));
    std::memcpy(bytes.data() + i * sizeof bits, &bits, sizeof bits);
  }
  return bytes;
}

}  // namespace cairn::codec
