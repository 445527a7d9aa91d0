// The bounds of the log, and a merge of its segments by name and chunk. Whichever bound is reached
// first folds the log into the chunks: segments cost each uncached term a search, documents and
// bytes are memory of every state and work of the fold.
#include "engine/fulltext/text_memory_segment.hpp"

#include <algorithm>
#include <tuple>

namespace cairn::engine {
namespace {

/// A chunk's worth of documents: more would not write fewer keys where ids ascend.
constexpr std::uint64_t most_documents = codec::text_chunk_ids;
constexpr std::size_t most_bytes = std::size_t{4} << 20;
constexpr std::size_t most_segments = 64;

}  // namespace

bool TextMemorySegment::has_share(std::size_t first, std::size_t parts) const {
  return (segments_.size() - first) * parts >= most_segments ||
         documents(first) * parts >= most_documents || memory_bytes(first) * parts >= most_bytes;
}

void TextMemorySegment::drop_first(std::size_t count) {
  segments_.erase(segments_.begin(), segments_.begin() + static_cast<std::ptrdiff_t>(count));
}

std::uint64_t TextMemorySegment::documents(std::size_t first) const {
  std::uint64_t sum = 0;
  for (std::size_t i = first; i < segments_.size(); ++i) sum += segments_[i]->documents();
  return sum;
}

std::size_t TextMemorySegment::memory_bytes(std::size_t first) const {
  std::size_t sum = 0;
  for (std::size_t i = first; i < segments_.size(); ++i) sum += segments_[i]->memory_bytes();
  return sum;
}

// A binary heap over the segments' next entries; of equal (name, chunk) the older segment comes
// first, as its operands apply first.
SegmentMerge::SegmentMerge(std::span<const TextSegmentPtr> segments, std::string_view first)
    : segments_(segments) {
  for (std::size_t i = 0; i < segments.size(); ++i) push(i, segments[i]->lower_bound(first));
  next();
}

bool SegmentMerge::is_later(const Place& a, const Place& b) {
  return std::tie(a.entry.name, a.entry.chunk, a.segment) >
         std::tie(b.entry.name, b.entry.chunk, b.segment);
}

void SegmentMerge::push(std::size_t segment, std::size_t at) {
  if (at >= segments_[segment]->size()) return;
  heap_.push_back({(*segments_[segment])[at], segment, at});
  std::push_heap(heap_.begin(), heap_.end(), is_later);
}

void SegmentMerge::take() {
  std::pop_heap(heap_.begin(), heap_.end(), is_later);
  // Copied before the next entry of the same segment takes its place in the heap.
  const Place place = heap_.back();
  heap_.pop_back();
  operands_.push_back(place.entry.operand);
  push(place.segment, place.at + 1);
}

// Gathers all operands of one chunk; views into the segments, which the caller holds.
void SegmentMerge::next() {
  operands_.clear();
  if (heap_.empty()) return;
  name_ = heap_.front().entry.name;
  chunk_ = heap_.front().entry.chunk;
  while (!heap_.empty() && heap_.front().entry.name == name_ && heap_.front().entry.chunk == chunk_)
    take();
}

void SegmentMerge::next_name() {
  const std::string_view before = name_;
  while (valid() && name_ == before) next();
}

}  // namespace cairn::engine
