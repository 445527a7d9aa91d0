#pragma once
// What function bodies share: `Call`, which reads arguments and reports their errors, and `entry`, which makes a
// registry entry from a signature such as "substring(text, start, length?)". Name and number of arguments are defined
// by the signature only.

#include "query/functions/function_entry.hpp"
#include "query/functions/growing.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace cairn::query {

/// One call of a function, as its body sees it.
struct Call {
  std::span<const Value> arguments;
  const FunctionContext& context;
  std::string_view name;

  [[nodiscard]] std::size_t size() const noexcept { return arguments.size(); }
  [[nodiscard]] const Value& operator[](std::size_t i) const { return arguments[i]; }
  [[nodiscard]] bool has(std::size_t i) const noexcept { return i < arguments.size(); }

  /// These functions return an argument that must have a certain type. Errors: type_error.
  [[nodiscard]] Result<const std::string*> string(std::size_t i) const;
  [[nodiscard]] Result<std::int64_t> integer(std::size_t i) const;  ///< also a float that is whole
  [[nodiscard]] Result<double> number(std::size_t i) const;         ///< integers are converted
  [[nodiscard]] Result<const Map*> map(std::size_t i) const;

  /// Returns an argument as the result of the function.
  [[nodiscard]] Result<Value> copy(std::size_t i) const {
    return copy_of(context.limits, arguments[i]);
  }
  /// Checks that the statement's memory limit allows `bytes` more. Functions call room() before an allocation.
  [[nodiscard]] Status room(std::size_t bytes) const { return check_room(context.limits, bytes); }

  /// The error for an argument of a wrong type. `expected` describes the right one.
  [[nodiscard]] Error wrong_type(std::size_t i, std::string_view expected) const;
  /// The error for an argument with an invalid value.
  [[nodiscard]] Error wrong_value(std::string_view problem) const;
};

/// Returns the value as a literal for messages; a long one is cut.
[[nodiscard]] std::string shown(const Value& value);
/// Returns type and value for messages: "an integer: 42".
[[nodiscard]] std::string described(const Value& value);

/// The body of a function. Its number of arguments has been checked.
using FunctionBody = Result<Value> (*)(const Call& call);
/// `propagate`: a null argument makes the result null without a call of the body. `pass`: the body gets nulls.
enum class Nulls : std::uint8_t { propagate, pass };

/// A string as a template argument.
template <std::size_t size_with_end>
struct FixedText {
  std::array<char, size_with_end> text{};
  constexpr FixedText(const char (&literal)[size_with_end]) {
    std::copy_n(literal, size_with_end, text.begin());
  }
  [[nodiscard]] constexpr std::string_view view() const { return {text.data(), size_with_end - 1}; }
};

namespace detail {

/// A signature, parsed at compile time, so that a mistake in it does not compile.
///
/// signature := name "(" [argument (", " argument)*] ")"
/// argument  := word ["?"] | "..."     optional ones last; ... stands for any number of further arguments
template <FixedText signature>
struct Signature {
  static constexpr std::string_view text = signature.view();
  static constexpr std::string_view name = text.substr(0, text.find('('));
  static constexpr std::size_t optional = static_cast<std::size_t>(std::ranges::count(text, '?'));
  static constexpr bool is_open = text.find("...") != std::string_view::npos;
  static constexpr std::size_t listed =
      text[name.size() + 1] == ')'
          ? 0
          : static_cast<std::size_t>(std::ranges::count(text, ',')) + (is_open ? 0 : 1);
  static constexpr std::size_t least = listed - optional;
  static constexpr std::size_t most = is_open ? std::numeric_limits<std::size_t>::max() : listed;

  /// The name in lower case, by which functions are found. The array is static, so that views of it stay valid.
  static constexpr auto make_key() {
    std::array<char, name.size()> lower{};
    std::ranges::transform(name, lower.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return lower;
  }
  static constexpr auto key_array = make_key();
  static constexpr std::string_view key{key_array.data(), key_array.size()};
};

/// The function that a registry entry points to: handles nulls and calls the body.
template <FixedText signature, FunctionBody body, Nulls nulls>
Result<Value> call_body(std::span<const Value> arguments, const FunctionContext& context) {
  if constexpr (nulls == Nulls::propagate) {
    if (std::ranges::any_of(arguments, &Value::is_null)) return Value();
  }
  return body(Call{arguments, context, Signature<signature>::name});
}

/// Makes an aggregator for one group.
template <class Collector>
std::unique_ptr<Aggregator> make() {
  return std::make_unique<Collector>();
}

}  // namespace detail

/// Makes the entry of a function. Unless `nulls` is `pass`, its result is null if an argument is null.
template <FixedText signature, FunctionBody body, Nulls nulls = Nulls::propagate>
[[nodiscard]] constexpr FunctionEntry entry() {
  using Parsed = detail::Signature<signature>;
  FunctionEntry made;
  made.name = Parsed::key;
  made.least_arguments = Parsed::least;
  made.most_arguments = Parsed::most;
  made.call = &detail::call_body<signature, body, nulls>;
  made.signature = Parsed::text;
  return made;
}

/// As entry(), for a function whose result differs between calls, such as rand().
template <FixedText signature, FunctionBody body, Nulls nulls = Nulls::propagate>
[[nodiscard]] constexpr FunctionEntry changing_entry() {
  FunctionEntry made = entry<signature, body, nulls>();
  made.is_deterministic = false;
  return made;
}

/// Makes the entry of an aggregate function. The caller skips nulls.
template <FixedText signature, class Collector>
[[nodiscard]] constexpr FunctionEntry aggregate_entry() {
  using Parsed = detail::Signature<signature>;
  FunctionEntry made;
  made.name = Parsed::key;
  made.least_arguments = Parsed::least;
  made.most_arguments = Parsed::most;
  made.make_aggregator = &detail::make<Collector>;
  made.signature = Parsed::text;
  return made;
}

}  // namespace cairn::query
