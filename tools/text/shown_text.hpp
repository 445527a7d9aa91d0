#pragma once
// Text of a program or a service within an error message.

#include "codec/utf8.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::tools {

/// Returns the beginning of a text on one line, with blanks in place of control characters.
[[nodiscard]] inline std::string shown_text(std::string_view text) {
  constexpr std::size_t most_bytes = 300;
  const std::size_t end = codec::utf8_floor(text, std::min(text.size(), most_bytes));
  std::string shown(text.substr(0, end));
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto byte = static_cast<unsigned char>(shown[i]);
    const auto next = i + 1 < shown.size() ? static_cast<unsigned char>(shown[i + 1]) : 0U;
    if (byte < 0x20 || byte == 0x7F) shown[i] = ' ';
    if (byte == 0xC2 && next >= 0x80 && next < 0xA0) shown.replace(i, 2, " ");
  }
  return end < text.size() ? shown + "..." : shown;
}

}  // namespace cairn::tools
