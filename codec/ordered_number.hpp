#pragma once
// Integers and floats on one line: every number is a double, rounded toward minus infinity, and what
// an integer is above it. The remainder is below 1,024, the gap between doubles next to 2^63.

#include <cairn/value.hpp>

#include <bit>
#include <compare>
#include <cstdint>
#include <optional>

namespace cairn::codec {

struct OrderedNumber {
  std::uint64_t bits = 0;  ///< of the double, arranged to sort as an unsigned number
  std::uint16_t remainder = 0;
  friend auto operator<=>(const OrderedNumber&, const OrderedNumber&) = default;
};

[[nodiscard]] OrderedNumber ordered_number(std::int64_t value) noexcept;
/// -0 gives what 0 gives. Not for NaN, which has no place on the line.
[[nodiscard]] OrderedNumber ordered_number(double value) noexcept;
/// An integer where the number is whole and fits, else a float; absent where no number has this form.
[[nodiscard]] std::optional<Value> number_value(const OrderedNumber& number) noexcept;

// The components of a vector in order: bits that sort as unsigned numbers, one NaN above everything.

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
