// Functions of numbers. Integers are read as floats except where the result may stay one.
// The C library's functions, in double precision; arguments outside of a function's domain give
// NaN, as in Java.

#include "query/functions/call.hpp"
#include "query/functions/function_entry.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/sequence.hpp"
#include "query/functions/temporal_operations.hpp"
#include "query/functions/value_forms.hpp"
#include "query/functions/value_semantics.hpp"

#include <cmath>
#include <limits>
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

// + - * / % ^ on numbers, texts, lists and temporal values. Integers never wrap around: a result
// outside 64 bits is an error.
// Null on either side makes null. Division of integers truncates toward zero and the remainder has
// the sign of the dividend, as in Java and so in Neo4j; by zero it is an error for integers,
// infinity or NaN for floats.

namespace {

/// An operator on numbers: how it is written and what it means for each type.
struct Operator {
  std::string_view sign;
  /// Nullopt where the result is not a 64-bit integer.
  std::optional<std::int64_t> (*integers)(std::int64_t, std::int64_t);
  double (*floats)(double, double);
};

// The only integer without a negative, which is why division can overflow.
constexpr auto smallest = std::numeric_limits<std::int64_t>::min();

std::optional<std::int64_t> add_integers(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}
std::optional<std::int64_t> subtract_integers(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}
std::optional<std::int64_t> multiply_integers(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}
// The divisor of these two is checked before.
std::optional<std::int64_t> divide_integers(std::int64_t a, std::int64_t b) {
  return a == smallest && b == -1 ? std::nullopt : std::optional(a / b);
}
std::optional<std::int64_t> remainder_of_integers(std::int64_t a, std::int64_t b) {
  return b == -1 ? 0 : a % b;
}

// One row an operator. `^` is not among them: it is always done in floats.
constexpr Operator plus{"+", add_integers, [](double a, double b) { return a + b; }};
constexpr Operator minus{"-", subtract_integers, [](double a, double b) { return a - b; }};
constexpr Operator times{"*", multiply_integers, [](double a, double b) { return a * b; }};
constexpr Operator over{"/", divide_integers, [](double a, double b) { return a / b; }};
constexpr Operator percent{"%", remainder_of_integers,
                           [](double a, double b) { return std::fmod(a, b); }};

/// The operation as the user would write it, for messages.
std::string written(const Value& a, std::string_view sign, const Value& b) {
  return shown(a) + " " + std::string(sign) + " " + shown(b);
}

/// What the values forbid, unlike their types: overflow and division by zero.
Error arithmetic_error(std::string_view problem, const Value& a, std::string_view sign,
                       const Value& b) {
  return {ErrorCode::invalid_argument,
          std::string(problem).append(": ").append(written(a, sign, b)),
          {}};
}

/// What the types forbid. Both are named, because either may be the wrong one.
Error type_error(const Value& a, std::string_view sign, const Value& b) {
  const auto name = [](const Value& x) { return std::string(to_string(x.type())); };
  return {ErrorCode::type_error,
          "there is no " + name(a) + " " + std::string(sign) + " " + name(b) + ": " +
              written(a, sign, b),
          {}};
}

/// Integers beyond 2^53 are rounded here; that is what mixing them with floats means.
double as_double(const Value& value) {
  const auto* integer = value.get_if<std::int64_t>();
  return integer ? static_cast<double>(*integer) : value.as_float();
}

/// Two integers stay integers; otherwise IEEE arithmetic, where dividing by zero is not an error.
/// Integer and float: float arithmetic, of an integer rounded to a double first.
Result<Value> on_numbers(const Operator& op, const Value& a, const Value& b) {
  const auto* x = a.get_if<std::int64_t>();
  const auto* y = b.get_if<std::int64_t>();
  if (!x || !y) return Value(op.floats(as_double(a), as_double(b)));
  const bool divides = op.integers == divide_integers || op.integers == remainder_of_integers;
  if (divides && *y == 0) return arithmetic_error("division by zero", a, op.sign, b);
  if (const auto result = op.integers(*x, *y)) return Value(*result);
  return arithmetic_error("integer overflow", a, op.sign, b);
}

/// The part that all operators share; `temporal` says what the operator means for temporal values.
Result<Value> apply(const Operator& op, const Value& a, const Value& b,
                    std::optional<Result<Value>> (*temporal)(const Value&, const Value&)) {
  if (a.is_null() || b.is_null()) return Value();
  if (a.is_number() && b.is_number()) return on_numbers(op, a, b);
  if (temporal)
    if (auto result = temporal(a, b)) return *std::move(result);
  return type_error(a, op.sign, b);
}

/// The text of one side of +, in place where it is one already. Nullopt where it has none.
std::optional<std::string_view> text_of(const Value& value, std::string& storage) {
  if (const std::string* text = value.string()) return *text;
  auto made = scalar_text(value);
  if (!made) return std::nullopt;
  storage = *std::move(made);
  return storage;
}

/// Made at once in its full length.
Result<Value> joined_texts(const Value& a, const Value& b) {
  std::string storage;
  const auto left = text_of(a, storage);
  const auto right = text_of(b, storage);
  if (!left || !right) return type_error(a, "+", b);
  std::string joined;
  joined.reserve(left->size() + right->size());
  return Value(std::move(joined.append(*left).append(*right)));
}

/// list + list, list + element, element + list.
Value concatenated(const Value& a, const Value& b) {
  const auto count = [](const Value& part) { return is_sequence(part) ? sequence_size(part) : 1; };
  List result;
  result.reserve(count(a) + count(b));
  const auto append = [&result](const Value& part) {
    List storage;
    const List* items = sequence_of(part, storage);
    if (items)
      result.insert(result.end(), items->begin(), items->end());
    else
      result.push_back(part);
  };
  append(a);
  append(b);
  return result;
}

}  // namespace

// A list on either side makes + a concatenation, before text is looked at: 'a' + [1] is ['a', 1].
// Text and a scalar make text: 'a' + 1 is 'a1'. Durations move points in time.
Result<Value> add(const Value& a, const Value& b) {
  if (a.is_null() || b.is_null()) return Value();
  if (is_sequence(a) || is_sequence(b)) return concatenated(a, b);
  if (a.string() || b.string()) return joined_texts(a, b);
  return apply(plus, a, b, add_temporal);
}

Result<Value> subtract(const Value& a, const Value& b) {
  return apply(minus, a, b, subtract_temporal);
}

Result<Value> multiply(const Value& a, const Value& b) {
  return apply(times, a, b, multiply_temporal);
}

Result<Value> divide(const Value& a, const Value& b) { return apply(over, a, b, divide_temporal); }

Result<Value> modulo(const Value& a, const Value& b) { return apply(percent, a, b, nullptr); }

// 2 ^ 3 is 8.0: the result is a float for integers too, as openCypher says.
// (-8) ^ (1/3.0) is NaN, as IEEE's pow has it.
Result<Value> power(const Value& a, const Value& b) {
  if (a.is_null() || b.is_null()) return Value();
  if (!a.is_number() || !b.is_number()) return type_error(a, "^", b);
  return Value(std::pow(as_double(a), as_double(b)));
}

// -x is 0 - x, except for floats, where 0 - 0.0 would lose the sign of zero.
Result<Value> negate(const Value& a) {
  if (a.type() == ValueType::duration) return multiply(a, Value(-1));
  if (!a.is_null() && !a.is_number())
    return Error{
        ErrorCode::type_error, "only numbers and durations are negated, not " + described(a), {}};
  if (const auto* number = a.get_if<double>()) return Value(-*number);
  return subtract(Value(0), a);
}

}  // namespace cairn::query
