#include "engine/telemetry/telemetry.hpp"

#include <algorithm>

namespace cairn::engine {

// A bound belongs to the bucket below it, as Prometheus has it ("le").
void LatencyHistogram::add(Duration duration) noexcept {
  const auto count = std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
  const auto nanoseconds = static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
  const auto is_below = [](std::uint32_t bound, std::uint64_t taken) {
    return std::uint64_t{bound} * 1'000 < taken;
  };
  const auto bound = std::lower_bound(bounds.begin(), bounds.end(), nanoseconds, is_below);
  Shard& shard = shards_[own_shard()];
  shard.buckets[static_cast<std::size_t>(bound - bounds.begin())].fetch_add(
      1, std::memory_order_relaxed);
  shard.nanoseconds.fetch_add(nanoseconds, std::memory_order_relaxed);
}

LatencyHistogram::Content LatencyHistogram::content() const noexcept {
  Content content;
  std::uint64_t nanoseconds = 0;
  for (const Shard& shard : shards_) {
    for (std::size_t i = 0; i < shard.buckets.size(); ++i)
      content.buckets[i] += shard.buckets[i].load(std::memory_order_relaxed);
    nanoseconds += shard.nanoseconds.load(std::memory_order_relaxed);
  }
  content.seconds = static_cast<double>(nanoseconds) / 1e9;
  return content;
}

}  // namespace cairn::engine
