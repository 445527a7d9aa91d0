#pragma once
// The request and the result of a search in the graph of a segment, and our own search over level 0 of a graph of 8-bit
// codes.

#include "engine/vector/ordinal_selection.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace cairn::engine {

class Sq8Codes;

/// A slot of a segment and its distance from a query (distance.hpp: smaller is nearer).
struct SlotDistance {
  std::uint32_t slot = 0;
  float distance = 0;
};

/// Which implementation searches the graph: our own, which reads 8-bit codes, or hnswlib's. Both find the same slots.
enum class GraphSearcher : std::uint8_t { own, hnswlib };

/// One search over the graph.
struct BeamQuery {
  static constexpr std::uint32_t no_slot = 0xFFFFFFFF;

  /// The query in stored form (distance.hpp). A graph of 8-bit codes encodes it.
  const float* vector = nullptr;
  /// Candidates to keep. More candidates take more time and find more of the true neighbours.
  std::size_t ef = 0;
  /// Hits that the caller needs exactly; the other candidates may be approximate.
  std::size_t wanted = 0;
  /// Slots that may be returned; nullptr allows all slots.
  const InternalIdSelection* selection = nullptr;
  /// Slots whose membership in `selection` may be tested before the search gives up.
  std::size_t budget = 0;
  GraphSearcher graph_searcher = GraphSearcher::own;
  /// A slot to leave out of the results. Our own search treats it as absent from the graph, except
  /// as the entry point; hnswlib's search still follows its links.
  std::uint32_t without = no_slot;
};

/// Level 0 of a graph in memory: fixed-size records of links, 8-bit code and label (layout:
/// serialized_segment.hpp).
struct WalkedGraph {
  const Sq8Codes& codes;
  const char* level0 = nullptr;
  /// Distance in bytes between the records of two adjacent slots.
  std::size_t record_bytes = 0;
  /// Offset in bytes of the 8-bit code within a record; the links come before it.
  std::size_t vector_offset = 0;
  std::size_t slots = 0;

  /// The record of `slot`, which begins with its level-0 links.
  [[nodiscard]] const char* record(std::uint32_t slot) const noexcept {
    return level0 + slot * record_bytes;
  }
  /// The 8-bit code of `slot` (sq8_codes.hpp).
  [[nodiscard]] const char* element(std::uint32_t slot) const noexcept {
    return record(slot) + vector_offset;
  }
};

/// Searches level 0 from `entry` and returns the `query.ef` nearest selected slots that it finds,
/// in no particular order, with the distances of their 8-bit codes. `point` is the 8-bit code of
/// the query.
///
/// Returns nullopt if the query's budget was exceeded. Threads: any number at once. Memory: one bit
/// a slot and the visited candidates, in thread-local buffers that the next search reuses.
[[nodiscard]] std::optional<std::vector<SlotDistance>> walk_level0(const WalkedGraph& graph,
                                                                   const BeamQuery& query,
                                                                   const char* point,
                                                                   SlotDistance entry);

}  // namespace cairn::engine
