// Literals: numbers, strings, true, false and null.
//
// Literals are parsed by hand for better error messages: 012, 1e, 0x and 12abc are reported as invalid numbers. A
// grammar would only list expected tokens. Floats are read by from_chars, which is exact and independent of the locale.
#include "query/syntax/terminals.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <charconv>

namespace cairn::query::grammar {
namespace {

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }

int hex_digit(char c) {
  if (is_decimal_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The forms of a number:
//
//    number   := '0x' hex+ | '0o' octal+ | digit+ | digit* '.' digit+ exponent? | digit+ exponent
//    exponent := [eE] [+-]? digit+

struct NumberText {
  Iterator digits = nullptr;  ///< after the prefix of the base
  Iterator end = nullptr;
  int base = 10;
  bool is_float = false;
};

Iterator skip_digits(Iterator at, Iterator last) {
  while (at != last && is_decimal_digit(*at)) ++at;
  return at;
}

/// Returns the end of the exponent at `at`, or `at` if there is no exponent. An e without a digit after it is a letter,
/// so take_number() refuses the number.
Iterator skip_exponent(Iterator at, Iterator last) {
  if (at == last || (*at != 'e' && *at != 'E')) return at;
  Iterator digits = at + 1;
  if (digits != last && (*digits == '+' || *digits == '-')) ++digits;
  const Iterator end = skip_digits(digits, last);
  return end != digits ? end : at;
}

/// Finds the extent of a number without reading its value. `.5` has no digits before the point. If a prefix such as
/// 0x has no digits after it, `digits == end`, and take_number() refuses it.
NumberText scan_number(Iterator at, Iterator last) {
  if (last - at > 2 && *at == '0' && (at[1] == 'x' || at[1] == 'o')) {
    const int base = at[1] == 'x' ? 16 : 8;
    Iterator end = at + 2;
    while (end != last && hex_digit(*end) >= 0 && hex_digit(*end) < base) ++end;
    return {at + 2, end, base, false};
  }
  NumberText number{at, skip_digits(at, last), 10, false};
  // 1..2 is a range, and 1.a is a property.
  if (last - number.end >= 2 && *number.end == '.' && is_decimal_digit(number.end[1])) {
    number.end = skip_digits(number.end + 1, last);
    number.is_float = true;
  }
  const Iterator end = skip_exponent(number.end, last);
  number.is_float = number.is_float || end != number.end;
  number.end = end;
  return number;
}

bool starts_number(Iterator at, Iterator last) {
  return at != last &&
         (is_decimal_digit(*at) || (*at == '.' && last - at > 1 && is_decimal_digit(at[1])));
}

/// For a number outside of a double's range, returns true if it is too large, and false if it is too near to zero.
bool is_above_one(const NumberText& number) {
  const std::string_view text(number.digits, static_cast<std::size_t>(number.end - number.digits));
  const std::size_t exponent_at = std::min(text.find_first_of("eE"), text.size());
  const std::string_view exponent = text.substr(std::min(exponent_at + 1, text.size()));
  if (exponent.starts_with('-')) return false;
  if (!exponent.empty()) return true;
  return text.find_first_of("123456789") < text.find('.');
}

/// A number too near to zero becomes 0.0, as in Java and therefore in Neo4j. A number that is too large is an error.
/// Infinity and NaN are names, see bind_expression.cpp.
ast::Literal float_literal(const ParseState& state, const NumberText& number) {
  double value = 0;
  const auto parsed = std::from_chars(number.digits, number.end, value);
  if (parsed.ec == std::errc::result_out_of_range && is_above_one(number)) {
    state.fail(number.digits, number.end, "this number is too large for a float");
  }
  return {value};
}

/// Accepts 2^63 because a minus may precede it. The binder refuses it without a minus.
ast::Literal integer_literal(const ParseState& state, Iterator at, const NumberText& number) {
  constexpr std::uint64_t most = std::uint64_t{1} << 63;
  ast::Integer result;
  const auto parsed = std::from_chars(number.digits, number.end, result.magnitude, number.base);
  if (parsed.ec != std::errc{} || result.magnitude > most) {
    state.fail(at, number.end, "this number is too large for a 64-bit integer");
  }
  return {result};
}

// Letters after a number belong to the error: 12abc is not 12 and a name. 010 is refused, because older versions of
// Cypher read it as octal.
ast::Literal take_number(const ParseState& state, Iterator& first, Iterator at) {
  const NumberText number = scan_number(at, state.end());
  const Iterator word_end = lexical::skip_name_rest(number.end, state.end());
  const bool has_zero_prefix =
      number.base == 10 && !number.is_float && number.end - at > 1 && *at == '0';
  if (word_end != number.end || number.digits == number.end || has_zero_prefix) {
    state.fail(at, word_end, "this is not a number");
  }
  first = number.end;
  return number.is_float ? float_literal(state, number) : integer_literal(state, at, number);
}

/// Reads `count` hexadecimal digits at `at`.
utf8proc_int32_t code_unit(const ParseState& state, Iterator escape, Iterator at, int count) {
  utf8proc_int32_t value = 0;
  for (int i = 0; i < count; ++i, ++at) {
    const int digit = at != state.end() ? hex_digit(*at) : -1;
    if (digit < 0) {
      state.fail(escape, at,
                 "\\" + std::string(1, escape[1]) + " needs " + std::to_string(count) +
                     " hexadecimal digits");
    }
    value = value * 16 + digit;
  }
  return value;
}

bool is_high_surrogate(utf8proc_int32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low_surrogate(utf8proc_int32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

/// Reads the code point of \uXXXX, \UXXXXXXXX or a pair of \uXXXX at `escape`, and moves `escape` after it. Pairs of
/// surrogates are accepted, since JSON encoders produce them. A single surrogate is refused, so every string is valid
/// UTF-8.
utf8proc_int32_t take_code_point(const ParseState& state, Iterator& escape) {
  const Iterator start = escape;
  const int digits = escape[1] == 'u' ? 4 : 8;
  utf8proc_int32_t value = code_unit(state, escape, escape + 2, digits);
  escape += 2 + digits;
  const bool has_second = state.end() - escape >= 2 && *escape == '\\' && escape[1] == 'u';
  if (digits == 4 && is_high_surrogate(value) && has_second) {
    const utf8proc_int32_t low = code_unit(state, escape, escape + 2, 4);
    if (is_low_surrogate(low)) {
      value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00);
      escape += 6;
    }
  }
  if (!utf8proc_codepoint_valid(value)) {
    state.fail(start, escape, "this escape is not a Unicode character");
  }
  return value;
}

/// Appends the code point as UTF-8.
void append_code_point(std::string& text, utf8proc_int32_t value) {
  utf8proc_uint8_t bytes[4];
  const auto count = utf8proc_encode_char(value, bytes);
  text.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
}

/// Appends the character of the escape at `at`, and moves `at` after it.
void take_escape(const ParseState& state, Iterator& at, std::string& text) {
  constexpr std::string_view escapes = "bfnrt\\'\"`";
  constexpr std::string_view meanings = "\b\f\n\r\t\\'\"`";
  if (at[1] == 'u' || at[1] == 'U') {
    append_code_point(text, take_code_point(state, at));
    return;
  }
  const auto found = escapes.find(at[1]);
  if (found == std::string_view::npos) {
    state.fail(at, at + 2, "there is no such escape; a backslash itself is written \\\\");
  }
  text += meanings[found];
  at += 2;
}

// `at` is the opening quote. `first` is moved past the closing one.
ast::Literal take_string(const ParseState& state, Iterator& first, Iterator at) {
  const Iterator end = lexical::skip_quoted(at, state.end());
  if (end == nullptr) {
    state.fail(at, at + 1, "this string has no closing " + std::string(1, *at));
  }
  std::string text;
  for (Iterator c = at + 1; c != end - 1;) {
    if (*c == '\\') {
      take_escape(state, c, text);
    } else {
      text += *c++;
    }
  }
  first = end;
  return {std::move(text)};
}

}  // namespace

std::optional<ast::Literal> take_literal(ParseState& state, Iterator& first) {
  const Iterator at = state.skip_blank(first);
  if (starts_number(at, state.end())) return take_number(state, first, at);
  if (at != state.end() && (*at == '\'' || *at == '"')) return take_string(state, first, at);
  if (take_keyword(state, first, "TRUE")) return ast::Literal{true};
  if (take_keyword(state, first, "FALSE")) return ast::Literal{false};
  if (take_keyword(state, first, "NULL")) return ast::Literal{ast::Null{}};
  return std::nullopt;
}

}  // namespace cairn::query::grammar
