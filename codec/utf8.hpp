#pragma once
// Counts and cuts texts by code points of UTF-8; detects and repairs invalid UTF-8. Text of a value
// may hold any bytes, so it is repaired where a format needs UTF-8.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::codec {

// Code points of UTF-8. Invalid bytes are accepted: each byte except continuation bytes begins a
// code point.

[[nodiscard]] constexpr bool is_utf8_continuation(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

/// Returns the number of code points.
[[nodiscard]] constexpr std::int64_t utf8_length(std::string_view text) noexcept {
  std::int64_t length = 0;
  for (char byte : text) length += is_utf8_continuation(byte) ? 0 : 1;
  return length;
}

/// Returns the offset after `count` code points, or the size of a shorter text.
[[nodiscard]] constexpr std::size_t utf8_offset(std::string_view text,
                                                std::int64_t count) noexcept {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (is_utf8_continuation(text[at])) continue;
    if (count-- == 0) break;
  }
  return at;
}

/// Returns the last beginning of a code point at or before `at`.
[[nodiscard]] constexpr std::size_t utf8_floor(std::string_view text, std::size_t at) noexcept {
  while (at > 0 && at < text.size() && is_utf8_continuation(text[at])) --at;
  return at;
}

/// Returns the bytes of the code point that begins at `at`.
[[nodiscard]] constexpr std::string_view utf8_at(std::string_view text, std::size_t at) noexcept {
  std::size_t end = at + 1;
  while (end < text.size() && is_utf8_continuation(text[end])) ++end;
  return text.substr(at, end - at);
}

/// Returns the number of bytes at the front that are valid UTF-8; the size of the text if all of
/// them are. Overlong forms, surrogates and numbers beyond U+10FFFF are invalid.
[[nodiscard]] std::size_t utf8_prefix(std::string_view text) noexcept;

/// Returns the text with U+FFFD in place of invalid UTF-8, as to_json() writes it.
/// A truncated character is replaced as a whole, any other invalid byte alone.
[[nodiscard]] std::string repaired_utf8(std::string_view text);

}  // namespace cairn::codec
