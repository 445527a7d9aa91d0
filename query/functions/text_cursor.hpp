#pragma once
// A place in a text that is being parsed. What does not match leaves it where it was.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn::query {

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
