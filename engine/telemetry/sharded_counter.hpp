#pragma once
// ShardedCounter: a number that many threads add to and few read. Threads add to places of their own, so that
// no cache line goes back and forth between processors.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cairn::engine {

inline constexpr std::size_t counter_shards = 8;

/// The shard that this thread adds to: threads get them in turn.
[[nodiscard]] inline std::size_t own_shard() noexcept {
  static std::atomic<std::size_t> next = 0;
  thread_local const std::size_t own =
      next.fetch_add(1, std::memory_order_relaxed) % counter_shards;
  return own;
}

/// Threads: any. Relaxed: a sum may lack what another thread adds meanwhile.
class ShardedCounter {
 public:
  void add(std::uint64_t count = 1) noexcept {
    shards_[own_shard()].count.fetch_add(count, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t sum() const noexcept {
    std::uint64_t sum = 0;
    for (const Shard& shard : shards_) sum += shard.count.load(std::memory_order_relaxed);
    return sum;
  }

 private:
  static constexpr std::size_t cache_line_bytes = 64;
  struct alignas(cache_line_bytes) Shard {
    std::atomic<std::uint64_t> count = 0;
  };
  std::array<Shard, counter_shards> shards_;
};

}  // namespace cairn::engine
