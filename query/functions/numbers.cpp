// Decimal rounding by text.
#include "query/functions/numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace cairn::query {

// round(1.005, 2) is 1.01, although the double nearest to 1.005 is slightly smaller: the shortest decimal text of the
// double is rounded, because the user wrote this text. Java's BigDecimal.valueOf(), which Neo4j uses, does the same.
// Cost: formatting and parsing the number once.

namespace {

/// The number 0.d1d2d3... * 10^exponent.
struct Decimal {
  std::string digits;
  std::int64_t exponent = 0;
};

/// Returns the shortest digits that are parsed as the same double.
Decimal decimal_of(double positive) {
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), positive,
                                 std::chars_format::scientific);
  const std::string text(buffer.data(), end.ptr);
  const std::size_t e = text.find('e');
  Decimal decimal{text.substr(0, e), std::stoll(text.substr(e + 1)) + 1};
  std::erase(decimal.digits, '.');
  return decimal;
}

/// Exact: std::from_chars() returns the nearest double.
double number_of(const Decimal& decimal) {
  const std::string text = "0." + decimal.digits + "e" + std::to_string(decimal.exponent);
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// True if `digits` must be increased by one in its last digit when `rest` is cut off. The digits describe the
/// magnitude: for a negative number, floor rounds away from zero.
bool rounds_up(const std::string& digits, std::string_view rest, bool negative, RoundingMode mode) {
  if (rest.find_first_not_of('0') == std::string_view::npos) return false;
  const bool is_half = rest[0] == '5' && rest.find_first_not_of('0', 1) == std::string_view::npos;
  const bool is_odd = !digits.empty() && (digits.back() - '0') % 2 == 1;
  switch (mode) {
    case RoundingMode::up:
      return true;
    case RoundingMode::down:
      return false;
    case RoundingMode::ceiling:
      return !negative;
    case RoundingMode::floor:
      return negative;
    case RoundingMode::half_up:
      return rest[0] >= '5';
    case RoundingMode::half_down:
      return rest[0] >= '5' && !is_half;
    case RoundingMode::half_even:
      return is_half ? is_odd : rest[0] >= '5';
  }
  return false;
}

/// Increments the digits. Returns true on overflow: 99 becomes 00.
bool increment(std::string& digits) {
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    if (*digit != '9') {
      ++*digit;
      return false;
    }
    *digit = '0';
  }
  return true;
}

}  // namespace

// Relies on the order of the enumerators.
std::optional<RoundingMode> parse_rounding_mode(std::string_view name) {
  constexpr std::string_view names[] = {"UP",      "DOWN",      "CEILING",  "FLOOR",
                                        "HALF_UP", "HALF_DOWN", "HALF_EVEN"};
  std::string upper(name);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  const auto* found = std::ranges::find(names, upper);
  if (found == std::end(names)) return std::nullopt;
  return static_cast<RoundingMode>(found - names);
}

// Cuts and increments decimal digits. Floating-point arithmetic would add rounding errors.
double round_decimal(double number, std::int64_t places, RoundingMode mode) {
  if (!std::isfinite(number) || number == 0) return number;
  places = std::clamp<std::int64_t>(places, -400, 400);  // beyond the digits of any double
  const bool negative = number < 0;
  Decimal decimal = decimal_of(std::fabs(number));
  const std::int64_t kept = decimal.exponent + places;
  const auto size = static_cast<std::int64_t>(decimal.digits.size());
  if (kept >= size) return number;
  // The cut is before the first digit; leading zeros make this an ordinary cut.
  if (kept < 0) decimal.digits.insert(0, static_cast<std::size_t>(-kept), '0');
  if (kept < 0) decimal.exponent -= kept;
  const auto cut = static_cast<std::size_t>(std::max<std::int64_t>(kept, 0));
  const std::string rest = decimal.digits.substr(cut);
  decimal.digits.resize(cut);
  if (rounds_up(decimal.digits, rest, negative, mode) && increment(decimal.digits)) {
    decimal.digits.insert(0, 1, '1');
    ++decimal.exponent;
  }
  const double rounded = decimal.digits.empty() ? 0 : number_of(decimal);
  return negative ? -rounded : rounded;
}

}  // namespace cairn::query
