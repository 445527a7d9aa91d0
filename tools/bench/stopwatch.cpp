// Measures laps by the wall clock and by the processor time of this thread. The latter does not
// include other threads.
#include "tools/bench/stopwatch.hpp"

#include <cairn/json.hpp>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iostream>
#include <numeric>

namespace cairn::tools {
double thread_cpu_us() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
}

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

Stopwatch::Stopwatch() { restart(); }

void Stopwatch::restart() {
  cpu_begin_us_ = thread_cpu_us();
  begin_ = Clock::now();
}

// Records the wall time of each lap, but only the sum of processor time.
void Stopwatch::lap() {
  times_us_.push_back(1e6 * seconds_since(begin_));
  cpu_us_ += thread_cpu_us() - cpu_begin_us_;
  restart();
}

// Percentiles are the values at the nearest rank below.
Map Stopwatch::figures() const {
  const double count = std::max(1.0, static_cast<double>(times_us_.size()));
  const double sum_us = std::accumulate(times_us_.begin(), times_us_.end(), 0.0);
  std::vector<double> sorted = times_us_;
  std::sort(sorted.begin(), sorted.end());
  const auto part = [&](std::size_t percent) {
    return sorted.empty() ? 0.0 : sorted[(sorted.size() - 1) * percent / 100];
  };
  return {{"runs", static_cast<std::int64_t>(times_us_.size())},
          {"rate", sum_us > 0 ? 1e6 * static_cast<double>(times_us_.size()) / sum_us : 0.0},
          {"mean_us", sum_us / count},
          {"p50_us", part(50)},
          {"p99_us", part(99)},
          {"max_us", part(100)},
          {"cpu_us", cpu_us_ / count}};
}

Status write_report(const std::string& file, const Map& report) {
  if (file == "-") {
    std::cout << to_json(Value(report)) << std::endl;
    return {};
  }
  std::ofstream output(file, std::ios::binary | std::ios::trunc);
  output << to_json(Value(report)) << "\n";
  output.close();
  if (!output) return Error{ErrorCode::io_error, "cannot write " + file, std::nullopt};
  return {};
}

}  // namespace cairn::tools
