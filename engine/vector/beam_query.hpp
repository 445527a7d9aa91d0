#pragma once
// What is asked of the graph of a segment, and what is answered.

#include "engine/vector/ordinal_selection.hpp"

#include <cstddef>
#include <cstdint>

namespace cairn::engine {

struct SlotDistance {
  std::uint32_t slot = 0;
  float distance = 0;
};

/// Who walks: our own loop, which reads bytes, or hnswlib's. Both find the same.
enum class GraphSearcher : std::uint8_t { own, hnswlib };

/// One walk over the graph.
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

}  // namespace cairn::engine
