#pragma once
// A transaction's posting changes as what the store takes: one small operand a chunk.

#include "codec/posting.hpp"
#include "engine/index/posting_write_set.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::engine {

struct ChunkChange {
  std::uint64_t chunk = 0;
  codec::PostingDelta delta;
};

/// Sorts out the changes of one posting after the other, of which most are a single one.
class ChunkChanges {
 public:
  /// By chunk, ascending; of several changes of one id the last counts. Valid until the next call, which
  /// uses the same memory.
  [[nodiscard]] std::span<const ChunkChange> of(std::span<const PostingWriteSet::Change> changes);

 private:
  ChunkChange& next(std::uint64_t chunk);

  std::vector<ChunkChange> chunks_;
  std::size_t used_ = 0;  // of them
  std::vector<PostingWriteSet::Change> sorted_;
};

}  // namespace cairn::engine
