#pragma once
// The components of a vector in order: bits that sort as unsigned numbers, one NaN above everything.

#include <bit>
#include <cstdint>

namespace cairn::codec {

[[nodiscard]] constexpr std::uint32_t sortable_bits(float value) noexcept {
  constexpr std::uint32_t sign_bit = 0x8000'0000;
  if (value != value) return 0xffff'ffff;
  const auto bits = std::bit_cast<std::uint32_t>(value == 0 ? 0.0F : value);
  return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}

[[nodiscard]] constexpr float float_of_sortable(std::uint32_t bits) noexcept {
  constexpr std::uint32_t sign_bit = 0x8000'0000;
  return std::bit_cast<float>((bits & sign_bit) != 0 ? bits ^ sign_bit : ~bits);
}

}  // namespace cairn::codec
