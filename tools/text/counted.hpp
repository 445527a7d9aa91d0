#pragma once
// A number of things in words.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::tools {

/// "12,345"
[[nodiscard]] inline std::string grouped(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

/// "1 node", "12,345 nodes".
[[nodiscard]] inline std::string counted(std::uint64_t count, std::string_view one,
                                         std::string_view many) {
  return grouped(count) + " " + std::string(count == 1 ? one : many);
}

}  // namespace cairn::tools
