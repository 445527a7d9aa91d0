// What all functions share: typed access to arguments, and error messages with the function, the argument and its
// value.
#include "query/functions/call.hpp"

#include "codec/value_text.hpp"
#include "query/functions/numbers.hpp"

namespace cairn::query {
namespace {

/// Returns the article, "a " or "an ", which is correct for all type names.
std::string_view article(std::string_view noun) noexcept {
  return noun.find_first_of("aeiou") == 0 ? "an " : "a ";
}

}  // namespace

// Cuts long values, because a property may be a megabyte of text. Cuts between characters.
std::string shown(const Value& value) {
  constexpr std::size_t most_bytes = 60;
  return codec::beginning_of_text(value, most_bytes);
}

std::string described(const Value& value) {
  if (value.is_null()) return "null";
  const std::string_view type = to_string(value.type());
  return std::string(article(type)) + std::string(type) + ": " + shown(value);
}

// Messages count arguments from 1.
Error Call::wrong_type(std::size_t i, std::string_view expected) const {
  return {ErrorCode::type_error,
          std::string(name) + "() needs " + std::string(expected) + " as argument " +
              std::to_string(i + 1) + ", got " + described(arguments[i]),
          {}};
}

// For a value of the right type that is invalid, such as a negative length or an unknown mode.
Error Call::wrong_value(std::string_view problem) const {
  return {ErrorCode::invalid_argument, std::string(name) + "(): " + std::string(problem), {}};
}

Result<const std::string*> Call::string(std::size_t i) const {
  if (const std::string* text = arguments[i].string()) return text;
  return wrong_type(i, "a string");
}

Result<std::int64_t> Call::integer(std::size_t i) const {
  if (const auto number = whole_number(arguments[i])) return *number;
  return wrong_type(i, "an integer");
}

// The only implicit conversion of scalar arguments: an integer is accepted where a float is expected.
Result<double> Call::number(std::size_t i) const {
  if (const auto* number = arguments[i].get_if<double>()) return *number;
  if (const auto* number = arguments[i].get_if<std::int64_t>()) return static_cast<double>(*number);
  return wrong_type(i, "a number");
}

Result<const Map*> Call::map(std::size_t i) const {
  if (const Map* map = arguments[i].map()) return map;
  return wrong_type(i, "a map");
}

}  // namespace cairn::query
