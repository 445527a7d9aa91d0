#pragma once
// Our own walk over level 0 of a coded graph: the steps of hnswlib's searchKnn(), whose distances are
// made of all new neighbours of a slot at once, when their bytes were asked for.

#include "engine/vector/beam_query.hpp"
#include "engine/vector/sq8_codes.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace cairn::engine {

/// Level 0 as it lies in memory: see serialized_segment.hpp.
struct WalkedGraph {
  const Sq8Codes& codes;
  const char* level0 = nullptr;
  std::size_t record_bytes = 0;
  std::size_t vector_offset = 0;
  std::size_t slots = 0;

  [[nodiscard]] const char* record(std::uint32_t slot) const noexcept {
    return level0 + slot * record_bytes;
  }
  [[nodiscard]] const char* element(std::uint32_t slot) const noexcept {
    return record(slot) + vector_offset;
  }
};

/// The `ef` nearest of the selection that are found from `entry` on, in no order, with the distances
/// of their bytes; nothing where the budget was spent. `point` is the query's element.
/// Memory: a bit a slot and what is visited, reused by the next walk of the thread.
[[nodiscard]] std::optional<std::vector<SlotDistance>> walk_level0(const WalkedGraph& graph,
                                                                   const BeamQuery& query,
                                                                   const char* point,
                                                                   SlotDistance entry);

}  // namespace cairn::engine
