#pragma once
// One order for integers and floats: a number is a double, rounded toward minus infinity, and the
// remainder that an integer has above that double. The remainder is below 1,024, the gap between
// doubles next to 2^63.

#include <cairn/value.hpp>

#include <bit>
#include <compare>
#include <cstdint>
#include <optional>

namespace cairn::codec {

/// A number as it is ordered: by `bits`, then by `remainder`. Equal integers and floats have the
/// same form.
struct OrderedNumber {
  std::uint64_t bits = 0;  ///< of the double, arranged so that they sort as an unsigned number
  std::uint16_t remainder = 0;
  friend auto operator<=>(const OrderedNumber&, const OrderedNumber&) = default;
};

[[nodiscard]] OrderedNumber ordered_number(std::int64_t value) noexcept;
/// Returns the same for -0 and 0. Precondition: not NaN, which has no place in the order.
[[nodiscard]] OrderedNumber ordered_number(double value) noexcept;
/// Returns an integer if the number is whole and fits, else a float. Returns nullopt if no number
/// has this form.
[[nodiscard]] std::optional<Value> number_value(const OrderedNumber& number) noexcept;

// The components of a vector as bits that sort as unsigned numbers; all NaN values become one,
// above everything else.

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
