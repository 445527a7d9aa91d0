#pragma once
// OrdinalSelection: the live entities of a segment that a search may return, by rank: their places in
// ascending order of ids. Codes lie in that order, so that ids become places without a gather.

#include "codec/id_kernels.hpp"
#include "engine/vector/internal_ids.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
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
  /// The number of ranks in the segment, selected or not.
  [[nodiscard]] std::size_t ranks() const noexcept { return ranks_; }
  /// Precondition: form `list`. Ascending.
  [[nodiscard]] std::span<const std::uint32_t> list() const noexcept { return list_; }
  /// Of form `bits`: those from `rank` on, a multiple of 64; null where all are selected.
  [[nodiscard]] const std::uint64_t* bits_from(std::size_t rank) const noexcept {
    return form_ == Form::bits ? &bits_[rank / 64] : nullptr;
  }
  /// Cost: a binary search for form `list`, else constant.
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

// InternalIdSelection: the slots of a segment that one search may return: alive in the state, and allowed.

/// Versions in which slots of a published segment were hidden by an update or an erasure. One writer
/// marks while any number of threads read; what is marked later changes nothing for older versions.
class IdTombstones {
 public:
  explicit IdTombstones(std::size_t slots)
      : versions_(std::make_unique<std::atomic<std::uint64_t>[]>(slots)), slots_(slots) {}

  /// `version` > 0.
  void hide(std::uint32_t slot, std::uint64_t version) noexcept {
    versions_[slot].store(version, std::memory_order_relaxed);
  }
  [[nodiscard]] bool is_hidden(std::uint32_t slot, std::uint64_t version) const noexcept {
    const std::uint64_t hidden = versions_[slot].load(std::memory_order_relaxed);
    return hidden != 0 && hidden <= version;
  }
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return slots_ * sizeof(std::atomic<std::uint64_t>);
  }

 private:
  std::unique_ptr<std::atomic<std::uint64_t>[]> versions_;  // by slot; 0: not hidden
  std::size_t slots_;
};

/// The slots that are alive in one state.
struct LiveIds {
  const InternalIds* map = nullptr;
  const IdTombstones* tombstones = nullptr;  ///< null: nothing is hidden
  std::uint64_t version = 0;
  std::size_t hidden = 0;

  /// A slot is hidden at most once, and only while it lives.
  [[nodiscard]] std::size_t count() const noexcept { return map->live() - hidden; }
  [[nodiscard]] bool is_every_slot() const noexcept { return count() == map->slots(); }
  [[nodiscard]] bool is_hidden(std::uint32_t slot) const noexcept {
    return tombstones != nullptr && tombstones->is_hidden(slot, version);
  }
  [[nodiscard]] bool contains(std::uint32_t slot) const noexcept {
    return !map->is_dead(slot) && !is_hidden(slot);
  }
};

class InternalIdSelection {
 public:
  /// `live`, what it points to, and `allowed` outlive the selection. A null `allowed` allows all.
  /// Cost: that of DenseOrdinals::mark(), so that a walk that asks for few slots does not pay for all.
  InternalIdSelection(const LiveIds& live, const codec::Bitmap* allowed);

  /// Where the state hides slots, those among the allowed ones may be counted too.
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] std::size_t slots() const noexcept { return live_.map->slots(); }
  /// Nothing is filtered out, not even dead slots.
  [[nodiscard]] bool is_every_slot() const noexcept {
    return live_.hidden == 0 && count_ == slots();
  }
  /// So few that contains() is not offered.
  [[nodiscard]] bool is_sparse() const noexcept { return form_ == Form::list; }
  [[nodiscard]] bool contains(std::uint32_t slot) const noexcept {
    if (form_ == Form::bits) return test_bit(bits_, slot) && !live_.is_hidden(slot);
    return live_.contains(slot) &&
           (form_ == Form::live || allowed_->contains(live_.map->entity(slot)));
  }

  /// Call `visit(slot)` for each, a list in order of entities, all else in order of slots.
  template <class Visit>
  void for_each(Visit&& visit) const {
    if (form_ == Form::list) {
      for (const std::uint32_t slot : list_) visit(slot);
    } else {
      for (std::uint32_t slot = 0; slot < slots(); ++slot)
        if (contains(slot)) visit(slot);
    }
  }

 private:
  /// All that is alive; a bit a slot; ids, asked for slot by slot; or the slots themselves.
  enum class Form : std::uint8_t { live, bits, ids, list };

  const LiveIds& live_;
  const codec::Bitmap* allowed_;
  Form form_ = Form::live;
  std::size_t count_ = 0;
  SlotBits bits_;  // by rank, which is the slot in the form that asks for them
  std::vector<std::uint32_t> list_;
};

}  // namespace cairn::engine
