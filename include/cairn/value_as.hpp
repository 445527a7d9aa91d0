#pragma once
// value_as<T>(): converts a value to a C++ type, or returns an error that names the type of the
// value.
//
//     CAIRN_ASSIGN(const std::string name, value_as<std::string>(value));
//     CAIRN_ASSIGN(const auto born, value_as<std::optional<int>>(value));    // null is nullopt
//     CAIRN_ASSIGN(const auto tags, value_as<std::vector<std::string>>(value));

#include <cairn/result.hpp>
#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace cairn {
namespace detail {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;

/// The name of the requested type in messages.
template <class T>
[[nodiscard]] constexpr std::string_view asked_type() {
  if constexpr (std::same_as<T, bool>) return "a boolean";
  if constexpr (Integer<T>) return "an integer";
  if constexpr (std::floating_point<T>) return "a number";
  if constexpr (std::same_as<T, std::string> || std::same_as<T, std::string_view>)
    return "a string";
  if constexpr (is_vector<T>) return "a list";
  if constexpr (std::same_as<T, Map>) return "a map";
  if constexpr (std::same_as<T, Path>) return "a path";
  if constexpr (std::same_as<T, Node>) return "a node";
  if constexpr (std::same_as<T, Relationship>) return "a relationship";
  if constexpr (std::same_as<T, Vector>) return "a vector";
  return "a temporal value of the requested type";
}

/// "a string, expected an integer".
[[nodiscard]] CAIRN_EXPORT Error type_mismatch(ValueType found, std::string_view expected);
/// "300 does not fit into the requested number type".
[[nodiscard]] CAIRN_EXPORT Error out_of_range(const Value& number);
/// Adds "element 3: " in front of an error's message.
[[nodiscard]] CAIRN_EXPORT Error in_element(std::size_t index, Error error);

template <class T>
[[nodiscard]] const T* pointer_to(const Value& value) noexcept {
  if constexpr (std::same_as<T, List>)
    return value.list();
  else if constexpr (std::same_as<T, Map>)
    return value.map();
  else if constexpr (std::same_as<T, Path>)
    return value.path();
  else
    return value.get_if<T>();
}

}  // namespace detail

/// Returns the value as a T, or an error if it has another type or T cannot represent it.
///
/// T is bool, any integer type, a floating-point type, std::string, std::string_view (valid as long
/// as the value), List, Map, Vector, Node, Relationship, Path, a temporal type, Value itself, or
/// std::optional or std::vector of one of these. A floating-point type accepts integers that it
/// represents exactly, and rounds other numbers to its precision. Null is std::nullopt, and an
/// error for every other T except Value. Errors: type_error, naming both types; invalid_argument
/// for a number that T cannot represent. Cost: a copy. Threads: any.
template <class T>
[[nodiscard]] Result<T> value_as(const Value& value) {
  if constexpr (std::same_as<T, Value>) {
    return value;
  } else if constexpr (detail::is_optional<T>) {
    if (value.is_null()) return T();
    auto inner = value_as<typename T::value_type>(value);
    return inner ? Result<T>(T(*std::move(inner))) : Result<T>(std::move(inner).error());
  } else if constexpr (detail::Integer<T>) {
    const auto* integer = value.get_if<std::int64_t>();
    if (integer == nullptr) return detail::type_mismatch(value.type(), detail::asked_type<T>());
    if (!std::in_range<T>(*integer)) return detail::out_of_range(value);
    return static_cast<T>(*integer);
  } else if constexpr (std::floating_point<T>) {
    if (const auto* number = value.get_if<double>()) {
      const T rounded = static_cast<T>(*number);
      if (std::isinf(rounded) && !std::isinf(*number)) return detail::out_of_range(value);
      return rounded;
    }
    const auto* integer = value.get_if<std::int64_t>();
    if (integer == nullptr) return detail::type_mismatch(value.type(), detail::asked_type<T>());
    // A rounded value of 2^63 or more cannot be converted back to an integer.
    const T rounded = static_cast<T>(*integer);
    constexpr T end = static_cast<T>(9'223'372'036'854'775'808.0);
    if (rounded >= end || static_cast<std::int64_t>(rounded) != *integer)
      return detail::out_of_range(value);
    return rounded;
  } else if constexpr (std::same_as<T, std::string_view>) {
    if (const std::string* text = value.string()) return std::string_view(*text);
    return detail::type_mismatch(value.type(), detail::asked_type<T>());
  } else if constexpr (detail::is_vector<T> && !std::same_as<T, List>) {
    const List* list = value.list();
    if (list == nullptr) return detail::type_mismatch(value.type(), detail::asked_type<T>());
    T items;
    for (const Value& one : *list) {
      auto item = value_as<typename T::value_type>(one);
      if (!item) return detail::in_element(items.size(), std::move(item).error());
      items.push_back(*std::move(item));
    }
    return items;
  } else {
    const T* content = detail::pointer_to<T>(value);
    if (content == nullptr) return detail::type_mismatch(value.type(), detail::asked_type<T>());
    return *content;
  }
}

/// Returns the instant of a value in microseconds since 1970 UTC, rounded down: of an ISO 8601
/// text, of a date (its midnight), and of a date and time (UTC if it has no offset). Returns
/// nullopt for all other values.
[[nodiscard]] CAIRN_EXPORT std::optional<std::int64_t> to_instant(const Value& value);
/// Returns the instant of a text as FilterOperator::since and until read it: ISO 8601, or a time
/// before `now` such as "7d". Returns nullopt for all other texts.
[[nodiscard]] CAIRN_EXPORT std::optional<std::int64_t> to_instant(std::string_view text,
                                                                  std::int64_t now);

/// Compares as ORDER BY does: negative, zero or positive if `a` sorts before, with or after `b`. A
/// total order over all types.
[[nodiscard]] CAIRN_EXPORT int sort_order(const Value& a, const Value& b) noexcept;

}  // namespace cairn
