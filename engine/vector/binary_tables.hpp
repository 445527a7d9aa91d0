#pragma once
// BinaryTables: a query as tables of lookups over one bit a component, which is what 1-bit codes are
// scored with (lookup_kernels.hpp). And numbers of 16 bits: the upper halves of floats.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::engine {

/// dot(weights, signs) = offset + unit * sum of lookups, about.
struct BinaryTables {
  static constexpr std::size_t components_of_byte = 8;

  /// Of rows of `bytes` of bits, a set bit for what is above 0. Cost: half a microsecond for each
  /// 100 components.
  BinaryTables(std::span<const float> weights, std::size_t bytes);

  std::vector<std::uint8_t> bytes;
  float unit = 1;
  float offset = 0;
  float length = 0;  ///< of the weights
};

/// What a vector has besides its bits: rest = factor * sign(rest) + error, the factor being such that
/// the product of signs and rest is right. 0 for a rest of nothing.
[[nodiscard]] float sign_factor(std::span<const float> rest) noexcept;

[[nodiscard]] constexpr std::uint16_t to_half(float value) noexcept {
  return static_cast<std::uint16_t>((std::bit_cast<std::uint32_t>(value) + 0x8000) >> 16);
}
[[nodiscard]] constexpr float from_half(std::uint16_t half) noexcept {
  return std::bit_cast<float>(std::uint32_t{half} << 16);
}

}  // namespace cairn::engine
