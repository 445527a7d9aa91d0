#pragma once
// The exact order of integers and floats: an integer beyond 2^53 is not rounded to compare it.

#include <cairn/value.hpp>

#include <cmath>
#include <cstdint>
#include <optional>

namespace cairn::query {
namespace detail {

/// `b` is no NaN.
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

}  // namespace cairn::query
