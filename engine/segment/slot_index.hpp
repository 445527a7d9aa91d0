#pragma once
// SlotIndex: a succinct map from the ids of a chunk that have content to their positions in packed arrays. The
// position of an id is its rank among these ids.

#include "codec/byte_io.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::engine {

/// Maps slots to positions. A slot is the low 16 bits of an id.
/// Few slots are stored as a sorted list, many as a bitmap with the number of slots before each word.
class SlotIndex {
 public:
  SlotIndex() = default;
  /// `slots` must ascend strictly.
  explicit SlotIndex(std::vector<std::uint16_t> slots);

  [[nodiscard]] bool empty() const noexcept { return slots_.empty() && bits_.empty(); }
  /// Returns the position of a slot, or nullopt if the slot is absent. Cost: a nanosecond in a bitmap, a binary
  /// search in a list.
  [[nodiscard]] std::optional<std::size_t> find(std::uint16_t slot) const noexcept {
    if (bits_.empty()) return find_in_list(slot);
    const std::uint64_t word = bits_[slot / 64];
    const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
    if ((word & bit) == 0) return std::nullopt;
    if (word == ~std::uint64_t{0})
      return before_[slot / 64] + std::size_t{slot} % 64;  // the usual case: the word is full
    return before_[slot / 64] + static_cast<std::size_t>(std::popcount(word & (bit - 1)));
  }
  /// Returns the position of `first` if all of the `count` slots from `first` on are present and stored as a bitmap,
  /// else nullopt.
  [[nodiscard]] std::optional<std::size_t> find_run(std::uint16_t first,
                                                    std::size_t count) const noexcept;
  /// Sets `positions` to the positions of the low 16 bits of `ids`, if all of them are present and stored as a bitmap.
  /// Otherwise returns false.
  [[nodiscard]] bool find_all(std::span<const std::uint64_t> ids,
                              std::span<std::uint32_t> positions) const noexcept;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;
  /// All slots, in ascending order.
  [[nodiscard]] std::vector<std::uint16_t> to_vector() const;
  /// The number of slots. Cost: constant.
  [[nodiscard]] std::size_t size() const noexcept;

  /// slots := 00 count:u32 u16{count} | 01 u64{1024}      a list, or a bit for each slot
  void append_to(std::string& out) const;
  /// The cursor fails at damage.
  [[nodiscard]] static SlotIndex read(codec::ByteCursor& cursor);
  friend bool operator==(const SlotIndex&, const SlotIndex&) = default;

 private:
  [[nodiscard]] std::optional<std::size_t> find_in_list(std::uint16_t slot) const noexcept;

  /// Fills before_ from bits_.
  void count_bits();

  // The sorted list; empty if the slots are stored as a bitmap.
  std::vector<std::uint16_t> slots_;
  // The bitmap; empty if the slots are stored as a list.
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint16_t> before_;  // number of slots before each word of bits_
};

}  // namespace cairn::engine
