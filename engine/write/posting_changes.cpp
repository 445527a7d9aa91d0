// The changes of one posting by a transaction, in the order in which they were made, become
// operands of its chunks. Sorting is stable, so of one id the last change stands last in its run,
// and the run's others are skipped. Ids of a chunk come out ascending, added and removed without
// one in common: what the codec's operand demands.
#include "engine/write/posting_changes.hpp"

#include <algorithm>

namespace cairn::engine {
namespace {

bool by_id(const PostingOverlay::Change& a, const PostingOverlay::Change& b) { return a.id < b.id; }

}  // namespace

// Ids ascend in most transactions, whose changes are read where they lie.
std::vector<ChunkChange> to_chunk_changes(std::span<const PostingOverlay::Change> changes) {
  std::vector<PostingOverlay::Change> sorted;
  if (!std::is_sorted(changes.begin(), changes.end(), by_id)) {
    sorted.assign(changes.begin(), changes.end());
    std::stable_sort(sorted.begin(), sorted.end(), by_id);
    changes = sorted;
  }
  std::vector<ChunkChange> chunks;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const PostingOverlay::Change& change = changes[i];
    if (i + 1 < changes.size() && changes[i + 1].id == change.id) continue;
    const std::uint64_t chunk = change.id >> 16;
    if (chunks.empty() || chunks.back().chunk != chunk) chunks.push_back({chunk, {}});
    codec::PostingDelta& delta = chunks.back().delta;
    auto& ids = change.added ? delta.added : delta.removed;
    ids.push_back(static_cast<std::uint16_t>(change.id));
  }
  return chunks;
}

}  // namespace cairn::engine
