// One order for int64 and double that is exact everywhere. Neither type holds the other: 2^53 + 1
// is not a double, 0.5 not an integer. A number becomes (greatest double that is not above it, what is
// left), which for doubles is (itself, 0); comparing the pairs compares the numbers.
//
// 2^53         (2^53, 0)           2^53 + 1     (2^53, 1)         2^53 + 2     (2^53 + 2, 0)
// 2^63 - 1     (2^63 - 1024, 1023)                                2.0^63       (2^63, 0)
//
// Infinities have a place at either end.
#include "codec/ordered_number.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace cairn::codec {
namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
constexpr double two_to_63 = 9'223'372'036'854'775'808.0;
// 2^63 - 1024, as doubles lie 1,024 apart there.
constexpr double largest_below_two_to_63 = 9'223'372'036'854'774'784.0;

// Conversion rounds to the nearest double, which may lie above; then the one below it is meant.
// What rounds to 2^63 cannot be converted back and is treated first.
double floor_to_double(std::int64_t value) noexcept {
  const auto nearest = static_cast<double>(value);
  if (nearest >= two_to_63) return largest_below_two_to_63;
  if (static_cast<std::int64_t>(nearest) <= value) return nearest;
  return std::nextafter(nearest, -std::numeric_limits<double>::infinity());
}

// Negative doubles sort downwards by their bits and before the positive ones: invert them.
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
  // The range is half open: -2^63 is an integer, 2^63 is not.
  const bool fits = floor >= -two_to_63 && floor < two_to_63 && std::trunc(floor) == floor;
  if (!fits) {
    const bool is_float = !std::isnan(floor) && number.remainder == 0;
    return is_float ? std::optional<Value>(floor) : std::nullopt;
  }
  // The remainder belongs to integers alone, and only up to the next double.
  const auto whole = static_cast<std::int64_t>(floor);
  if (whole > std::numeric_limits<std::int64_t>::max() - number.remainder) return std::nullopt;
  const std::int64_t value = whole + number.remainder;
  if (ordered_number(value) != number) return std::nullopt;  // -0, or a remainder beyond the gap
  return Value(value);
}

}  // namespace cairn::codec
