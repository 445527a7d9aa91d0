// Conversions: toInteger() and its variants.
//
// toX() returns null for a text that cannot be converted, and an error for a type that cannot. toXOrNull() returns
// null for both. toXList() converts elements as toXOrNull() does. A text must be a number as a whole: '12abc' gives
// null. No conversion depends on the locale.

#include "query/functions/call.hpp"
#include "query/functions/function_entry.hpp"
#include "query/functions/growing.hpp"
#include "query/functions/sequence.hpp"
#include "query/functions/value_forms.hpp"

#include <charconv>
#include <cmath>

namespace cairn::query {
namespace {

/// Converts one value. Returns nullopt for a wrong type.
using Conversion = std::optional<Value> (*)(const Value& value);

/// Removes blanks around a text. Neo4j does so too, because Java's parsers do.
std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// True for words that std::from_chars() accepts but the language does not. Only "NaN" and "Infinity" are valid;
/// from_chars() also accepts "inf" and "nan(x)" in any case.
bool is_other_word(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return text.find_first_of("nN") != std::string_view::npos && text != "NaN" && text != "Infinity";
}

/// Parses the whole text as a number, with an optional plus sign. Returns null if it is not a number.
template <class Number>
Value parsed(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  if (is_other_word(text)) return {};
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? Value(number) : Value();
}

/// Truncates toward zero. Returns null for NaN and for numbers outside of 64 bits. The limit 2^63 is exact as a
/// double.
Value truncated(double number) {
  constexpr double limit = 9'223'372'036'854'775'808.0;
  if (!(number >= -limit && number < limit)) return {};
  return static_cast<std::int64_t>(number);
}

/// A text with a fraction is parsed as a float first: '2.9' gives 2. '9223372036854775808' gives null, because the
/// float does not fit into 64 bits either.
std::optional<Value> as_integer(const Value& value) {
  if (value.type() == ValueType::integer) return value;
  if (const auto* number = value.get_if<double>()) return truncated(*number);
  if (const auto* truth = value.get_if<bool>()) return Value(*truth ? 1 : 0);
  const std::string* text = value.string();
  if (!text) return std::nullopt;
  const Value whole = parsed<std::int64_t>(*text);
  if (!whole.is_null()) return whole;
  const Value number = parsed<double>(*text);
  return number.is_null() ? Value() : truncated(number.as_float());
}

/// Refuses booleans; toInteger() is the only function that converts them to a number.
std::optional<Value> as_float(const Value& value) {
  if (value.type() == ValueType::floating) return value;
  if (const auto* number = value.get_if<std::int64_t>()) return Value(static_cast<double>(*number));
  if (const std::string* text = value.string()) return parsed<double>(*text);
  return std::nullopt;
}

/// Refuses floats, because no rule for them would be obvious.
std::optional<Value> as_boolean(const Value& value) {
  if (value.type() == ValueType::boolean) return value;
  if (const auto* number = value.get_if<std::int64_t>()) return Value(*number != 0);
  const std::string* text = value.string();
  if (!text) return std::nullopt;
  constexpr std::size_t longest_word = 5;
  const std::string_view word = trimmed(*text);
  if (word.size() > longest_word) return Value();
  std::string lower(word);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (lower != "true" && lower != "false") return Value();
  return Value(lower == "true");
}

/// Refuses containers and entities, although messages can show them.
std::optional<Value> as_string(const Value& value) {
  if (value.string() != nullptr) return value;
  auto text = scalar_text(value);
  return text ? std::optional<Value>(*std::move(text)) : std::nullopt;
}

/// Checks the memory for the result: a text is at most as long as the source text, and other results are short.
Status check_conversion(const Call& call, const Value& value) {
  return value.string() != nullptr ? call.room(value.string()->size()) : Status();
}

/// toX(): a wrong type is an error.
template <Conversion convert, FixedText expected>
Result<Value> strict(const Call& call) {
  CAIRN_TRY(check_conversion(call, call[0]));
  if (auto converted = convert(call[0])) return *std::move(converted);
  return call.wrong_type(0, expected.view());
}

/// toXOrNull(): a wrong type gives null.
template <Conversion convert>
Result<Value> or_null(const Call& call) {
  CAIRN_TRY(check_conversion(call, call[0]));
  return convert(call[0]).value_or(Value());
}

/// toXList(): only an argument that is not a list is an error.
template <Conversion convert>
Result<Value> each(const Call& call) {
  List storage;
  const List* items = sequence_of(call[0], storage);
  if (!items) return call.wrong_type(0, "a list");
  GrowingList converted(call.context.limits);
  CAIRN_TRY(converted.reserve(items->size()));
  for (const Value& item : *items) {
    CAIRN_TRY(check_conversion(call, item));
    CAIRN_TRY(converted.add(convert(item).value_or(Value())));
  }
  return converted.take();
}

}  // namespace

FunctionFamily conversion_functions() {
  static constexpr FunctionEntry functions[] = {
      entry<"toBoolean(value)", strict<as_boolean, "a boolean, an integer or a string">>(),
      entry<"toBooleanList(list)", each<as_boolean>>(),
      entry<"toBooleanOrNull(value)", or_null<as_boolean>>(),
      entry<"toFloat(value)", strict<as_float, "a number or a string">>(),
      entry<"toFloatList(list)", each<as_float>>(),
      entry<"toFloatOrNull(value)", or_null<as_float>>(),
      entry<"toInteger(value)", strict<as_integer, "a number, a boolean or a string">>(),
      entry<"toIntegerList(list)", each<as_integer>>(),
      entry<"toIntegerOrNull(value)", or_null<as_integer>>(),
      entry<"toString(value)",
            strict<as_string, "a string, a number, a boolean or a temporal value">>(),
      entry<"toStringList(list)", each<as_string>>(),
      entry<"toStringOrNull(value)", or_null<as_string>>(),
  };
  return functions;
}

}  // namespace cairn::query
