#pragma once
// Code points of UTF-8 text. Malformed bytes are never refused here: a byte that is no continuation
// byte begins a code point.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cairn::query {

[[nodiscard]] constexpr bool is_utf8_continuation(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

/// The number of code points.
[[nodiscard]] constexpr std::int64_t utf8_length(std::string_view text) noexcept {
  std::int64_t length = 0;
  for (char byte : text) length += is_utf8_continuation(byte) ? 0 : 1;
  return length;
}

/// The byte after `count` code points, or the end of a shorter text.
[[nodiscard]] constexpr std::size_t utf8_offset(std::string_view text,
                                                std::int64_t count) noexcept {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (is_utf8_continuation(text[at])) continue;
    if (count-- == 0) break;
  }
  return at;
}

/// The last beginning of a code point at or before byte `at`.
[[nodiscard]] constexpr std::size_t utf8_floor(std::string_view text, std::size_t at) noexcept {
  while (at > 0 && at < text.size() && is_utf8_continuation(text[at])) --at;
  return at;
}

/// The code point that begins at byte `at`, as the bytes it consists of.
[[nodiscard]] constexpr std::string_view utf8_at(std::string_view text, std::size_t at) noexcept {
  std::size_t end = at + 1;
  while (end < text.size() && is_utf8_continuation(text[end])) ++end;
  return text.substr(at, end - at);
}

}  // namespace cairn::query
