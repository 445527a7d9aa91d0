// The limits of a write buffer, and a merge of its segments by name and chunk. The first limit
// reached causes a flush. Segments cost a search for each uncached term; documents and bytes cost
// memory in every state and time in the flush.
#include "engine/fulltext/text_memory_segment.hpp"

#include <algorithm>
#include <tuple>

namespace cairn::engine {
namespace {

/// The documents of one chunk. If ids ascend, more documents would not reduce the number of keys to
/// write.
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

// A binary heap of the next entries of all segments. Of equal name and chunk the older segment
// comes first, because its changes apply first.
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

// Takes the first entry from the heap and pushes the next one of its segment.
void SegmentMerge::take() {
  std::pop_heap(heap_.begin(), heap_.end(), is_later);
  // A copy, because push() may overwrite the heap's last element.
  const Place place = heap_.back();
  heap_.pop_back();
  operands_.push_back(place.entry.operand);
  push(place.segment, place.at + 1);
}

// Collects the changes of one chunk as views into the segments, which the caller owns.
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
