#pragma once
// The write buffer of a full-text index: segments of the latest commits that are not yet merged
// into the chunks of their terms. Readers merge them with the chunks. A commit that finds enough of
// them merges them into the chunks ("flush").

#include "codec/text_segment.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace cairn::engine {

using TextSegmentPtr = std::shared_ptr<const codec::TextSegment>;  // owners: states, transactions

/// The segments of an index as of one commit. Immutable once it is part of a published state.
class TextMemorySegment {
 public:
  /// The segments, oldest first. Segment `i` has the number `i` in the store.
  [[nodiscard]] const std::vector<TextSegmentPtr>& segments() const noexcept { return segments_; }
  void add(TextSegmentPtr segment) { segments_.push_back(std::move(segment)); }
  void clear() noexcept { segments_.clear(); }
  /// Removes the oldest segments, which were merged into the chunks.
  void drop_first(std::size_t count);
  /// True if it is time to merge the segments. Writing each term once for all of them is cheap.
  /// More segments would cost too much memory and reading time, since a term that is not cached is
  /// searched for in every segment.
  [[nodiscard]] bool is_full() const { return has_share(0, 1); }
  /// True if the segments from `first` on reach a quarter of a limit.
  [[nodiscard]] bool is_quarter_full(std::size_t first) const { return has_share(first, 4); }
  [[nodiscard]] std::uint64_t documents(std::size_t first = 0) const;
  [[nodiscard]] std::size_t memory_bytes(std::size_t first = 0) const;

 private:
  /// True if the segments from `first` on reach 1 / `parts` of a limit.
  [[nodiscard]] bool has_share(std::size_t first, std::size_t parts) const;

  std::vector<TextSegmentPtr> segments_;
};

/// Iterates over the entries of several segments as one list, by ascending name and chunk. The
/// segments must outlive it. Cost: a step is logarithmic in their number.
class SegmentMerge {
 public:
  /// Starts at the first entry whose name is not less than `first`.
  explicit SegmentMerge(std::span<const TextSegmentPtr> segments, std::string_view first = {});

  [[nodiscard]] bool valid() const noexcept { return !operands_.empty(); }
  [[nodiscard]] std::string_view name() const noexcept { return name_; }
  [[nodiscard]] std::uint64_t chunk() const noexcept { return chunk_; }
  /// The changes of this chunk, one for each segment that has any, oldest first.
  [[nodiscard]] const std::vector<std::string_view>& operands() const noexcept { return operands_; }
  void next();
  /// Moves past all chunks of the name.
  void next_name();

 private:
  /// The next entry of a segment that has not ended.
  struct Place {
    codec::TextSegmentEntry entry;
    std::size_t segment = 0;
    std::size_t at = 0;
  };
  [[nodiscard]] static bool is_later(const Place& a, const Place& b);
  void push(std::size_t segment, std::size_t at);
  void take();

  std::span<const TextSegmentPtr> segments_;
  std::vector<Place> heap_;  // a heap, the earliest entry in front
  std::string_view name_;
  std::uint64_t chunk_ = 0;
  std::vector<std::string_view> operands_;  // empty at the end
};

}  // namespace cairn::engine
