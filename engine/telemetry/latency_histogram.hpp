#pragma once
// LatencyHistogram: how many calls took how long, in fixed buckets of three to a power of ten.

#include "engine/telemetry/sharded_counter.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace cairn::engine {

/// Threads: any. As relaxed as ShardedCounter.
class LatencyHistogram {
 public:
  using Duration = std::chrono::steady_clock::duration;

  /// In microseconds: from what a statement takes that finds a node, to ten seconds.
  static constexpr std::array<std::uint32_t, 19> bounds = {
      10,     25,     50,      100,     250,     500,       1'000,     2'500,     5'000,     10'000,
      25'000, 50'000, 100'000, 250'000, 500'000, 1'000'000, 2'500'000, 5'000'000, 10'000'000};

  void add(Duration duration) noexcept;

  struct Content {
    std::array<std::uint64_t, bounds.size() + 1> buckets{};  ///< the last one: above all bounds
    double seconds = 0;
  };
  [[nodiscard]] Content content() const noexcept;

 private:
  struct alignas(64) Shard {
    std::array<std::atomic<std::uint64_t>, bounds.size() + 1> buckets{};
    std::atomic<std::uint64_t> nanoseconds = 0;
  };
  std::array<Shard, counter_shards> shards_;
};

}  // namespace cairn::engine
