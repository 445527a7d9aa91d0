// Functions of numbers, computed in doubles by the C library. Some functions preserve integers. Arguments outside of
// the domain of a function give NaN, as in Java.

#include "query/functions/call.hpp"
#include "query/functions/function_entry.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/value_semantics.hpp"

#include <cmath>
#include <numbers>

namespace cairn::query {
namespace {

using Function = double (*)(double);

/// Makes a function of a float. A result such as sqrt(-1) is NaN, and an overflow is infinite; neither is an error.
template <Function function>
Result<Value> on_float(const Call& call) {
  CAIRN_ASSIGN(const double x, call.number(0));
  return Value(function(x));
}

constexpr double degrees_per_radian = 180 / std::numbers::pi;

/// Half of 1 - cos(x), used for distances on a sphere.
double haversin(double x) { return (1 - std::cos(x)) / 2; }
double cotangent(double x) { return 1 / std::tan(x); }
double hyperbolic_cotangent(double x) { return 1 / std::tanh(x); }
double degrees(double x) { return x * degrees_per_radian; }
double radians(double x) { return x / degrees_per_radian; }

/// Preserves the type. The smallest integer has no positive counterpart and is an error.
Result<Value> abs(const Call& call) {
  if (const auto* x = call[0].get_if<std::int64_t>()) return *x < 0 ? negate(call[0]) : call[0];
  CAIRN_ASSIGN(const double x, call.number(0));
  return Value(std::fabs(x));
}

/// Returns an integer; 0 for NaN.
Result<Value> sign(const Call& call) {
  CAIRN_ASSIGN(const double x, call.number(0));
  return Value((x > 0) - (x < 0));
}

/// The only way to detect NaN, since NaN does not equal itself.
Result<Value> is_nan(const Call& call) {
  CAIRN_ASSIGN(const double x, call.number(0));
  return Value(std::isnan(x));
}

/// Uses the signs of both arguments to find the quadrant, which the quotient alone would lose.
Result<Value> atan2(const Call& call) {
  CAIRN_ASSIGN(const double y, call.number(0));
  CAIRN_ASSIGN(const double x, call.number(1));
  return Value(std::atan2(y, x));
}

Result<Value> pi(const Call&) { return Value(std::numbers::pi); }
Result<Value> e(const Call&) { return Value(std::numbers::e); }

/// Without a precision, halves are rounded toward plus infinity, as Java's Math.round() does. With a precision,
/// halves are rounded away from zero by default, as BigDecimal does. Neo4j has both rules.
Result<Value> round(const Call& call) {
  CAIRN_ASSIGN(const double x, call.number(0));
  if (!call.has(1)) {
    const double below = std::floor(x);
    return Value(x - below >= 0.5 ? below + 1 : below);
  }
  CAIRN_ASSIGN(const std::int64_t places, call.integer(1));
  RoundingMode mode = RoundingMode::half_up;
  if (call.has(2)) {
    CAIRN_ASSIGN(const std::string* name, call.string(2));
    const auto chosen = parse_rounding_mode(*name);
    if (!chosen)
      return call.wrong_value(
          "the mode must be UP, DOWN, CEILING, FLOOR, HALF_UP, HALF_DOWN or HALF_EVEN, not " +
          shown(*name));
    mode = *chosen;
  }
  return Value(round_decimal(x, places, mode));
}

// Logarithm and ceiling have two names each: that of Cypher and that of GQL. The table is outside of the function,
// because the lambdas are template arguments.
constexpr FunctionEntry all_of_mathematics[] = {
    entry<"abs(number)", abs>(),
    entry<"acos(number)", on_float<[](double x) { return std::acos(x); }>>(),
    entry<"asin(number)", on_float<[](double x) { return std::asin(x); }>>(),
    entry<"atan(number)", on_float<[](double x) { return std::atan(x); }>>(),
    entry<"atan2(y, x)", atan2>(),
    entry<"ceil(number)", on_float<[](double x) { return std::ceil(x); }>>(),
    entry<"ceiling(number)", on_float<[](double x) { return std::ceil(x); }>>(),
    entry<"cos(number)", on_float<[](double x) { return std::cos(x); }>>(),
    entry<"cosh(number)", on_float<[](double x) { return std::cosh(x); }>>(),
    entry<"cot(number)", on_float<cotangent>>(),
    entry<"coth(number)", on_float<hyperbolic_cotangent>>(),
    entry<"degrees(number)", on_float<degrees>>(),
    entry<"e()", e>(),
    entry<"exp(number)", on_float<[](double x) { return std::exp(x); }>>(),
    entry<"floor(number)", on_float<[](double x) { return std::floor(x); }>>(),
    entry<"haversin(number)", on_float<haversin>>(),
    entry<"isNaN(number)", is_nan>(),
    entry<"ln(number)", on_float<[](double x) { return std::log(x); }>>(),
    entry<"log(number)", on_float<[](double x) { return std::log(x); }>>(),
    entry<"log10(number)", on_float<[](double x) { return std::log10(x); }>>(),
    entry<"pi()", pi>(),
    entry<"radians(number)", on_float<radians>>(),
    entry<"round(number, precision?, mode?)", round>(),
    entry<"sign(number)", sign>(),
    entry<"sin(number)", on_float<[](double x) { return std::sin(x); }>>(),
    entry<"sinh(number)", on_float<[](double x) { return std::sinh(x); }>>(),
    entry<"sqrt(number)", on_float<[](double x) { return std::sqrt(x); }>>(),
    entry<"tan(number)", on_float<[](double x) { return std::tan(x); }>>(),
    entry<"tanh(number)", on_float<[](double x) { return std::tanh(x); }>>(),
};

}  // namespace

FunctionFamily mathematical_functions() { return all_of_mathematics; }

}  // namespace cairn::query
