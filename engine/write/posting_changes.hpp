#pragma once
// A transaction's posting changes as what the store takes: one small operand a chunk.

#include "codec/posting.hpp"
#include "engine/index/posting_overlay.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::engine {

struct ChunkChange {
  std::uint64_t chunk = 0;
  codec::PostingDelta delta;
};

/// By chunk, ascending; of several changes of one id the last counts.
[[nodiscard]] std::vector<ChunkChange> to_chunk_changes(
    std::span<const PostingOverlay::Change> changes);

}  // namespace cairn::engine
