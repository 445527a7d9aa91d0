// Source: the Unicode Standard, table 3-7 (well-formed UTF-8) and section 3.9 on U+FFFD: the
// longest prefix of a possible character is replaced as one.
#include "codec/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace cairn::codec {
namespace {

/// The bytes that must follow a first byte.
struct Utf8Form {
  std::size_t more = 0;      ///< number of further bytes
  unsigned char low = 0x80;  ///< bounds of the second byte; other bytes are 0x80 to 0xbf
  unsigned char high = 0xbf;
  bool is_none = false;  ///< no character begins with this byte
};

constexpr Utf8Form form_of(unsigned char first) noexcept {
  if (first < 0x80) return {};
  if (first < 0xc2 || first > 0xf4) return {.is_none = true};
  if (first < 0xe0) return {.more = 1};
  if (first == 0xe0) return {.more = 2, .low = 0xa0};   // lower values are overlong
  if (first == 0xed) return {.more = 2, .high = 0x9f};  // higher values are surrogates
  if (first < 0xf0) return {.more = 2};
  if (first == 0xf0) return {.more = 3, .low = 0x90};   // lower values are overlong
  if (first == 0xf4) return {.more = 3, .high = 0x8f};  // higher values exceed U+10FFFF
  return {.more = 3};
}

/// A character, or the longest prefix of a possible character; at least one byte.
struct Utf8Part {
  std::size_t bytes = 1;
  bool is_character = false;
};

/// Precondition: the text is not empty.
Utf8Part first_part(std::string_view text) noexcept {
  const Utf8Form form = form_of(static_cast<unsigned char>(text[0]));
  if (form.is_none) return {};
  for (std::size_t i = 1; i <= form.more; ++i) {
    if (i == text.size()) return {i, false};
    const auto byte = static_cast<unsigned char>(text[i]);
    const unsigned char low = i == 1 ? form.low : 0x80;
    const unsigned char high = i == 1 ? form.high : 0xbf;
    if (byte < low || byte > high) return {i, false};
  }
  return {form.more + 1, true};
}

bool is_ascii(char byte) noexcept { return static_cast<unsigned char>(byte) < 0x80; }

/// Most text is ASCII, so eight bytes are tested at a time.
bool has_eight_ascii(std::string_view text, std::size_t at) noexcept {
  std::uint64_t word = 0;
  if (text.size() - at < sizeof(word)) return false;
  std::memcpy(&word, text.data() + at, sizeof(word));
  return (word & 0x8080808080808080U) == 0;
}

}  // namespace

std::size_t utf8_prefix(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    if (has_eight_ascii(text, at)) {
      at += sizeof(std::uint64_t);
      continue;
    }
    if (is_ascii(text[at])) {
      ++at;
      continue;
    }
    const Utf8Part part = first_part(text.substr(at));
    if (!part.is_character) break;
    at += part.bytes;
  }
  return at;
}

std::string repaired_utf8(std::string_view text) {
  std::string repaired;
  repaired.reserve(text.size());
  while (true) {
    const std::size_t sound = utf8_prefix(text);
    repaired += text.substr(0, sound);
    text.remove_prefix(sound);
    if (text.empty()) return repaired;
    repaired += "\xef\xbf\xbd";
    text.remove_prefix(first_part(text).bytes);
  }
}

}  // namespace cairn::codec
