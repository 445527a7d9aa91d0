// + - * / % ^ on numbers, texts, lists and temporal values. Integers never wrap around: a result
// outside 64 bits is an error.
// Null on either side makes null. Division of integers truncates toward zero and the remainder has
// the sign of the dividend, as in Java and so in Neo4j; by zero it is an error for integers,
// infinity or NaN for floats.

#include "query/functions/call.hpp"
#include "query/functions/sequence.hpp"
#include "query/functions/temporal_operations.hpp"
#include "query/functions/value_forms.hpp"
#include "query/functions/value_semantics.hpp"

#include <cmath>
#include <limits>

namespace cairn::query {
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
