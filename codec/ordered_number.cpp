// One exact order for int64 and double. Neither type can represent all values of the other: 2^53 +
// 1 is not a double, and 0.5 is not an integer. A number becomes a pair: the greatest double that
// is not above it, and the remainder. A double becomes (itself, 0). Comparing the pairs compares
// the numbers.
//
// 2^53         (2^53, 0)           2^53 + 1     (2^53, 1)         2^53 + 2     (2^53 + 2, 0)
// 2^63 - 1     (2^63 - 1024, 1023)                                2.0^63       (2^63, 0)
//
// Infinities sort at both ends.
#include "codec/ordered_number.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace cairn::codec {
namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
constexpr double two_to_63 = 9'223'372'036'854'775'808.0;
// 2^63 - 1024: doubles are 1,024 apart there.
constexpr double largest_below_two_to_63 = 9'223'372'036'854'774'784.0;

// Conversion rounds to the nearest double. If that is above the integer, the next lower double is
// returned. A result of 2^63 cannot be converted back, so this case is handled first.
double floor_to_double(std::int64_t value) noexcept {
  const auto nearest = static_cast<double>(value);
  if (nearest >= two_to_63) return largest_below_two_to_63;
  if (static_cast<std::int64_t>(nearest) <= value) return nearest;
  return std::nextafter(nearest, -std::numeric_limits<double>::infinity());
}

// The bits of negative doubles sort in descending order, and above positive ones; inverting them
// corrects both.
std::uint64_t sortable(double value) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
  return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}

double unsorted(std::uint64_t bits) noexcept {
  return std::bit_cast<double>((bits & sign_bit) != 0 ? bits ^ sign_bit : ~bits);
}

}  // namespace

OrderedNumber ordered_number(std::int64_t value) noexcept {
  const double floor = floor_to_double(value);
  return {sortable(floor), static_cast<std::uint16_t>(value - static_cast<std::int64_t>(floor))};
}

OrderedNumber ordered_number(double value) noexcept { return {sortable(value), 0}; }

std::optional<Value> number_value(const OrderedNumber& number) noexcept {
  const double floor = unsorted(number.bits);
  // The range is half open: -2^63 is a 64-bit integer, 2^63 is not.
  const bool fits = floor >= -two_to_63 && floor < two_to_63 && std::trunc(floor) == floor;
  if (!fits) {
    const bool is_float = !std::isnan(floor) && number.remainder == 0;
    return is_float ? std::optional<Value>(floor) : std::nullopt;
  }
  // Only an integer can have a remainder, and it is below the gap to the next double.
  const auto whole = static_cast<std::int64_t>(floor);
  if (whole > std::numeric_limits<std::int64_t>::max() - number.remainder) return std::nullopt;
  const std::int64_t value = whole + number.remainder;
  if (ordered_number(value) != number) return std::nullopt;  // -0, or a remainder beyond the gap
  return Value(value);
}

}  // namespace cairn::codec
