#pragma once
// Patience: the retry policy for a store that does not answer. Waits with exponential backoff, up to a time limit.

#include <algorithm>
#include <chrono>
#include <thread>

namespace cairn::engine {

/// Each wait is twice as long as the previous one, up to a second. The limit counts from the construction or the last
/// renew().
class Patience {
 public:
  explicit Patience(std::chrono::milliseconds limit) : limit_(limit) { renew(); }
  /// Sleeps before the next attempt. Returns false, without sleeping, if the wait would exceed the limit.
  [[nodiscard]] bool wait() {
    if (std::chrono::steady_clock::now() + pause_ > end_) return false;
    std::this_thread::sleep_for(pause_);
    pause_ = std::min(2 * pause_, longest_pause);
    return true;
  }
  /// Restarts the limit and the backoff, after progress.
  void renew() {
    end_ = std::chrono::steady_clock::now() + limit_;
    pause_ = first_pause;
  }

 private:
  static constexpr std::chrono::milliseconds first_pause{5};
  static constexpr std::chrono::milliseconds longest_pause{1'000};

  std::chrono::milliseconds limit_;
  std::chrono::steady_clock::time_point end_;
  std::chrono::milliseconds pause_{};
};

}  // namespace cairn::engine
