#pragma once
// Where the language wants an integer and takes a float that is one: clients written in JavaScript have no other
// numbers.

#include <cairn/value.hpp>

#include <cstdint>
#include <optional>

namespace cairn::query {

/// The integer that a value is, or that a float is exactly: 2 and 2.0, not 2.5. Nullopt for all else.
[[nodiscard]] inline std::optional<std::int64_t> whole_number(const Value& value) noexcept {
  if (const auto* integer = value.get_if<std::int64_t>()) return *integer;
  constexpr double end = 9'223'372'036'854'775'808.0;  // 2^63, the first float beyond the integers
  const auto* number = value.get_if<double>();
  if (number == nullptr || !(*number >= -end && *number < end)) return std::nullopt;
  const auto whole = static_cast<std::int64_t>(*number);
  if (static_cast<double>(whole) != *number) return std::nullopt;
  return whole;
}

}  // namespace cairn::query
