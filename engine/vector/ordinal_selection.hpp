#pragma once
// OrdinalSelection: the live entities of a segment that a search may return, by rank: their places in
// ascending order of ids. Codes lie in that order, so that ids become places without a gather.

#include "codec/id_kernels.hpp"
#include "engine/vector/internal_ids.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::engine {

class OrdinalSelection {
 public:
  enum class Form : std::uint8_t { all, bits, list };

  /// A null `allowed` allows all. What a state hides is still in it.
  OrdinalSelection(const InternalIds& slots, const codec::Bitmap* allowed);
  /// Of one of form `bits`, those whose group is one of `groups`: as of keep_groups(), by rank.
  [[nodiscard]] OrdinalSelection only(const codec::kernels::GroupedPositions& positions,
                                      const std::uint8_t* groups) const;

  [[nodiscard]] Form form() const noexcept { return form_; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// Of the segment, selected or not.
  [[nodiscard]] std::size_t ranks() const noexcept { return ranks_; }
  /// Of form `list`: ascending.
  [[nodiscard]] std::span<const std::uint32_t> list() const noexcept { return list_; }
  /// Of form `bits`: those from `rank` on, a multiple of 64; null where all are selected.
  [[nodiscard]] const std::uint64_t* bits_from(std::size_t rank) const noexcept {
    return form_ == Form::bits ? &bits_[rank / 64] : nullptr;
  }
  /// Of form `list` a binary search.
  [[nodiscard]] bool contains(std::uint32_t rank) const noexcept {
    if (form_ == Form::bits) return test_bit(bits_, rank);
    return form_ == Form::all || std::ranges::binary_search(list_, rank);
  }

  /// Call `visit(ranks)` with ascending ranks: about `block` of them at a time, at most twice as many.
  template <std::size_t block = 256, class Visit>
  void for_each_block(Visit&& visit) const {
    static_assert(block % 64 == 0);
    constexpr std::size_t words_at_once = block / 64;
    if (form_ == Form::list) {
      for (std::size_t at = 0; at < list_.size(); at += 2 * block)
        visit(std::span(list_).subspan(at, std::min(2 * block, list_.size() - at)));
      return;
    }
    std::uint32_t ranks[2 * block + codec::kernels::array_slack];
    std::size_t size = 0;
    for (std::size_t w = 0; w < words(); w += words_at_once) {
      std::uint64_t some[words_at_once];
      const std::size_t count = std::min(words_at_once, words() - w);
      for (std::size_t i = 0; i < count; ++i) some[i] = word(w + i);
      size +=
          codec::kernels::list_bits(some, count, static_cast<std::uint32_t>(w * 64), ranks + size);
      if (size < block) continue;
      visit(std::span<const std::uint32_t>(ranks, size));
      size = 0;
    }
    if (size > 0) visit(std::span<const std::uint32_t>(ranks, size));
  }

 private:
  OrdinalSelection() = default;
  [[nodiscard]] std::size_t words() const noexcept { return (ranks_ + 63) / 64; }

  [[nodiscard]] std::uint64_t word(std::size_t at) const noexcept {
    if (form_ == Form::bits) return bits_[at];
    const std::size_t left = ranks_ - at * 64;
    return left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
  }

  Form form_ = Form::all;
  std::size_t ranks_ = 0;
  std::size_t count_ = 0;
  SlotBits bits_;
  std::vector<std::uint32_t> list_;
};

}  // namespace cairn::engine
