// Slots are given in the order of building: ascending while ids are, and behind what was there for
// what came later. Live entities sorted beside their slots make the way back, and give each a rank.
// While slots ascend, both lists are the slots themselves and take no memory.
#include "engine/vector/internal_ids.hpp"

#include <bit>
#include <utility>

namespace cairn::engine {

InternalIds::InternalIds(std::vector<std::uint64_t> entities, SlotBits dead)
    : entities_(std::move(entities)), dead_(std::move(dead)) {
  std::vector<std::uint32_t> slots;
  for (std::uint32_t slot = 0; slot < entities_.size(); ++slot)
    if (!is_dead(slot)) slots.push_back(slot);
  live_ = slots.size();
  // Nothing dead and in order: a slot is its rank.
  if (live_ == entities_.size() && std::ranges::is_sorted(entities_)) {
    dense_ordinals_ = DenseOrdinals(ranked_entities());
    return;
  }
  std::ranges::sort(slots, {}, [&](std::uint32_t slot) { return entities_[slot]; });
  ranked_slots_ = std::move(slots);
  ranked_entities_.reserve(live_);
  for (const std::uint32_t slot : ranked_slots_) ranked_entities_.push_back(entities_[slot]);
  dense_ordinals_ = DenseOrdinals(ranked_entities());
}

std::optional<std::uint32_t> InternalIds::find(std::uint64_t entity) const noexcept {
  const auto rank = dense_ordinals_.find(entity);
  if (!rank) return std::nullopt;
  return slot_at(*rank);
}

bool InternalIds::is_unambiguous() const noexcept {
  const auto ranked = ranked_entities();
  return std::ranges::adjacent_find(ranked) == ranked.end();
}

std::size_t InternalIds::memory_bytes() const noexcept {
  return (entities_.size() + dead_.size() + ranked_entities_.size()) * sizeof(std::uint64_t) +
         ranked_slots_.size() * sizeof(std::uint32_t) + dense_ordinals_.memory_bytes();
}

std::size_t InternalIds::first_not_below(std::size_t rank, std::size_t end,
                                         std::uint16_t value) const noexcept {
  const auto ranked = ranked_entities();
  const auto is_below = [&](std::size_t at) {
    return static_cast<std::uint16_t>(ranked[at]) < value;
  };
  std::size_t step = 1;
  while (rank + step < end && is_below(rank + step)) {
    rank += step;
    step *= 2;
  }
  std::size_t last = std::min(rank + step, end);
  while (rank < last) {
    const std::size_t middle = rank + (last - rank) / 2;
    if (is_below(middle)) {
      rank = middle + 1;
    } else {
      last = middle;
    }
  }
  return rank;
}

}  // namespace cairn::engine
