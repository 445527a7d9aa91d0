#pragma once
// PositionTable: entity -> its newest position in the delta. One writer adds while any number of
// threads read. It has room for a number of entities that is fixed; the owner makes a larger one.
//
// Open addressing, one step at a time. Nothing is ever taken out, so that a reader who meets a free
// entry knows that the entity is not there.

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace cairn::engine {

inline constexpr std::uint32_t no_position = std::numeric_limits<std::uint32_t>::max();

class PositionTable {
 public:
  /// With room for `entities`, of ids below 2^64 - 1.
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

}  // namespace cairn::engine
