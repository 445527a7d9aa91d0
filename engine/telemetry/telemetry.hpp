#pragma once
// Telemetry: what one open database counts. Operations add to it without a lock.

#include "engine/telemetry/latency_histogram.hpp"
#include "engine/telemetry/sharded_counter.hpp"

#include <cairn/metrics.hpp>

namespace cairn::engine {

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

}  // namespace cairn::engine
