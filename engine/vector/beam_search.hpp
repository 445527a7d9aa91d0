#pragma once
// Graph search: what one search over the graph of a segment asks for, what it returns, and our own search over level 0
// of a graph of 8-bit codes.

#include "engine/vector/ordinal_selection.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace cairn::engine {

class Sq8Codes;

struct SlotDistance {
  std::uint32_t slot = 0;
  float distance = 0;
};

/// Which code searches the graph: our own loop, which reads 8-bit codes, or hnswlib's. Both find the same slots.
enum class GraphSearcher : std::uint8_t { own, hnswlib };

/// One search over the graph.
struct BeamQuery {
  static constexpr std::uint32_t no_slot = 0xFFFFFFFF;

  const float* vector = nullptr;                   ///< as it is stored
  std::size_t ef = 0;                              ///< candidates held
  std::size_t wanted = 0;                          ///< of them, the nearest matter
  const InternalIdSelection* selection = nullptr;  ///< null: all
  std::size_t budget = 0;                          ///< slots that may be asked for in the selection
  GraphSearcher graph_searcher = GraphSearcher::own;
  /// A slot that is not found. Our own walk goes as if it were not in the graph; hnswlib's goes through it.
  std::uint32_t without = no_slot;
};

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
