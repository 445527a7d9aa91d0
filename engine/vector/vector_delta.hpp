#pragma once
// VectorDelta: the vectors committed since the segment was sealed, scanned exactly. It only grows:
// an update appends, and marks the older position with the version that ended it.
//
// Views share everything with the writer. A view of version v and n positions sees position p when
// p < n and p was ended after v. So whatever is appended or ended later changes no view, a commit
// costs its own changes only, and readers need no lock.

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace cairn::engine {

// PositionTable: entity -> its newest position in the delta. One writer adds while any number of
// threads read. It has room for a number of entities that is fixed; the owner makes a larger one.
//
// Open addressing, one step at a time. Nothing is ever taken out, so that a reader who meets a free
// entry knows that the entity is not there.

inline constexpr std::uint32_t no_position = std::numeric_limits<std::uint32_t>::max();

class PositionTable {
 public:
  /// Makes a table with room for `entities` entities, whose ids are below 2^64 - 1.
  explicit PositionTable(std::size_t entities)
      : entries_(std::bit_ceil(2 * entities)), mask_(entries_.size() - 1) {}

  /// Or no_position. Threads: any, while one sets.
  [[nodiscard]] std::uint32_t find(std::uint64_t entity) const noexcept {
    for (std::size_t i = home(entity);; i = (i + 1) & mask_) {
      const std::uint64_t key = entries_[i].key.load(std::memory_order_acquire);
      if (key == entity + 1) return entries_[i].position.load(std::memory_order_acquire);
      if (key == 0) return no_position;
    }
  }

  /// Threads: one. The position is stored first, so that a reader who sees the key sees one.
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

  /// Into a table that nobody reads yet.
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
    std::atomic<std::uint64_t> key{0};  // entity + 1; 0: free
    std::atomic<std::uint32_t> position{no_position};
  };

  // Fibonacci hashing: dense ids land far apart.
  [[nodiscard]] std::size_t home(std::uint64_t entity) const noexcept {
    return static_cast<std::size_t>((entity + 1) * 0x9E3779B97F4A7C15ull >> 20) & mask_;
  }

  std::vector<Entry> entries_;  // at least half of them free
  std::size_t mask_;
};

/// A fixed number of positions; their vectors lie side by side.
struct DeltaChunk {
  DeltaChunk(std::size_t positions, std::size_t dimension);

  std::unique_ptr<std::uint64_t[]> entities;
  std::unique_ptr<std::uint32_t[]> previous;  ///< the same entity's position before this one
  std::unique_ptr<std::atomic<std::uint64_t>[]> ended;  ///< version, or `never`
  std::unique_ptr<float[]> components;
};

/// Chunks and table of one size. Outgrown, it stays as it is for the views that hold it.
struct DeltaStorage {
  DeltaStorage(std::size_t positions, std::size_t chunk_count)
      : chunks(chunk_count), newest(positions) {}

  std::vector<std::shared_ptr<DeltaChunk>> chunks;  // owners: storages, older and newer ones
  PositionTable newest;
};

/// The delta as of one version. Threads: any number.
class DeltaView {
 public:
  DeltaView() = default;

  /// Vectors ever put, and how many of them are still somebody's.
  [[nodiscard]] std::uint32_t positions() const noexcept { return positions_; }
  [[nodiscard]] std::uint32_t live() const noexcept { return live_; }
  /// The entity's vector, or null; valid as long as the view or a copy of it.
  [[nodiscard]] const float* find(std::uint64_t entity) const noexcept;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// Call `visit(entity, row)` for each that is live, in order of position.
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
  std::uint32_t shift_ = 0;  ///< position >> shift is the chunk, position & mask the place in it
  std::uint32_t mask_ = 0;
};

/// The writer's side. Threads: one.
class VectorDelta {
 public:
  explicit VectorDelta(std::size_t dimension);

  /// Versions never fall from call to call. `stored` is as store_components() wrote it.
  void put(std::uint64_t entity, std::span<const float> stored, std::uint64_t version);
  /// Nothing happens where the entity has no vector here.
  void erase(std::uint64_t entity, std::uint64_t version);
  /// What is there now; `version` is that of the newest change. Cost: constant.
  [[nodiscard]] DeltaView view(std::uint64_t version) const;

 private:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  /// End the entity's live position; returns its newest position, live or not.
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
