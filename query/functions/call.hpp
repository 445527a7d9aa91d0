#pragma once
// What the bodies of functions share: their arguments with checks that name function and place, and
// `entry`, which makes a registry entry out of a signature such as "substring(text, start,
// length?)". The signature is the only place that says a function's name and how many arguments it
// takes.

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

/// One call of a function.
struct Call {
  std::span<const Value> arguments;
  const FunctionContext& context;
  std::string_view name;

  [[nodiscard]] std::size_t size() const noexcept { return arguments.size(); }
  [[nodiscard]] const Value& operator[](std::size_t i) const { return arguments[i]; }
  [[nodiscard]] bool has(std::size_t i) const noexcept { return i < arguments.size(); }

  /// The argument, which must have this type. Errors: type_error.
  [[nodiscard]] Result<const std::string*> string(std::size_t i) const;
  [[nodiscard]] Result<std::int64_t> integer(std::size_t i) const;  ///< or a float that is one
  [[nodiscard]] Result<double> number(std::size_t i) const;         ///< integers as floats
  [[nodiscard]] Result<const Map*> map(std::size_t i) const;

  /// The argument as the result.
  [[nodiscard]] Result<Value> copy(std::size_t i) const {
    return copy_of(context.limits, arguments[i]);
  }
  /// Whether the statement may have so many bytes more, asked before they are taken.
  [[nodiscard]] Status room(std::size_t bytes) const { return check_room(context.limits, bytes); }

  [[nodiscard]] Error wrong_type(std::size_t i, std::string_view expected) const;
  [[nodiscard]] Error wrong_value(std::string_view problem) const;
};

/// The value as messages show it: its literal, cut where it is long.
[[nodiscard]] std::string shown(const Value& value);
/// "an integer: 42", for messages.
[[nodiscard]] std::string described(const Value& value);

/// What a function does, its number of arguments being checked already.
using FunctionBody = Result<Value> (*)(const Call& call);
/// Whether a null argument makes the result null before the body runs, or reaches the body.
enum class Nulls : std::uint8_t { propagate, pass };

/// A text as a template argument.
template <std::size_t size_with_end>
struct FixedText {
  std::array<char, size_with_end> text{};
  constexpr FixedText(const char (&literal)[size_with_end]) {
    std::copy_n(literal, size_with_end, text.begin());
  }
  [[nodiscard]] constexpr std::string_view view() const { return {text.data(), size_with_end - 1}; }
};

namespace detail {

/// A signature taken apart at compile time: a mistake in one is an error of the compiler.
///
/// signature := name "(" [argument (", " argument)*] ")"
/// argument  := word ["?"] | "..."     optional ones last; ... is any number of further ones
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

  /// Names are looked up in lower case; the array outlives every view of it.
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

/// What a registry entry points to: a plain function with name, body and null rule built in.
template <FixedText signature, FunctionBody body, Nulls nulls>
Result<Value> call_body(std::span<const Value> arguments, const FunctionContext& context) {
  if constexpr (nulls == Nulls::propagate) {
    if (std::ranges::any_of(arguments, &Value::is_null)) return Value();
  }
  return body(Call{arguments, context, Signature<signature>::name});
}

/// A fresh collector for one group.
template <class Collector>
std::unique_ptr<Aggregator> make() {
  return std::make_unique<Collector>();
}

}  // namespace detail

/// A function whose result is null where an argument is null, unless `nulls` says it sees nulls.
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

/// As entry(), for a function that gives another result each time.
template <FixedText signature, FunctionBody body, Nulls nulls = Nulls::propagate>
[[nodiscard]] constexpr FunctionEntry changing_entry() {
  FunctionEntry made = entry<signature, body, nulls>();
  made.is_deterministic = false;
  return made;
}

/// An entry of an aggregate function. It sees no nulls at all: the caller skips those rows.
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
