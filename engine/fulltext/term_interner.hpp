#pragma once
// TermInterner: numbers for short texts, given in the order in which they first come.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// The first eight bytes of a text without zero bytes, as a number that sorts as they do.
[[nodiscard]] std::uint64_t first_bytes(std::string_view text);

/// Texts without zero bytes. One that is known is found in one cache line where it has less than eight
/// bytes, as most words do. Nothing is taken out.
class TermInterner {
 public:
  /// The number of a text, which is size() before the call where it has none yet.
  std::uint32_t number_of(std::string_view text);
  /// Valid until the next text is entered.
  [[nodiscard]] std::string_view operator[](std::uint32_t number) const {
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return std::string_view(letters_).substr(begin, ends_[number] - begin);
  }
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  /// Of the texts, without what is kept for more.
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return letters_.size() + ends_.size() * (sizeof(ends_[0]) + 2 * sizeof(Slot));
  }
  /// Keeps its memory.
  void clear();

 private:
  struct Slot {
    std::uint64_t first = 0;  // bytes of the text, zeros behind a shorter one
    std::uint32_t hash = 0;
    std::uint32_t number = 0;  // counted from 1; 0: nobody's
  };
  [[nodiscard]] bool holds(const Slot& slot, std::uint64_t first, std::string_view text) const {
    return slot.first == first && (text.size() < sizeof first || (*this)[slot.number - 1] == text);
  }
  void grow();

  std::vector<Slot> slots_;  // a power of two, at most half of them taken
  std::string letters_;
  std::vector<std::size_t> ends_;
};

}  // namespace cairn::engine
