#pragma once
// Reading text: code points of UTF-8, and a place in a text that is being parsed.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn::query {

// Code points of UTF-8 text. Malformed bytes are never refused here: a byte that is not a continuation
// byte begins a code point.

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

// A place in a text that is being parsed. What does not match leaves it where it was.

/// Holds a view: the text must outlive it. Every take and read says whether it found what it
/// wanted.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }
  /// What has not been read yet.
  [[nodiscard]] std::string_view rest() const noexcept { return rest_; }

  /// Step over this character if it is next.
  bool take(char wanted) noexcept {
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  /// The number of digits that follow.
  [[nodiscard]] std::size_t digits_ahead() const noexcept {
    return std::min(rest_.find_first_not_of("0123456789"), rest_.size());
  }

  /// Exactly `count` digits, at most 18, as a number.
  std::optional<std::int64_t> digits(std::size_t count) noexcept {
    if (count == 0 || count > 18 || digits_ahead() < count) return std::nullopt;
    std::int64_t number = 0;
    for (char c : rest_.substr(0, count)) number = number * 10 + (c - '0');
    rest_.remove_prefix(count);
    return number;
  }

  /// Step over so many bytes, or to the end.
  void skip(std::size_t count) noexcept { rest_.remove_prefix(std::min(count, rest_.size())); }

 private:
  std::string_view rest_;
};

}  // namespace cairn::query
