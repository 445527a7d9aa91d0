#pragma once
// TextCursor: a position in a text that is being parsed.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn::query {

/// A position in a text, which must outlive it. A function that does not find what it reads returns false or nullopt
/// and does not move.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }
  /// Returns the text that was not read yet.
  [[nodiscard]] std::string_view rest() const noexcept { return rest_; }

  /// Skips this character if it is next.
  bool take(char wanted) noexcept {
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  /// Returns the number of digits that follow.
  [[nodiscard]] std::size_t digits_ahead() const noexcept {
    return std::min(rest_.find_first_not_of("0123456789"), rest_.size());
  }

  /// Reads exactly `count` digits as a number; at most 18.
  std::optional<std::int64_t> digits(std::size_t count) noexcept {
    if (count == 0 || count > 18 || digits_ahead() < count) return std::nullopt;
    std::int64_t number = 0;
    for (char c : rest_.substr(0, count)) number = number * 10 + (c - '0');
    rest_.remove_prefix(count);
    return number;
  }

  /// Skips `count` bytes, or to the end.
  void skip(std::size_t count) noexcept { rest_.remove_prefix(std::min(count, rest_.size())); }

 private:
  std::string_view rest_;
};

}  // namespace cairn::query
