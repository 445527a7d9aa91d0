#pragma once
// InternalIds: maps slots of a segment to entities and back. A slot whose vector was replaced or
// erased before the segment was sealed is dead: it remains a node of the graph but belongs to no
// entity.

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

// Maps ids to ranks, their places in an ascending list of ids. If ids are dense, a bitmap of ids is
// converted to ranks by copying words of bits, without handling each id.

class DenseOrdinals {
 public:
  DenseOrdinals() = default;
  /// `ids` must ascend, and must outlive this object.
  explicit DenseOrdinals(std::span<const std::uint64_t> ids);

  /// The rank of `id`, or nullopt if it is not in the list.
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t id) const noexcept;
  /// Sets the bits of the ranks of `set` in `bits`, which must be zero, and returns their number.
  /// Cost: about 3 us for each 65,536 ids that are dense, otherwise like list().
  std::size_t mark(const codec::Bitmap& set, std::span<std::uint64_t> bits) const;
  /// The ranks of `set`, ascending. Cost: a few nanoseconds for each id of the set.
  [[nodiscard]] std::vector<std::uint32_t> list(const codec::Bitmap& set) const;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  static constexpr std::size_t words = codec::Container::bitmap_words;

  /// For 65,536 ids: which of them exist, and how many exist before each word.
  struct Table {
    std::uint64_t present[words];
    std::uint32_t before[words];
  };
  /// The ids of the list with the same upper bits.
  struct Chunk {
    /// The upper bits: id >> 16.
    std::uint64_t key = 0;
    std::uint32_t first = 0;  ///< rank of its first id
    std::uint32_t count = 0;
    bool is_whole = false;  ///< its ids have no gap
    /// Null for a chunk with few ids, because the size of a table does not depend on their number.
    std::unique_ptr<Table> table;
  };

  // These are explained in the .cpp, except find(): it returns the rank of the chunk's id with the
  // lower bits `low`, or nullopt.
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

/// One bit for each slot. In an empty vector no bit is set.
using SlotBits = std::vector<std::uint64_t>;

[[nodiscard]] inline bool test_bit(const SlotBits& bits, std::uint32_t slot) noexcept {
  return !bits.empty() && (bits[slot >> 6] >> (slot & 63) & 1) != 0;
}
inline void set_bit(SlotBits& bits, std::uint32_t slot) noexcept {
  bits[slot >> 6] |= std::uint64_t{1} << (slot & 63);
}

/// Immutable after construction. Threads: any number at once.
class InternalIds {
 public:
  InternalIds() = default;
  /// `entities[slot]` is the entity of each slot. An entity must not have two live slots.
  InternalIds(std::vector<std::uint64_t> entities, SlotBits dead);

  [[nodiscard]] std::size_t slots() const noexcept { return entities_.size(); }
  [[nodiscard]] std::size_t live() const noexcept { return live_; }
  [[nodiscard]] std::uint64_t entity(std::uint32_t slot) const noexcept { return entities_[slot]; }
  /// Prefetches the entity of a slot.
  void fetch(std::uint32_t slot) const noexcept { __builtin_prefetch(&entities_[slot]); }
  [[nodiscard]] bool is_dead(std::uint32_t slot) const noexcept { return test_bit(dead_, slot); }
  /// The live slot of an entity, or nullopt. Cost: a binary search.
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t entity) const noexcept;
  /// True if no entity has more than one live slot. Checks what the constructor requires, for data
  /// of a file.
  [[nodiscard]] bool is_unambiguous() const noexcept;

  /// Maps entities of live slots to ranks, their places in ascending order.
  [[nodiscard]] const DenseOrdinals& ranks() const noexcept { return dense_ordinals_; }
  /// The live slot of a rank.
  [[nodiscard]] std::uint32_t slot_at(std::size_t rank) const noexcept {
    return ranked_slots_.empty() ? static_cast<std::uint32_t>(rank) : ranked_slots_[rank];
  }

  /// True if the slot of every entity is its rank: no slot is dead, and slots ascend with ids.
  [[nodiscard]] bool is_ascending() const noexcept { return ranked_slots_.empty(); }

  /// The entities by slot, including those of dead slots.
  [[nodiscard]] std::span<const std::uint64_t> entities() const noexcept { return entities_; }
  [[nodiscard]] const SlotBits& dead() const noexcept { return dead_; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// Calls `visit(slot)` for each live slot in ascending order of entities.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t rank = 0; rank < live_; ++rank) visit(slot_at(rank));
  }

  /// Calls `visit(slot)` only for the entities in `allowed`. Iterates over both sets in step, one
  /// chunk of 65,536 ids at a time.
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
  /// Live entities in ascending order; the index is the rank.
  [[nodiscard]] std::span<const std::uint64_t> ranked_entities() const noexcept {
    return ranked_slots_.empty() ? std::span(entities_).first(live_) : ranked_entities_;
  }

  /// Handles one chunk: tests members against a bitmap or a much larger container, otherwise looks
  /// up each value among the members.
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

  /// Works in blocks and collects matches without a branch on their bits, which would be
  /// mispredicted often.
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

  /// The first rank of [rank, end) whose entity has lower bits >= value. Galloping search.
  [[nodiscard]] std::size_t first_not_below(std::size_t rank, std::size_t end,
                                            std::uint16_t value) const noexcept;

  std::vector<std::uint64_t> entities_;  // by slot
  // Empty if no slot is dead.
  SlotBits dead_;
  std::size_t live_ = 0;
  // Live entities in ascending order, and their slots. Both are empty if no slot is dead and slots
  // ascend with ids.
  std::vector<std::uint64_t> ranked_entities_;
  std::vector<std::uint32_t> ranked_slots_;
  // Refers to entities_ or ranked_entities_, whose elements stay at their addresses when this
  // object is moved.
  DenseOrdinals dense_ordinals_;
};

}  // namespace cairn::engine
