// Functions of numbers. Integers are read as floats except where the result may stay one.
// The C library's functions, in double precision; arguments outside of a function's domain give
// NaN, as in Java.

#include "query/functions/call.hpp"
#include "query/functions/function_entry.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/value_semantics.hpp"

#include <cmath>
#include <numbers>

namespace cairn::query {
namespace {

using Function = double (*)(double);

/// A function that is computed in floats. What has no value there (sqrt(-1), log(-1)) is NaN, and
/// what grows beyond all bounds infinite; neither is an error.
template <Function function>
Result<Value> on_float(const Call& call) {
  CAIRN_ASSIGN(const double x, call.number(0));
  return Value(function(x));
}

constexpr double degrees_per_radian = 180 / std::numbers::pi;

/// Half of 1 - cos: what distances on a sphere are computed with.
double haversin(double x) { return (1 - std::cos(x)) / 2; }
double cotangent(double x) { return 1 / std::tan(x); }
double hyperbolic_cotangent(double x) { return 1 / std::tanh(x); }
double degrees(double x) { return x * degrees_per_radian; }
double radians(double x) { return x / degrees_per_radian; }

/// Keeps the type. The smallest integer has no positive counterpart and is refused.
Result<Value> abs(const Call& call) {
  if (const auto* x = call[0].get_if<std::int64_t>()) return *x < 0 ? negate(call[0]) : call[0];
  CAIRN_ASSIGN(const double x, call.number(0));
  return Value(std::fabs(x));
}

/// An integer for any number, 0 for NaN.
Result<Value> sign(const Call& call) {
  CAIRN_ASSIGN(const double x, call.number(0));
  return Value((x > 0) - (x < 0));
}

/// The only way to find NaN, which is not even equal to itself.
Result<Value> is_nan(const Call& call) {
  CAIRN_ASSIGN(const double x, call.number(0));
  return Value(std::isnan(x));
}

/// The quadrant follows from whether each is negative, which the quotient alone would lose.
Result<Value> atan2(const Call& call) {
  CAIRN_ASSIGN(const double y, call.number(0));
  CAIRN_ASSIGN(const double x, call.number(1));
  return Value(std::atan2(y, x));
}

Result<Value> pi(const Call&) { return Value(std::numbers::pi); }
Result<Value> e(const Call&) { return Value(std::numbers::e); }

/// Without a precision halves go up, toward plus infinity; with one, away from zero.
/// Without a precision as Java's Math.round, with one as its BigDecimal: Neo4j has both.
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

// Both spellings of logarithm and ceiling are there: Cypher has one, GQL the other.
// Not within the function below, as these lambdas are arguments of templates.
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
