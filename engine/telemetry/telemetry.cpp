// The names and descriptions of the metrics. A released name never changes, as dashboards of users refer to it.
#include "engine/telemetry/telemetry.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

namespace cairn::engine {
namespace {

/// One counter: its public name and description, and its member.
struct CounterRow {
  const char* name;
  const char* help;
  ShardedCounter Telemetry::* counter;
};
constexpr std::array counter_rows = {
    CounterRow{"cairn_commits_total", "Transactions that changed something and were committed.",
               &Telemetry::commits},
    CounterRow{"cairn_commits_failed_total", "Commits that ended in an error.",
               &Telemetry::failed_commits},
    CounterRow{"cairn_records_written_total",
               "Nodes and relationships that commits made, changed or erased.",
               &Telemetry::records},
    CounterRow{
        "cairn_bytes_written_total",
        "Bytes that commits wrote to the log, without the postings of a new index, which are "
        "written before its commit.",
        &Telemetry::bytes},
    CounterRow{"cairn_checkpoints_total", "Checkpoints, including those at closing.",
               &Telemetry::checkpoints},
    CounterRow{"cairn_statements_total", "Statements that ended, with or without an error.",
               &Telemetry::statements},
    CounterRow{"cairn_statements_failed_total",
               "Statements that ended in an error, including cancelled ones.",
               &Telemetry::failed_statements},
    CounterRow{"cairn_statements_cancelled_total", "Statements that were cancelled.",
               &Telemetry::cancelled_statements},
    CounterRow{"cairn_rows_returned_total", "Rows that statements handed out.", &Telemetry::rows},
    CounterRow{"cairn_vector_searches_total", "Queries to vector indexes.",
               &Telemetry::vector_searches},
    CounterRow{"cairn_text_searches_total", "Queries to full-text indexes.",
               &Telemetry::text_searches},
    CounterRow{"cairn_writer_waits_total",
               "Writing transactions that had to wait for the writer lock.",
               &Telemetry::writer_waits},
};

struct HistogramRow {
  const char* name;
  const char* help;
  LatencyHistogram Telemetry::* histogram;
};
constexpr std::array histogram_rows = {
    HistogramRow{"cairn_commit_seconds", "Time of commits.", &Telemetry::commit_time},
    HistogramRow{"cairn_statement_seconds",
                 "Time inside statements, without commits and without the time of their callers.",
                 &Telemetry::statement_time},
    HistogramRow{"cairn_search_seconds",
                 "Time of searches of vector and full-text indexes; a batch of queries counts "
                 "once.",
                 &Telemetry::search_time},
    HistogramRow{"cairn_checkpoint_seconds", "Time of checkpoints.", &Telemetry::checkpoint_time},
    HistogramRow{"cairn_writer_wait_seconds",
                 "Time that writing transactions waited for the writer lock.",
                 &Telemetry::writer_wait_time},
};

Histogram to_histogram(const HistogramRow& row, const LatencyHistogram::Content& content) {
  Histogram histogram{row.name, row.help, {}, {}, content.seconds};
  for (const std::uint32_t bound : LatencyHistogram::bounds)
    histogram.bounds.push_back(static_cast<double>(bound) / 1e6);
  histogram.buckets.assign(content.buckets.begin(), content.buckets.end());
  return histogram;
}

}  // namespace

Metrics Telemetry::metrics() const {
  Metrics metrics;
  for (const CounterRow& row : counter_rows)
    metrics.values.push_back(
        {row.name, row.help, static_cast<double>((this->*row.counter).sum()), false});
  for (const HistogramRow& row : histogram_rows)
    metrics.histograms.push_back(to_histogram(row, (this->*row.histogram).content()));
  return metrics;
}

// A value equal to a bound belongs to the bucket below it, as Prometheus defines it ("le": less or equal).
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

namespace {

/// Marks this thread as running a sink, as long as the object lives.
class Telling {
 public:
  Telling() { is_telling_ = true; }
  Telling(const Telling&) = delete;
  Telling& operator=(const Telling&) = delete;
  ~Telling() { is_telling_ = false; }
  [[nodiscard]] static bool is_on() noexcept { return is_telling_; }

 private:
  static thread_local bool is_telling_;
};
thread_local bool Telling::is_telling_ = false;

}  // namespace

void Messages::tell(LogLevel level, std::string_view area, std::string text) noexcept {
  if (!sink_ || Telling::is_on()) return;
  // A message is one line, but the errors of RocksDB and of the system may have several.
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  try {
    const std::lock_guard one_at_a_time(mutex_);
    const Telling telling;
    sink_({level, area, text});
  } catch (...) {
    // The sink is code of the program. Its exception must not fail the operation of the database that sent the message.
  }
}

std::string duration_text(std::chrono::steady_clock::duration duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  std::array<char, 48> text{};
  if (seconds < 1)
    std::snprintf(text.data(), text.size(), "%.1f ms", seconds * 1'000);
  else
    std::snprintf(text.data(), text.size(), "%.2f s", seconds);
  return text.data();
}

}  // namespace cairn::engine
