#pragma once
// StopWatch: asks a running statement to stop at a given time, and measures how long it takes to
// stop.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <ctime>
#include <mutex>
#include <stop_token>
#include <thread>

namespace cairn::test {

/// How long a thread ran on after a given time: by the clock, and in its own computing time, which
/// does not grow on a busy machine. Beside it the computing time of all threads of the process, among them the workers of
/// the statement.
struct Lateness {
  std::chrono::microseconds wall{0};
  std::chrono::microseconds computing{0};
  std::chrono::microseconds of_all_threads{0};
};

/// Watches the thread that made it. At `after` from now on it requests a stop, if `stop` is not null.
class StopWatch {
 public:
  using Clock = std::chrono::steady_clock;

  StopWatch(std::chrono::microseconds after, std::stop_source* stop);
  ~StopWatch();
  StopWatch(const StopWatch&) = delete;
  StopWatch& operator=(const StopWatch&) = delete;

  /// Whether the moment has passed.
  [[nodiscard]] bool is_due() const;
  /// The time since then. Zero if the moment has not passed.
  [[nodiscard]] Lateness lateness();

 private:
  void wait(std::stop_source* stop);

  Clock::time_point due_;
  clockid_t own_clock_{};  // computing time of the watched thread
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  bool has_rung_ = false;
  std::chrono::microseconds computed_{0};         // of the watched thread when the watch rang
  std::chrono::microseconds computed_by_all_{0};  // of all threads then
  std::thread waiter_;
};

}  // namespace cairn::test
