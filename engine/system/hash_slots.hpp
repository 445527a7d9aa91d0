#pragma once
// Hash tables with open addressing and linear probing, whose slots store the hash of their key.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace cairn::engine {

/// Doubles the slots of a table, to at least `least`, and moves the used ones to their new places. Reads no keys.
///
/// A slot has a `hash` and a `number`, which is 0 if the slot is free. The numbers of slots are powers of two. An exception
/// for lack of memory leaves the table unchanged.
template <class Slot>
void double_slots(std::vector<Slot>& slots, std::size_t least) {
  std::vector<Slot> larger(std::max(least, 2 * slots.size()));
  const std::size_t mask = larger.size() - 1;
  for (const Slot& slot : slots) {
    if (slot.number == 0) continue;
    std::size_t at = slot.hash & mask;
    while (larger[at].number != 0) at = (at + 1) & mask;
    larger[at] = slot;
  }
  slots = std::move(larger);
}

}  // namespace cairn::engine
