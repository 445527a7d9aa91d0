#pragma once
// Bytes and numbers as hexadecimal digits in lower case.

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace cairn::codec {

/// Returns all digits of a number, the highest first.
template <std::unsigned_integral Number>
[[nodiscard]] std::string hex_text(Number number) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text(2 * sizeof(Number), '0');
  for (std::size_t at = text.size(); at-- > 0;) {
    text[at] = digits[number & 15U];
    number = static_cast<Number>(number >> 4U);
  }
  return text;
}

/// Returns two digits for each byte.
[[nodiscard]] inline std::string hex_text(std::span<const unsigned char> bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const unsigned char byte : bytes) text += hex_text(byte);
  return text;
}

[[nodiscard]] inline std::string hex_text(std::string_view bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char byte : bytes) text += hex_text(static_cast<unsigned char>(byte));
  return text;
}

}  // namespace cairn::codec
