#pragma once
// Numbers as the language takes them: their order, which of them are whole, how they are rounded
// and summed.

#include <cairn/value.hpp>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn::query {

// The exact order of integers and floats: an integer beyond 2^53 is not rounded to compare it.

namespace detail {

/// Precondition: `b` is not NaN.
[[nodiscard]] inline int compare_exactly(std::int64_t a, double b) noexcept {
  constexpr double limit =
      9'223'372'036'854'775'808.0;  // 2^63, the first float above every integer
  if (b >= limit) return -1;
  if (b < -limit) return 1;
  const double whole = std::trunc(b);
  const auto rounded = static_cast<std::int64_t>(whole);
  if (a != rounded) return a < rounded ? -1 : 1;
  return (whole > b) - (whole < b);
}

}  // namespace detail

/// The value of a number of either type.
[[nodiscard]] inline double float_of(const Value& number) noexcept {
  const auto* integer = number.get_if<std::int64_t>();
  return integer != nullptr ? static_cast<double>(*integer) : number.as_float();
}

/// All NaNs count as one, whatever their bits.
[[nodiscard]] inline bool is_nan(const Value& value) noexcept {
  const auto* number = value.get_if<double>();
  return number != nullptr && std::isnan(*number);
}

/// Negative, zero or positive for two numbers of any type; nullopt if one of them is NaN.
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

// Where the language wants an integer and takes a float that is one: clients written in JavaScript have no other
// numbers.

/// The integer that a value is, or that a float is exactly: 2 and 2.0, not 2.5. Nullopt for all else.
[[nodiscard]] inline std::optional<std::int64_t> whole_number(const Value& value) noexcept {
  if (const auto* integer = value.get_if<std::int64_t>()) return *integer;
  constexpr double end = 9'223'372'036'854'775'808.0;  // 2^63, the first float beyond the integers
  const auto* number = value.get_if<double>();
  if (number == nullptr || !(*number >= -end && *number < end)) return std::nullopt;
  const auto whole = static_cast<std::int64_t>(*number);
  if (static_cast<double>(whole) != *number) return std::nullopt;
  return whole;
}

// A sum of floats that carries its rounding error along (Neumaier, 1974), so that the order and the
// number of the addends hardly matter.

class ExactSum {
 public:
  /// What the addition has rounded away is remembered; the smaller addend is the one that lost digits.
  void add(double number) noexcept {
    const double sum = sum_ + number;
    const bool sum_is_larger = std::fabs(sum_) >= std::fabs(number);
    error_ += sum_is_larger ? (sum_ - sum) + number : (number - sum) + sum_;
    sum_ = sum;
  }

  /// An infinite sum has no error term: it would be infinity minus infinity.
  [[nodiscard]] double total() const noexcept { return std::isfinite(sum_) ? sum_ + error_ : sum_; }

 private:
  double sum_ = 0;
  double error_ = 0;
};

// Rounding of floats at a decimal place, exactly as the shortest decimal form of the number reads:
// 1.005 rounds to 1.01 although the nearest float lies below it.

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
