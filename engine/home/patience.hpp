#pragma once
// How long and how often a store that does not answer is asked again.

#include <algorithm>
#include <chrono>
#include <thread>

namespace cairn::engine {

/// Each wait is longer than the one before, up to a second.
class Patience {
 public:
  explicit Patience(std::chrono::milliseconds limit) : limit_(limit) { renew(); }
  /// False where there is none left.
  [[nodiscard]] bool wait() {
    if (std::chrono::steady_clock::now() + pause_ > end_) return false;
    std::this_thread::sleep_for(pause_);
    pause_ = std::min(2 * pause_, longest_pause);
    return true;
  }
  /// After progress: as at the beginning.
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
