#pragma once
// The log of a full-text index: segments of the last commits whose changes the chunks of their terms do
// not have yet. Readers lay them over the chunks; a commit that finds enough of them folds them.

#include "codec/text_segment.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace cairn::engine {

using TextSegmentPtr = std::shared_ptr<const codec::TextSegment>;  // owners: states, transactions

/// As of one commit: what one published state holds of an index besides its statistics.
class TextMemorySegment {
 public:
  /// Older first. In the store, segment `i` has the number `i`.
  [[nodiscard]] const std::vector<TextSegmentPtr>& segments() const noexcept { return segments_; }
  void add(TextSegmentPtr segment) { segments_.push_back(std::move(segment)); }
  void clear() noexcept { segments_.clear(); }
  /// The oldest ones, which have been folded.
  void drop_first(std::size_t count);
  /// Enough that writing each term once for all of them costs little, and no more than readers and
  /// memory bear: a term that is not cached is sought in every segment.
  [[nodiscard]] bool is_full() const { return has_share(0, 1); }
  /// Whether the segments from `first` on reach a quarter of a bound.
  [[nodiscard]] bool is_quarter_full(std::size_t first) const { return has_share(first, 4); }
  [[nodiscard]] std::uint64_t documents(std::size_t first = 0) const;
  [[nodiscard]] std::size_t memory_bytes(std::size_t first = 0) const;

 private:
  /// One of so many equal parts, from a segment on.
  [[nodiscard]] bool has_share(std::size_t first, std::size_t parts) const;

  std::vector<TextSegmentPtr> segments_;
};

/// Walks the entries of several segments as one list by ascending name and chunk. The segments must
/// outlive it. Cost: a step is logarithmic in their number.
class SegmentMerge {
 public:
  /// Starts at the first entry whose name is not less than `first`.
  explicit SegmentMerge(std::span<const TextSegmentPtr> segments, std::string_view first = {});

  [[nodiscard]] bool valid() const noexcept { return !operands_.empty(); }
  [[nodiscard]] std::string_view name() const noexcept { return name_; }
  [[nodiscard]] std::uint64_t chunk() const noexcept { return chunk_; }
  /// The operands of this chunk, oldest first.
  [[nodiscard]] const std::vector<std::string_view>& operands() const noexcept { return operands_; }
  void next();
  /// Past all chunks of the name.
  void next_name();

 private:
  /// Where it is in one segment, which is not its end.
  struct Place {
    codec::TextSegmentEntry entry;
    std::size_t segment = 0;
    std::size_t at = 0;
  };
  [[nodiscard]] static bool is_later(const Place& a, const Place& b);
  void push(std::size_t segment, std::size_t at);
  void take();

  std::span<const TextSegmentPtr> segments_;
  std::vector<Place> heap_;  // the earliest entry first
  std::string_view name_;
  std::uint64_t chunk_ = 0;
  std::vector<std::string_view> operands_;  // empty at the end
};

}  // namespace cairn::engine
