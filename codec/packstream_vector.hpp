#pragma once
// The bytes of a vector in PackStream: its components one after the other, big-endian.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::codec {

/// The type of components: the marker that a number of it would have.
enum class PackStreamComponent : std::uint8_t {
  float_64 = 0xc1,
  float_32 = 0xc6,
  integer_8 = 0xc8,
  integer_16 = 0xc9,
  integer_32 = 0xca,
  integer_64 = 0xcb,
};

/// The bytes of one component; 0 for an unknown type.
[[nodiscard]] std::size_t component_width(PackStreamComponent type) noexcept;

/// Components of any type as floats, which rounds those of 4 and 8 bytes.
/// Precondition: the type is known, and the bytes are whole components.
[[nodiscard]] std::vector<float> read_components(PackStreamComponent type, std::string_view bytes);
/// The components as bytes of type float_32.
[[nodiscard]] std::string component_bytes(std::span<const float> components);

}  // namespace cairn::codec
