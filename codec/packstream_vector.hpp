#pragma once
// The components of a PackStream vector: adjacent numbers, big-endian.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::codec {

/// The type of the components, by the marker that a PackStream number of this type has.
enum class PackStreamComponent : std::uint8_t {
  float_64 = 0xc1,
  float_32 = 0xc6,
  integer_8 = 0xc8,
  integer_16 = 0xc9,
  integer_32 = 0xca,
  integer_64 = 0xcb,
};

/// Returns the bytes of one component; 0 for an unknown type.
[[nodiscard]] std::size_t component_width(PackStreamComponent type) noexcept;

/// Converts components of any type to floats; 4- and 8-byte numbers may be rounded.
/// Precondition: the type is known, and the bytes are whole components.
[[nodiscard]] std::vector<float> read_components(PackStreamComponent type, std::string_view bytes);
/// Returns the components as bytes of type float_32.
[[nodiscard]] std::string component_bytes(std::span<const float> components);

}  // namespace cairn::codec
