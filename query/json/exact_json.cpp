// For parameters of a command line and lines of an import: the reader itself would make a float of a large whole
// number without a word.
#include <cairn/json.hpp>

#include <charconv>
#include <cstdint>

namespace cairn {
namespace {

constexpr std::string_view digits = "0123456789";

/// Behind the string that begins at `at`.
std::size_t end_of_string(std::string_view json, std::size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at)
    if (json[at] == '\\') ++at;
  return at + 1;
}

bool is_too_large(std::string_view number) {
  if (number.find_first_of(".eE") != std::string_view::npos) return false;
  std::int64_t value = 0;
  return std::from_chars(number.data(), number.data() + number.size(), value).ec ==
         std::errc::result_out_of_range;
}

/// The first whole number that 64 bits cannot hold in a valid JSON text; empty if absent.
/// The text is valid JSON by then, so that strings and numbers are recognized by their first character.
std::string_view find_too_large(std::string_view json) {
  for (std::size_t at = 0; at < json.size();) {
    if (json[at] == '"') {
      at = end_of_string(json, at);
    } else if (json[at] == '-' || digits.find(json[at]) != std::string_view::npos) {
      const std::string_view rest = json.substr(at);
      const std::string_view number = rest.substr(0, rest.find_first_not_of("+-.0123456789eE"));
      if (is_too_large(number)) return number;
      at += number.size();
    } else {
      ++at;
    }
  }
  return {};
}

}  // namespace

// A whole number past 64 bits would be read as a float and lose digits, which an id must not.
Result<Value> parse_exact_json(std::string_view text) {
  CAIRN_ASSIGN(Value value, parse_json(text));
  const std::string_view number = find_too_large(text);
  if (number.empty()) return value;
  return Error{ErrorCode::invalid_argument,
               "the whole number " + std::string(number) +
                   " does not fit 64 bits: write it as a float (with .0) or as a string",
               std::nullopt};
}

}  // namespace cairn
