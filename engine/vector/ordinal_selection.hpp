#pragma once
// OrdinalSelection: the vectors of a segment that a filter selects, by rank. A rank is the place of
// an entity in ascending order of ids. Codes are stored in that order, so a filter's bitmap of ids
// is converted by shifting words.
//
// InternalIdSelection: the vectors that a filter selects, by slot, for graph searches. IdTombstones and LiveIds: which
// slots are visible in a state.

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

/// Immutable after construction. Threads: any number at once.
class OrdinalSelection {
 public:
  /// `all` selects all ranks; `bits` has one bit for each rank; `list` lists the ranks.
  enum class Form : std::uint8_t { all, bits, list };

  /// Selects the entities of `allowed`, or all if it is nullptr. Entities that a state hides remain
  /// selected.
  OrdinalSelection(const InternalIds& slots, const codec::Bitmap* allowed);
  /// Of a selection of form `bits`, returns the ranks whose group is in `groups` (see
  /// keep_groups()).
  [[nodiscard]] OrdinalSelection only(const codec::kernels::GroupedPositions& positions,
                                      const std::uint8_t* groups) const;

  [[nodiscard]] Form form() const noexcept { return form_; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// The number of ranks in the segment, selected or not.
  [[nodiscard]] std::size_t ranks() const noexcept { return ranks_; }
  /// The selected ranks, ascending. Precondition: form `list`.
  [[nodiscard]] std::span<const std::uint32_t> list() const noexcept { return list_; }
  /// For form `bits`: the bits from `rank` on, which is a multiple of 64. nullptr for the other
  /// forms.
  [[nodiscard]] const std::uint64_t* bits_from(std::size_t rank) const noexcept {
    return form_ == Form::bits ? &bits_[rank / 64] : nullptr;
  }
  /// True if the rank is selected. Cost: a binary search for form `list`, else constant.
  [[nodiscard]] bool contains(std::uint32_t rank) const noexcept {
    if (form_ == Form::bits) return test_bit(bits_, rank);
    return form_ == Form::all || std::ranges::binary_search(list_, rank);
  }

  /// Calls `visit(ranks)` with ascending ranks, about `block` of them at a time and at most twice
  /// that number.
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

  // Word `at` of the bitmap; of form `all` it has a bit for each rank that exists.
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

/// For each slot of a published segment, the version in which an update or erasure hid it. One
/// thread writes while any number of threads read: what is hidden later has a later version, which
/// older states ignore.
class IdTombstones {
 public:
  explicit IdTombstones(std::size_t slots)
      : versions_(std::make_unique<std::atomic<std::uint64_t>[]>(slots)), slots_(slots) {}

  /// Hides a slot from `version` on; `version` must be greater than 0. Relaxed operations suffice: a
  /// reader only needs to see versions up to its own, which were stored before its state was
  /// published.
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
  std::unique_ptr<std::atomic<std::uint64_t>[]> versions_;  // by slot; 0 if not hidden
  std::size_t slots_;
};

/// The slots that are visible in one state.
struct LiveIds {
  const InternalIds* map = nullptr;
  const IdTombstones* tombstones = nullptr;  ///< nullptr if nothing is hidden
  std::uint64_t version = 0;
  std::size_t hidden = 0;  ///< number of hidden slots

  /// Number of visible slots. A slot is hidden at most once, and only while it is live.
  [[nodiscard]] std::size_t count() const noexcept { return map->live() - hidden; }
  [[nodiscard]] bool is_every_slot() const noexcept { return count() == map->slots(); }
  [[nodiscard]] bool is_hidden(std::uint32_t slot) const noexcept {
    return tombstones != nullptr && tombstones->is_hidden(slot, version);
  }
  [[nodiscard]] bool contains(std::uint32_t slot) const noexcept {
    return !map->is_dead(slot) && !is_hidden(slot);
  }
};

/// The slots of a segment that one search may return: visible in its state and allowed by its
/// filter.
class InternalIdSelection {
 public:
  /// All arguments must outlive the selection. A null `allowed` allows all slots. Cost: like
  /// DenseOrdinals::mark(). No bitmap by slot is made, so that a graph search that tests few slots
  /// does not pay for all.
  InternalIdSelection(const LiveIds& live, const codec::Bitmap* allowed);

  /// Number of selected slots. If the state hides slots, hidden ones may be included.
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] std::size_t slots() const noexcept { return live_.map->slots(); }
  /// True if every slot is selected and none is dead.
  [[nodiscard]] bool is_every_slot() const noexcept {
    return live_.hidden == 0 && count_ == slots();
  }
  /// True if so few slots are selected that contains() must not be called.
  [[nodiscard]] bool is_sparse() const noexcept { return form_ == Form::list; }
  [[nodiscard]] bool contains(std::uint32_t slot) const noexcept {
    if (form_ == Form::bits) return test_bit(bits_, slot) && !live_.is_hidden(slot);
    return live_.contains(slot) &&
           (form_ == Form::live || allowed_->contains(live_.map->entity(slot)));
  }

  /// Calls `visit(slot)` for each selected slot: for a list in ascending order of entities,
  /// otherwise in order of slots.
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
  /// All visible slots; one bit for each slot; a lookup of the id for each tested slot; or a list
  /// of slots.
  enum class Form : std::uint8_t { live, bits, ids, list };

  const LiveIds& live_;
  const codec::Bitmap* allowed_;
  Form form_ = Form::live;
  std::size_t count_ = 0;
  // By rank. Used by form `bits`, in which the rank is the slot.
  SlotBits bits_;
  std::vector<std::uint32_t> list_;
};

}  // namespace cairn::engine
