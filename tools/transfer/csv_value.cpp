// A shape is looked at before anything is parsed: most fields are texts.
#include "tools/transfer/csv_value.hpp"

#include <cairn/statement.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::tools {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "12", not "012" and not "".
bool is_plain_number(std::string_view text) {
  if (text.empty() || (text.size() > 1 && text.front() == '0')) return false;
  return std::ranges::all_of(text, is_digit);
}

std::optional<Value> integer(std::string_view text) {
  std::string_view digits = text;
  if (digits.starts_with('-')) digits.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = is_plain_number(digits) && error == std::errc() && text != "-0";
  return is_whole && end == text.data() + text.size() ? std::optional(Value(number)) : std::nullopt;
}

/// -12[.5][e+3], with a point or an exponent.
std::optional<Value> floating(std::string_view text) {
  std::string_view rest = text;
  if (rest.starts_with('-')) rest.remove_prefix(1);
  const std::size_t end_of_whole = rest.find_first_of(".eE");
  if (end_of_whole == rest.npos || !is_plain_number(rest.substr(0, end_of_whole))) return {};
  if (rest.find_first_not_of("0123456789", end_of_whole + 1) == rest.npos &&
      end_of_whole + 1 == rest.size())
    return {};  // "1." and "1e"
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return Value(number);
}

std::optional<Value> boolean(std::string_view text) {
  const auto is = [&](std::string_view word) {
    return std::ranges::equal(text, word,
                              [](unsigned char a, char b) { return std::tolower(a) == b; });
  };
  if (is("true")) return Value(true);
  if (is("false")) return Value(false);
  return std::nullopt;
}

/// 9 stands for any digit.
bool has_shape(std::string_view text, std::string_view shape) {
  return std::ranges::equal(text, shape,
                            [](char a, char b) { return b == '9' ? is_digit(a) : a == b; });
}

bool is_offset(std::string_view text) {
  return text == "Z" || has_shape(text, "+99:99") || has_shape(text, "-99:99");
}

/// 10:00, 10:00:00, 10:00:00.5
bool is_time(std::string_view text) {
  if (text.size() <= 8) return has_shape(text, "99:99") || has_shape(text, "99:99:99");
  const std::string_view fraction = text.substr(9);
  return has_shape(text.substr(0, 8), "99:99:99") && text[8] == '.' && !fraction.empty() &&
         fraction.size() <= 9 && std::ranges::all_of(fraction, is_digit);
}

/// The function that makes such a value of a text; none for any other text.
std::string_view temporal_function(std::string_view text) {
  constexpr std::size_t date_size = 10;
  if (!has_shape(text.substr(0, date_size), "9999-99-99")) return {};
  if (text.size() == date_size) return "date";
  if (text[date_size] != 'T') return {};
  const std::string_view behind = text.substr(date_size + 1);
  const std::size_t offset = behind.find_first_of("Z+-");
  if (!is_time(behind.substr(0, offset))) return {};
  if (offset == behind.npos) return "localdatetime";
  return is_offset(behind.substr(offset)) ? "datetime" : std::string_view();
}

/// The 30th of February has the shape of a date and is not one.
std::optional<Value> temporal(std::string_view text) {
  const std::string_view function = temporal_function(text);
  if (function.empty()) return std::nullopt;
  auto value = parse_literal(std::string(function) + "('" + std::string(text) + "')");
  return value ? std::optional(*std::move(value)) : std::nullopt;
}

}  // namespace

Value csv_value(const CsvField& field) {
  if (field.is_missing()) return {};
  const std::string_view text = field.text;
  for (const auto read : {integer, floating, boolean, temporal})
    if (auto value = read(text)) return *std::move(value);
  return Value(field.text);
}

}  // namespace cairn::tools
