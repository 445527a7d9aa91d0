#pragma once
// VectorDelta: the vectors committed since the segment was sealed, which searches scan exactly. It
// only grows: an update appends a position, and marks the entity's older position with the version
// that ended it.
//
// Views share all memory with the writer. A view of version v with n positions sees position p if p
// < n and p was ended after v. So later changes do not affect a view, a commit costs only its own
// changes, and readers need no lock.

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace cairn::engine {

// A hash table from an entity to its newest position in the delta. One thread writes while any
// number of threads read. The capacity is fixed; the owner makes a larger table when it is full.
//
// Open addressing with linear probing. Entries are never removed, so a free entry proves that an
// entity is absent.

inline constexpr std::uint32_t no_position = std::numeric_limits<std::uint32_t>::max();

class PositionTable {
 public:
  /// Makes a table with room for `entities` entities, whose ids are below 2^64 - 1.
  explicit PositionTable(std::size_t entities)
      : entries_(std::bit_ceil(2 * entities)), mask_(entries_.size() - 1) {}

  /// The newest position of an entity, or no_position. Threads: any number, also during set().
  [[nodiscard]] std::uint32_t find(std::uint64_t entity) const noexcept {
    for (std::size_t i = home(entity);; i = (i + 1) & mask_) {
      const std::uint64_t key = entries_[i].key.load(std::memory_order_acquire);
      if (key == entity + 1) return entries_[i].position.load(std::memory_order_acquire);
      if (key == 0) return no_position;
    }
  }

  /// Threads: one. Stores the position before the key, so that a reader that sees the key sees a
  /// position.
  void set(std::uint64_t entity, std::uint32_t position) noexcept {
    std::size_t i = home(entity);
    while (true) {
      const std::uint64_t key = entries_[i].key.load(std::memory_order_relaxed);
      if (key == 0 || key == entity + 1) break;
      i = (i + 1) & mask_;
    }
    entries_[i].position.store(position, std::memory_order_release);
    entries_[i].key.store(entity + 1, std::memory_order_release);
  }

  /// Copies all entries into this table, which no other thread may read yet.
  void copy_from(const PositionTable& other) noexcept {
    for (const Entry& entry : other.entries_) {
      const std::uint64_t key = entry.key.load(std::memory_order_relaxed);
      if (key != 0) set(key - 1, entry.position.load(std::memory_order_relaxed));
    }
  }

  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return entries_.size() * sizeof(Entry);
  }

 private:
  struct Entry {
    std::atomic<std::uint64_t> key{0};  // entity + 1; 0 if the entry is free
    std::atomic<std::uint32_t> position{no_position};
  };

  // Fibonacci hashing distributes dense ids over the table.
  [[nodiscard]] std::size_t home(std::uint64_t entity) const noexcept {
    return static_cast<std::size_t>((entity + 1) * 0x9E3779B97F4A7C15ull >> 20) & mask_;
  }

  std::vector<Entry> entries_;  // at least half of them are free
  std::size_t mask_;
};

/// A fixed number of positions, with their vectors one after the other.
struct DeltaChunk {
  DeltaChunk(std::size_t positions, std::size_t dimension);

  std::unique_ptr<std::uint64_t[]> entities;
  std::unique_ptr<std::uint32_t[]> previous;  ///< the position before this one of the same entity
  /// The version that ended the position, or VectorDelta's `never`.
  std::unique_ptr<std::atomic<std::uint64_t>[]> ended;
  std::unique_ptr<float[]> components;
};

/// The chunks and the table of one capacity. When it is outgrown, views that refer to it still use
/// it.
struct DeltaStorage {
  DeltaStorage(std::size_t positions, std::size_t chunk_count)
      : chunks(chunk_count), newest(positions) {}

  std::vector<std::shared_ptr<DeltaChunk>> chunks;  // owners: storages of several sizes
  PositionTable newest;
};

/// The delta as of one version. Threads: any number.
class DeltaView {
 public:
  DeltaView() = default;

  /// The number of positions, and how many of them hold the current vector of an entity.
  [[nodiscard]] std::uint32_t positions() const noexcept { return positions_; }
  [[nodiscard]] std::uint32_t live() const noexcept { return live_; }
  /// The vector of an entity, or nullptr. Valid as long as the view or a copy of it.
  [[nodiscard]] const float* find(std::uint64_t entity) const noexcept;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// Calls `visit(entity, row)` for each live position, in order of positions.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::uint32_t position = 0; position < positions_; ++position) {
      const DeltaChunk& chunk = chunk_of(position);
      const std::size_t at = position & mask_;
      if (chunk.ended[at].load(std::memory_order_relaxed) > version_)
        visit(chunk.entities[at], chunk.components.get() + at * dimension_);
    }
  }

 private:
  friend class VectorDelta;

  [[nodiscard]] const DeltaChunk& chunk_of(std::uint32_t position) const noexcept {
    return *storage_->chunks[position >> shift_];
  }

  std::shared_ptr<const DeltaStorage> storage_;  // owners: the delta and its views
  std::uint64_t version_ = 0;
  std::size_t dimension_ = 0;
  std::uint32_t positions_ = 0;
  std::uint32_t live_ = 0;
  std::uint32_t shift_ = 0;  ///< the chunk is position >> shift, the place in it position & mask
  std::uint32_t mask_ = 0;
};

/// The writer's side of the delta. Threads: one.
class VectorDelta {
 public:
  explicit VectorDelta(std::size_t dimension);

  /// Sets the vector of an entity. `stored` is in stored form. Versions must not decrease from call
  /// to call.
  void put(std::uint64_t entity, std::span<const float> stored, std::uint64_t version);
  /// Removes the vector of an entity, if it is in the delta.
  void erase(std::uint64_t entity, std::uint64_t version);
  /// A view of the current contents; `version` is the version of the newest change. Cost: constant.
  [[nodiscard]] DeltaView view(std::uint64_t version) const;

 private:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  /// Ends the live position of an entity, if any. Returns its newest position, live or not, or
  /// no_position.
  std::uint32_t end(std::uint64_t entity, std::uint64_t version);
  void grow();
  [[nodiscard]] DeltaChunk& chunk_of(std::uint32_t position) noexcept {
    return *storage_->chunks[position >> shift_];
  }

  std::size_t dimension_;
  std::uint32_t shift_;
  std::uint32_t positions_ = 0;
  std::uint32_t live_ = 0;
  std::shared_ptr<DeltaStorage> storage_;  // owners: the delta and its views
};

}  // namespace cairn::engine
