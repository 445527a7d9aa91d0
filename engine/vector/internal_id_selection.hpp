#pragma once
// InternalIdSelection: the slots of a segment that one search may return: alive in the state, and allowed.

#include "engine/vector/internal_ids.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace cairn::engine {

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
