// The operators + - * / % ^ on numbers, texts, lists and temporal values.
//
// Null on either side gives null. Integers never wrap: a result outside of 64 bits is an error. Integer division
// truncates toward zero, and the remainder has the sign of the dividend, as in Java and Neo4j. Division by zero is an
// error for integers, and infinity or NaN for floats.

#include "query/functions/call.hpp"
#include "query/functions/sequence.hpp"
#include "query/functions/temporal_operations.hpp"
#include "query/functions/value_forms.hpp"
#include "query/functions/value_semantics.hpp"

#include <cmath>
#include <limits>

namespace cairn::query {
namespace {

/// An operator on numbers: its symbol and its implementation for each type.
struct Operator {
  std::string_view sign;
  /// Returns nullopt if the result does not fit into 64 bits.
  std::optional<std::int64_t> (*integers)(std::int64_t, std::int64_t);
  double (*floats)(double, double);
};

// The smallest integer has no positive counterpart, so even a division can overflow.
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
// The caller has checked that the divisor of the next two functions is not 0.
std::optional<std::int64_t> divide_integers(std::int64_t a, std::int64_t b) {
  return a == smallest && b == -1 ? std::nullopt : std::optional(a / b);
}
std::optional<std::int64_t> remainder_of_integers(std::int64_t a, std::int64_t b) {
  return b == -1 ? 0 : a % b;
}

// One operator in each row. `^` is not here, because it always uses floats.
constexpr Operator plus{"+", add_integers, [](double a, double b) { return a + b; }};
constexpr Operator minus{"-", subtract_integers, [](double a, double b) { return a - b; }};
constexpr Operator times{"*", multiply_integers, [](double a, double b) { return a * b; }};
constexpr Operator over{"/", divide_integers, [](double a, double b) { return a / b; }};
constexpr Operator percent{"%", remainder_of_integers,
                           [](double a, double b) { return std::fmod(a, b); }};

/// Returns the operation as the user would write it, for messages.
std::string written(const Value& a, std::string_view sign, const Value& b) {
  return shown(a) + " " + std::string(sign) + " " + shown(b);
}

/// The error for values that an operation does not allow: overflow and division by zero.
Error arithmetic_error(std::string_view problem, const Value& a, std::string_view sign,
                       const Value& b) {
  return {ErrorCode::invalid_argument,
          std::string(problem).append(": ").append(written(a, sign, b)),
          {}};
}

/// The error for types that an operation does not allow. Names both types, because either may be the wrong one.
Error type_error(const Value& a, std::string_view sign, const Value& b) {
  const auto name = [](const Value& x) { return std::string(to_string(x.type())); };
  return {ErrorCode::type_error,
          "cannot compute " + name(a) + " " + std::string(sign) + " " + name(b) + ": " +
              written(a, sign, b),
          {}};
}

/// Converts a number to a float. Integers above 2^53 are rounded, which the language accepts for mixed types.
double as_double(const Value& value) {
  const auto* integer = value.get_if<std::int64_t>();
  return integer ? static_cast<double>(*integer) : value.as_float();
}

/// Two integers give an integer. Otherwise both become floats and IEEE arithmetic applies, which allows a division by
/// zero.
Result<Value> on_numbers(const Operator& op, const Value& a, const Value& b) {
  const auto* x = a.get_if<std::int64_t>();
  const auto* y = b.get_if<std::int64_t>();
  if (!x || !y) return Value(op.floats(as_double(a), as_double(b)));
  const bool divides = op.integers == divide_integers || op.integers == remainder_of_integers;
  if (divides && *y == 0) return arithmetic_error("division by zero", a, op.sign, b);
  if (const auto result = op.integers(*x, *y)) return Value(*result);
  return arithmetic_error("integer overflow", a, op.sign, b);
}

/// The common part of all operators. `temporal` implements the operator for temporal values, or is nullptr.
Result<Value> apply(const Operator& op, const Value& a, const Value& b,
                    std::optional<Result<Value>> (*temporal)(const Value&, const Value&)) {
  if (a.is_null() || b.is_null()) return Value();
  if (a.is_number() && b.is_number()) return on_numbers(op, a, b);
  if (temporal)
    if (auto result = temporal(a, b)) return *std::move(result);
  return type_error(a, op.sign, b);
}

/// Returns the text of one operand of +, or nullopt if it has none. Uses `storage` if the text must be made.
std::optional<std::string_view> text_of(const Value& value, std::string& storage) {
  if (const std::string* text = value.string()) return *text;
  auto made = scalar_text(value);
  if (!made) return std::nullopt;
  storage = *std::move(made);
  return storage;
}

/// Concatenates two texts with a single allocation.
Result<Value> joined_texts(const Value& a, const Value& b) {
  std::string storage;
  const auto left = text_of(a, storage);
  const auto right = text_of(b, storage);
  if (!left || !right) return type_error(a, "+", b);
  std::string joined;
  joined.reserve(left->size() + right->size());
  return Value(std::move(joined.append(*left).append(*right)));
}

/// Concatenates list + list, list + element or element + list.
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

// If one side is a list or vector, + concatenates lists: 'a' + [1] is ['a', 1]. If one side is a text, it concatenates
// texts: 'a' + 1 is 'a1'. Otherwise it adds numbers or temporal values.
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

// Always returns a float, as openCypher says: 2 ^ 3 is 8.0. (-8) ^ (1/3.0) is NaN, as std::pow() defines.
Result<Value> power(const Value& a, const Value& b) {
  if (a.is_null() || b.is_null()) return Value();
  if (!a.is_number() || !b.is_number()) return type_error(a, "^", b);
  return Value(std::pow(as_double(a), as_double(b)));
}

// -x is computed as 0 - x, except for floats: 0 - 0.0 would lose the sign of zero.
Result<Value> negate(const Value& a) {
  if (a.type() == ValueType::duration) return multiply(a, Value(-1));
  if (!a.is_null() && !a.is_number())
    return Error{
        ErrorCode::type_error, "only numbers and durations are negated, not " + described(a), {}};
  if (const auto* number = a.get_if<double>()) return Value(-*number);
  return subtract(Value(0), a);
}

}  // namespace cairn::query
