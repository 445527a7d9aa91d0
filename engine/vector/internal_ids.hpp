#pragma once
// InternalIds: which entity lies in which slot of a segment, and the way back. A slot that was replaced
// or erased before the segment was sealed is dead: it carries the graph, but is nobody's.

#include "codec/bitmap.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace cairn::engine {

// DenseOrdinals: from ids to ranks, which are places in an ascending list of ids. Where ids lie close, a
// set of them becomes ranks by copying words of bits, without a look at any single id.

class DenseOrdinals {
 public:
  DenseOrdinals() = default;
  /// `ids` ascend, and stay where they are as long as the map lives.
  explicit DenseOrdinals(std::span<const std::uint64_t> ids);

  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t id) const noexcept;
  /// Set the bits of the ranks of `set` in `bits`, which has a zero for each rank; returns how many.
  /// Cost: about 3 us for each 65,536 ids that lie close; else like for_each_of().
  std::size_t mark(const codec::Bitmap& set, std::span<std::uint64_t> bits) const;
  /// The ranks of `set`, ascending. Cost: a few nanoseconds for each id of the set.
  [[nodiscard]] std::vector<std::uint32_t> list(const codec::Bitmap& set) const;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  static constexpr std::size_t words = codec::Container::bitmap_words;

  /// Which of 65,536 ids are there, and how many before each word.
  struct Table {
    std::uint64_t present[words];
    std::uint32_t before[words];
  };
  struct Chunk {
    std::uint64_t key = 0;
    std::uint32_t first = 0;  ///< rank
    std::uint32_t count = 0;
    bool is_whole = false;         ///< ids without a gap
    std::unique_ptr<Table> table;  ///< null where it would be larger than the ids
  };

  void add_chunk(std::size_t first, std::size_t last);
  [[nodiscard]] std::optional<std::uint32_t> find(const Chunk& chunk,
                                                  std::uint16_t low) const noexcept;
  std::size_t mark_words(const Chunk& chunk, std::span<const std::uint64_t> allowed,
                         std::span<std::uint64_t> bits) const;
  void shift_array(const Chunk& chunk, std::span<const std::uint16_t> values,
                   std::vector<std::uint32_t>& ranks) const;
  template <class Visit>
  void for_each_pair(const codec::Bitmap& set, Visit&& visit) const;
  template <class Visit>
  void for_each_rank(const Chunk& chunk, const codec::Container& values, Visit&& visit) const;

  std::span<const std::uint64_t> ids_;
  std::vector<Chunk> chunks_;  // ascending
};

/// A bit for each slot; an empty vector has no bit set.
using SlotBits = std::vector<std::uint64_t>;

[[nodiscard]] inline bool test_bit(const SlotBits& bits, std::uint32_t slot) noexcept {
  return !bits.empty() && (bits[slot >> 6] >> (slot & 63) & 1) != 0;
}
inline void set_bit(SlotBits& bits, std::uint32_t slot) noexcept {
  bits[slot >> 6] |= std::uint64_t{1} << (slot & 63);
}

class InternalIds {
 public:
  InternalIds() = default;
  /// `entities[slot]`; no two live slots of one entity.
  InternalIds(std::vector<std::uint64_t> entities, SlotBits dead);

  [[nodiscard]] std::size_t slots() const noexcept { return entities_.size(); }
  [[nodiscard]] std::size_t live() const noexcept { return live_; }
  [[nodiscard]] std::uint64_t entity(std::uint32_t slot) const noexcept { return entities_[slot]; }
  /// Starts to bring its entity near.
  void fetch(std::uint32_t slot) const noexcept { __builtin_prefetch(&entities_[slot]); }
  [[nodiscard]] bool is_dead(std::uint32_t slot) const noexcept { return test_bit(dead_, slot); }
  /// The entity's live slot. Cost: a binary search.
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t entity) const noexcept;
  /// Whether every entity has one live slot only.
  [[nodiscard]] bool is_unambiguous() const noexcept;

  /// Live slots by rank, which is the place of their entity in ascending order.
  [[nodiscard]] const DenseOrdinals& ranks() const noexcept { return dense_ordinals_; }
  [[nodiscard]] std::uint32_t slot_at(std::size_t rank) const noexcept {
    return ranked_slots_.empty() ? static_cast<std::uint32_t>(rank) : ranked_slots_[rank];
  }

  /// Whether every live slot is its own rank.
  [[nodiscard]] bool is_ascending() const noexcept { return ranked_slots_.empty(); }

  /// The entities by slot, dead slots included.
  [[nodiscard]] std::span<const std::uint64_t> entities() const noexcept { return entities_; }
  [[nodiscard]] const SlotBits& dead() const noexcept { return dead_; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// Call `visit(slot)` for each live slot, in ascending order of entities.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t rank = 0; rank < live_; ++rank) visit(slot_at(rank));
  }

  /// The same for the entities in `allowed`, walking both in step, chunk by chunk.
  template <class Visit>
  void for_each_of(const codec::Bitmap& allowed, Visit&& visit) const {
    const auto ranked = ranked_entities();
    auto from = ranked.begin();
    for (const codec::Bitmap::Chunk& chunk : allowed.chunks()) {
      from = std::lower_bound(from, ranked.end(), chunk.key << 16);
      const auto to = std::upper_bound(from, ranked.end(), chunk.key << 16 | 0xFFFF);
      visit_chunk(*chunk.container, static_cast<std::size_t>(from - ranked.begin()),
                  static_cast<std::size_t>(to - ranked.begin()), visit);
      from = to;
    }
  }

 private:
  /// Live entities in ascending order: a rank is a place among them.
  [[nodiscard]] std::span<const std::uint64_t> ranked_entities() const noexcept {
    return ranked_slots_.empty() ? std::span(entities_).first(live_) : ranked_entities_;
  }

  /// Test members against a bitmap, or against few values; else look for each value among members.
  template <class Visit>
  void visit_chunk(const codec::Container& values, std::size_t rank, std::size_t end,
                   Visit& visit) const {
    const auto ranked = ranked_entities();
    const auto low = [&](std::size_t at) { return static_cast<std::uint16_t>(ranked[at]); };
    if (values.form() == codec::Container::Form::bitmap) {
      visit_bitmap(values.words(), ranked.subspan(rank, end - rank), rank, visit);
    } else if ((end - rank) * 4 < values.cardinality()) {
      for (; rank < end; ++rank)
        if (values.contains(low(rank))) visit(slot_at(rank));
    } else {
      values.for_each([&](std::uint16_t value) {
        rank = first_not_below(rank, end, value);
        if (rank < end && low(rank) == value) visit(slot_at(rank++));
      });
    }
  }

  /// In blocks: ranks are collected without a branch on their bits, which nobody could predict.
  template <class Visit>
  void visit_bitmap(std::span<const std::uint64_t> words, std::span<const std::uint64_t> entities,
                    std::size_t first_rank, Visit& visit) const {
    std::array<std::uint16_t, 1'024> found;
    for (std::size_t from = 0; from < entities.size(); from += found.size()) {
      const auto block = entities.subspan(from, std::min(found.size(), entities.size() - from));
      std::size_t count = 0;
      for (std::size_t i = 0; i < block.size(); ++i) {
        found[count] = static_cast<std::uint16_t>(i);
        count += words[(block[i] & 0xFFFF) >> 6] >> (block[i] & 63) & 1;
      }
      for (std::size_t i = 0; i < count; ++i) visit(slot_at(first_rank + from + found[i]));
    }
  }

  /// The first rank of [rank, end) whose entity has lower bits >= value, by steps that double.
  [[nodiscard]] std::size_t first_not_below(std::size_t rank, std::size_t end,
                                            std::uint16_t value) const noexcept;

  std::vector<std::uint64_t> entities_;  // by slot
  SlotBits dead_;
  std::size_t live_ = 0;
  // Both empty where live slots are all slots in ascending order of entities.
  std::vector<std::uint64_t> ranked_entities_;
  std::vector<std::uint32_t> ranked_slots_;
  DenseOrdinals
      dense_ordinals_;  // over one of the two lists of entities, which stay where they are when moved
};

}  // namespace cairn::engine
