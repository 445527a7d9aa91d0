// toInteger() and its kin. Text that is not a number gives null, a type that never can be one an
// error; the ...OrNull forms give null for both, the ...List forms convert element by element that
// way.
// Three forms of four conversions by one table. Texts are read whole: '12abc' is not a number and
// gives null. Nothing depends on a locale.

#include "query/functions/call.hpp"
#include "query/functions/function_entry.hpp"
#include "query/functions/growing.hpp"
#include "query/functions/sequence.hpp"
#include "query/functions/value_forms.hpp"

#include <charconv>
#include <cmath>

namespace cairn::query {
namespace {

/// What a conversion makes of one value; nullopt where the type is wrong.
using Conversion = std::optional<Value> (*)(const Value& value);

/// As Java's parsers do, on which the behaviour of Cypher rests.
std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// Of the words for what is not a number only those that values are written with: from_chars also takes
/// "inf" and "nan(x)", in any case of letters.
bool is_other_word(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return text.find_first_of("nN") != std::string_view::npos && text != "NaN" && text != "Infinity";
}

/// The whole text as a number, with an optional plus sign; null if it is not a number.
template <class Number>
Value parsed(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  if (is_other_word(text)) return {};
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? Value(number) : Value();
}

/// Toward zero; null where no 64-bit integer is near.
/// The limit is 2^63, which a double holds exactly; NaN fails both comparisons.
Value truncated(double number) {
  constexpr double limit = 9'223'372'036'854'775'808.0;
  if (!(number >= -limit && number < limit)) return {};
  return static_cast<std::int64_t>(number);
}

/// Text with a fraction is read as a number first: '2.9' gives 2.
/// '9223372036854775808' does not fit and gives null, after the float reading of it was refused as
/// well.
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

/// Booleans are refused: only integers have a boolean reading.
std::optional<Value> as_float(const Value& value) {
  if (value.type() == ValueType::floating) return value;
  if (const auto* number = value.get_if<std::int64_t>()) return Value(static_cast<double>(*number));
  if (const std::string* text = value.string()) return parsed<double>(*text);
  return std::nullopt;
}

/// Floats are refused: which of them would be true is a matter of taste.
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

/// Containers and entities are refused, although messages can show them.
std::optional<Value> as_string(const Value& value) {
  if (value.string() != nullptr) return value;
  auto text = scalar_text(value);
  return text ? std::optional<Value>(*std::move(text)) : std::nullopt;
}

/// A conversion that gives a text gives one no longer than it got, or a short one.
Status check_conversion(const Call& call, const Value& value) {
  return value.string() != nullptr ? call.room(value.string()->size()) : Status();
}

/// toX(): the wrong type is an error.
template <Conversion convert, FixedText expected>
Result<Value> strict(const Call& call) {
  CAIRN_TRY(check_conversion(call, call[0]));
  if (auto converted = convert(call[0])) return *std::move(converted);
  return call.wrong_type(0, expected.view());
}

/// toXOrNull(): the wrong type is null.
template <Conversion convert>
Result<Value> or_null(const Call& call) {
  CAIRN_TRY(check_conversion(call, call[0]));
  return convert(call[0]).value_or(Value());
}

/// toXList(): only what is not a list is an error.
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
