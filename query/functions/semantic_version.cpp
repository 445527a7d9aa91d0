// Semantic versions as lists, which the language already compares in the right order. A separate type of values would
// have to be added to files, clients and all tables of types.
#include "query/functions/semantic_version.hpp"

#include "query/functions/call.hpp"
#include "query/functions/function_entry.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

namespace cairn::query {
namespace {

bool is_digit_sign(char c) { return c >= '0' && c <= '9'; }

/// True for one or more letters, digits and hyphens.
bool is_identifier(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return is_digit_sign(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  });
}

/// Parses a whole number without leading zeros.
std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
  if (!is_whole || !is_digit_sign(text.front()) || (text.size() > 1 && text.front() == '0'))
    return std::nullopt;
  return number;
}

/// Returns the part before the first `sign` and removes both from `text`. Without a sign, returns the whole text.
std::string_view take_part(std::string_view& text, char sign) {
  const std::size_t end = std::min(text.find(sign), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

/// True if all parts between dots are identifiers.
bool are_identifiers(std::string_view text) {
  bool goes_on = true;
  while (goes_on) {
    goes_on = text.find('.') != std::string_view::npos;
    if (!is_identifier(take_part(text, '.'))) return false;
  }
  return true;
}

/// Numbers are ordered before words.
std::optional<Value> order_of_identifier(std::string_view text) {
  if (!std::ranges::all_of(text, is_digit_sign)) return Value(List{1, text});
  const auto number = whole_number(text);
  return number ? std::optional(Value(List{0, *number})) : std::nullopt;
}

/// Appends major, minor and patch.
bool append_numbers(std::string_view text, List& order) {
  if (std::ranges::count(text, '.') != 2) return false;
  for (int i = 0; i < 3; ++i) {
    const auto number = whole_number(take_part(text, '.'));
    if (!number) return false;
    order.emplace_back(*number);
  }
  return true;
}

/// Returns null for an invalid version and for a value that is not a text, because such values have no order.
Result<Value> version_order(const Call& call) {
  const std::string* text = call[0].string();
  if (text == nullptr) return Value();
  auto order = order_of_version(*text);
  return order ? Value(*std::move(order)) : Value();
}

}  // namespace

// Build metadata is checked and then cut off. A release gets 1 after its numbers, and a pre-release 0.
std::optional<List> order_of_version(std::string_view text) {
  constexpr std::size_t longest = 256;
  if (text.size() > longest) return std::nullopt;
  const std::size_t build = text.find('+');
  if (build != std::string_view::npos && !are_identifiers(text.substr(build + 1)))
    return std::nullopt;
  text = text.substr(0, build);
  const std::size_t hyphen = text.find('-');
  const bool is_release = hyphen == std::string_view::npos;
  List order;
  if (!append_numbers(text.substr(0, hyphen), order)) return std::nullopt;
  order.emplace_back(is_release ? 1 : 0);
  if (is_release) return order;
  text.remove_prefix(hyphen + 1);
  if (!are_identifiers(text)) return std::nullopt;
  while (!text.empty()) {
    auto identifier = order_of_identifier(take_part(text, '.'));
    if (!identifier) return std::nullopt;
    order.push_back(*std::move(identifier));
  }
  return order;
}

FunctionFamily version_functions() {
  static constexpr FunctionEntry functions[] = {entry<"version(text)", version_order>()};
  return functions;
}

}  // namespace cairn::query
