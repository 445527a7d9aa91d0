#pragma once
// What an open database reports to the program. Telemetry: counters and histograms, updated without a lock.
// Messages: the log messages of Options::log.

#include <cairn/log.hpp>
#include <cairn/metrics.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::engine {

// ShardedCounter: a counter that many threads increment and few read. It consists of shards in separate cache lines, and
// threads add to different shards. So processors do not compete for a cache line.

inline constexpr std::size_t counter_shards = 8;

/// The index of the shard that this thread adds to. Threads are assigned to shards round-robin.
[[nodiscard]] inline std::size_t own_shard() noexcept {
  static std::atomic<std::size_t> next = 0;
  thread_local const std::size_t own =
      next.fetch_add(1, std::memory_order_relaxed) % counter_shards;
  return own;
}

/// Threads: any. Memory order is relaxed: a sum may miss increments that other threads make at the same time.
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

/// A histogram of durations with fixed buckets, three for each power of ten. Threads: any, with relaxed memory order like
/// ShardedCounter.
class LatencyHistogram {
 public:
  using Duration = std::chrono::steady_clock::duration;

  /// Upper bounds of the buckets in microseconds: from 10 us, about the time of a statement that finds one node, to 10 s.
  static constexpr std::array<std::uint32_t, 19> bounds = {
      10,     25,     50,      100,     250,     500,       1'000,     2'500,     5'000,     10'000,
      25'000, 50'000, 100'000, 250'000, 500'000, 1'000'000, 2'500'000, 5'000'000, 10'000'000};

  void add(Duration duration) noexcept;

  /// The sums over all shards.
  struct Content {
    /// The number of durations in each bucket. The last bucket has those above all bounds.
    std::array<std::uint64_t, bounds.size() + 1> buckets{};
    double seconds = 0;  ///< sum of all durations
  };
  [[nodiscard]] Content content() const noexcept;

 private:
  struct alignas(64) Shard {
    std::array<std::atomic<std::uint64_t>, bounds.size() + 1> buckets{};
    std::atomic<std::uint64_t> nanoseconds = 0;
  };
  std::array<Shard, counter_shards> shards_;
};

/// The metrics of a database since it was opened. telemetry.cpp has the public name and the description of each.
struct Telemetry {
  ShardedCounter commits;
  ShardedCounter failed_commits;
  ShardedCounter records;
  ShardedCounter bytes;
  ShardedCounter checkpoints;
  ShardedCounter statements;
  ShardedCounter failed_statements;
  ShardedCounter cancelled_statements;
  ShardedCounter rows;
  ShardedCounter vector_searches;
  ShardedCounter text_searches;
  ShardedCounter writer_waits;

  LatencyHistogram commit_time;
  LatencyHistogram statement_time;
  LatencyHistogram search_time;
  LatencyHistogram checkpoint_time;
  LatencyHistogram writer_wait_time;

  /// Returns all metrics with their public names.
  [[nodiscard]] Metrics metrics() const;
};

/// Adds the time between its construction and destruction to a histogram.
class TimedBlock {
 public:
  explicit TimedBlock(LatencyHistogram& histogram) : histogram_(histogram) {}
  TimedBlock(const TimedBlock&) = delete;
  TimedBlock& operator=(const TimedBlock&) = delete;
  ~TimedBlock() { histogram_.add(elapsed()); }

  [[nodiscard]] LatencyHistogram::Duration elapsed() const {
    return std::chrono::steady_clock::now() - begun_;
  }

 private:
  LatencyHistogram& histogram_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

// Messages: passes the log messages of a database to the sink of Options::log.

/// Rules for calling a sink:
///
/// - The sink runs on the thread that sends the message, one call at a time. No lock is held that readers or other parts of
///   a commit need. A slow sink only delays this thread (an open, a checkpoint, the maintenance thread, a commit that makes
///   an index or fails) and other threads that send messages.
/// - Exceptions of the sink are caught. That message is lost; the next one is delivered.
/// - A message that the sink itself causes on the same thread is dropped, as sending it would deadlock.
///
/// Threads: any.
class Messages {
 public:
  explicit Messages(LogSink sink) : sink_(std::move(sink)) {}

  /// True if there is a sink, so that composing a message is worth while.
  [[nodiscard]] bool are_heard() const noexcept { return static_cast<bool>(sink_); }
  /// Sends a message. `area` is the part of the database that it concerns, such as "commit".
  void tell(LogLevel level, std::string_view area, std::string text) noexcept;

 private:
  const LogSink sink_;
  std::mutex mutex_;  // allows one call at a time; no other lock is taken while it is held
};

/// Returns a duration as text, such as "0.4 ms", "12.3 ms" or "2.03 s".
[[nodiscard]] std::string duration_text(std::chrono::steady_clock::duration duration);

}  // namespace cairn::engine
