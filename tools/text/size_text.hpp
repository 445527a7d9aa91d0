#pragma once
// A number of bytes in words.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

namespace cairn::tools {

/// Powers of 1,024, one digit behind the point.
[[nodiscard]] inline std::string size_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 1'024 && unit + 1 < units.size(); ++unit) size /= 1'024;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", size, units[unit]);
  return text.data();
}

}  // namespace cairn::tools
