#pragma once
// SlotIndex: where the ids of a chunk that have something stand among these.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cairn::engine {

/// Slots are the low 16 bits of ids. Few are a sorted list, many are bits with a count before each word.
class SlotIndex {
 public:
  SlotIndex() = default;
  /// `slots` ascend.
  explicit SlotIndex(std::vector<std::uint16_t> slots);

  [[nodiscard]] bool empty() const noexcept { return slots_.empty() && bits_.empty(); }
  /// The place of a slot; nothing where it is not there. Cost: a nanosecond, or a binary search among few.
  [[nodiscard]] std::optional<std::size_t> find(std::uint16_t slot) const noexcept {
    if (bits_.empty()) return find_in_list(slot);
    const std::uint64_t word = bits_[slot / 64];
    const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
    if ((word & bit) == 0) return std::nullopt;
    if (word == ~std::uint64_t{0})
      return before_[slot / 64] + std::size_t{slot} % 64;  // as most are
    return before_[slot / 64] + static_cast<std::size_t>(std::popcount(word & (bit - 1)));
  }
  /// The place of the first of consecutive slots, if all of them are there among bits.
  [[nodiscard]] std::optional<std::size_t> find_run(std::uint16_t first,
                                                    std::size_t count) const noexcept;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  [[nodiscard]] std::optional<std::size_t> find_in_list(std::uint16_t slot) const noexcept;

  std::vector<std::uint16_t> slots_;
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint16_t> before_;  // how many stand before each word
};

}  // namespace cairn::engine
