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

// ShardedCounter: a number that many threads add to and few read. Threads add to places of their own, so that
// no cache line goes back and forth between processors.

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

/// How many calls took how long, in fixed buckets of three to a power of ten. Threads: any, as relaxed as ShardedCounter.
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

/// Counters since the opening. Names and meanings as they are shown are in telemetry.cpp.
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

  /// All of them, under their names.
  [[nodiscard]] Metrics metrics() const;
};

/// Adds the time of a block to a histogram.
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

/// The rules for a sink:
///
/// - It runs on the thread that sends the message, one call at a time, while no lock is held that a reader or
///   another part of a commit wants. A slow one slows this thread (an opening, a checkpoint, the
///   background, a commit that makes an index or fails) and other threads with messages.
/// - An exception is caught; its message is lost, the next one is delivered.
/// - A message that comes from within a call of the sink on the same thread is dropped: it would wait for itself.
///
/// Threads: any.
class Messages {
 public:
  explicit Messages(LogSink sink) : sink_(std::move(sink)) {}

  [[nodiscard]] bool are_heard() const noexcept { return static_cast<bool>(sink_); }
  void tell(LogLevel level, std::string_view area, std::string text) noexcept;

 private:
  const LogSink sink_;
  std::mutex mutex_;  // one call at a time; taken alone, and last
};

/// "0.4 ms", "12.3 ms", "2.03 s".
[[nodiscard]] std::string duration_text(std::chrono::steady_clock::duration duration);

}  // namespace cairn::engine
