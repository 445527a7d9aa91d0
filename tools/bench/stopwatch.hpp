#pragma once
// Measures the times of many runs and reports them.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace cairn::tools {

using Clock = std::chrono::steady_clock;

[[nodiscard]] double seconds_since(Clock::time_point begin);
/// Processor time of this thread in microseconds: the work of one core, independent of the load of
/// the machine.
[[nodiscard]] double thread_cpu_us();

/// Measures runs on one thread. Processor time excludes waiting, so it stays comparable on a busy
/// machine.
class Stopwatch {
 public:
  Stopwatch();
  /// Ends one run and begins the next.
  void lap();
  /// Begins a run without ending one.
  void restart();
  [[nodiscard]] std::size_t laps() const noexcept { return times_us_.size(); }
  /// {"runs", "rate" (a second), "mean_us", "p50_us", "p99_us", "max_us", "cpu_us" (mean)}; zeros
  /// without a run.
  [[nodiscard]] Map figures() const;

 private:
  Clock::time_point begin_;
  double cpu_begin_us_ = 0;
  double cpu_us_ = 0;
  std::vector<double> times_us_;
};

/// Writes `report` as a line of JSON to `file`, or to standard output for "-". Errors: io_error.
[[nodiscard]] Status write_report(const std::string& file, const Map& report);

}  // namespace cairn::tools
