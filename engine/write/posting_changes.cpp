// The changes of one posting by a transaction, in the order in which they were made, become
// operands of its chunks. Sorting is stable, so of one id the last change stands last in its run,
// and the run's others are skipped. Ids of a chunk come out ascending, added and removed without
// one in common: what the codec's operand demands.
#include "engine/write/posting_changes.hpp"

#include <algorithm>

namespace cairn::engine {
namespace {

bool by_id(const PostingWriteSet::Change& a, const PostingWriteSet::Change& b) {
  return a.id < b.id;
}

}  // namespace

ChunkChange& ChunkChanges::next(std::uint64_t chunk) {
  if (used_ == chunks_.size()) chunks_.emplace_back();
  ChunkChange& change = chunks_[used_++];
  change.chunk = chunk;
  change.delta.added.clear();
  change.delta.removed.clear();
  return change;
}

// Ids ascend in most transactions, whose changes are read where they lie.
std::span<const ChunkChange> ChunkChanges::of(std::span<const PostingWriteSet::Change> changes) {
  if (!std::is_sorted(changes.begin(), changes.end(), by_id)) {
    sorted_.assign(changes.begin(), changes.end());
    std::stable_sort(sorted_.begin(), sorted_.end(), by_id);
    changes = sorted_;
  }
  used_ = 0;
  ChunkChange* last = nullptr;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const PostingWriteSet::Change& change = changes[i];
    if (i + 1 < changes.size() && changes[i + 1].id == change.id) continue;
    const std::uint64_t chunk = change.id >> 16;
    if (last == nullptr || last->chunk != chunk) last = &next(chunk);
    auto& ids = change.added ? last->delta.added : last->delta.removed;
    ids.push_back(static_cast<std::uint16_t>(change.id));
  }
  return std::span(chunks_).first(used_);
}

}  // namespace cairn::engine
