#pragma once
// Rules for numbers: exact comparison, whole numbers and rounding.

#include <cairn/value.hpp>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn::query {

// Integers and floats are compared by exact value: an integer above 2^53 is not rounded.

namespace detail {

/// Compares an integer with a float that is not NaN.
[[nodiscard]] inline int compare_exactly(std::int64_t a, double b) noexcept {
  constexpr double limit =
      9'223'372'036'854'775'808.0;  // 2^63, the smallest float above all integers
  if (b >= limit) return -1;
  if (b < -limit) return 1;
  const double whole = std::trunc(b);
  const auto rounded = static_cast<std::int64_t>(whole);
  if (a != rounded) return a < rounded ? -1 : 1;
  return (whole > b) - (whole < b);
}

}  // namespace detail

/// Returns the value of an integer or float as a float.
[[nodiscard]] inline double float_of(const Value& number) noexcept {
  const auto* integer = number.get_if<std::int64_t>();
  return integer != nullptr ? static_cast<double>(*integer) : number.as_float();
}

/// True for any NaN, independent of its bits.
[[nodiscard]] inline bool is_nan(const Value& value) noexcept {
  const auto* number = value.get_if<double>();
  return number != nullptr && std::isnan(*number);
}

/// Returns a negative number, 0 or a positive number; nullopt if one of the values is NaN.
[[nodiscard]] inline std::optional<int> compare_numbers(const Value& a, const Value& b) noexcept {
  const auto* integer_a = a.get_if<std::int64_t>();
  const auto* integer_b = b.get_if<std::int64_t>();
  if (integer_a && integer_b) return (*integer_a > *integer_b) - (*integer_a < *integer_b);
  const double float_a = integer_a ? 0 : a.as_float();
  const double float_b = integer_b ? 0 : b.as_float();
  if (std::isnan(float_a) || std::isnan(float_b)) return std::nullopt;
  if (integer_a) return detail::compare_exactly(*integer_a, float_b);
  if (integer_b) return -detail::compare_exactly(*integer_b, float_a);
  return (float_a > float_b) - (float_a < float_b);
}

// Integer arguments also accept whole floats, because clients in JavaScript have no integers.

/// Returns an integer, or a float that is whole: 2 and 2.0, but not 2.5. Returns nullopt for all other values.
[[nodiscard]] inline std::optional<std::int64_t> whole_number(const Value& value) noexcept {
  if (const auto* integer = value.get_if<std::int64_t>()) return *integer;
  // 2^63, the smallest float above all integers.
  constexpr double end = 9'223'372'036'854'775'808.0;
  const auto* number = value.get_if<double>();
  if (number == nullptr || !(*number >= -end && *number < end)) return std::nullopt;
  const auto whole = static_cast<std::int64_t>(*number);
  if (static_cast<double>(whole) != *number) return std::nullopt;
  return whole;
}

// Rounding of floats at a decimal place, based on the shortest decimal text of the number: 1.005 is rounded to 1.01,
// although the nearest double is smaller.

enum class RoundingMode : std::uint8_t {
  up,         ///< away from zero
  down,       ///< toward zero
  ceiling,    ///< toward plus infinity
  floor,      ///< toward minus infinity
  half_up,    ///< to the nearest, halves away from zero
  half_down,  ///< to the nearest, halves toward zero
  half_even,  ///< to the nearest, halves to the even digit
};

/// Parses "HALF_UP" and so on, in any case.
[[nodiscard]] std::optional<RoundingMode> parse_rounding_mode(std::string_view name);

/// Rounds to `places` decimal places. Negative places round to tens, hundreds and so on.
[[nodiscard]] double round_decimal(double number, std::int64_t places, RoundingMode mode);

}  // namespace cairn::query
