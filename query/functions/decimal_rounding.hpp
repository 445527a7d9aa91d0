#pragma once
// Rounding of floats at a decimal place, exactly as the shortest decimal form of the number reads:
// 1.005 rounds to 1.01 although the nearest float lies below it.

#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn::query {

enum class RoundingMode : std::uint8_t {
  up,         ///< away from zero
  down,       ///< toward zero
  ceiling,    ///< toward plus infinity
  floor,      ///< toward minus infinity
  half_up,    ///< to the nearest, halves away from zero
  half_down,  ///< to the nearest, halves toward zero
  half_even,  ///< to the nearest, halves to the even digit
};

/// "HALF_UP" and so on, in any case.
[[nodiscard]] std::optional<RoundingMode> parse_rounding_mode(std::string_view name);

/// `number` with `places` decimal places, which may be negative for tens and hundreds.
[[nodiscard]] double round_decimal(double number, std::int64_t places, RoundingMode mode);

}  // namespace cairn::query
