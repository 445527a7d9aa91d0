#pragma once
// WakingClock: a steady clock that also counts the time in which the machine sleeps, as std::chrono::steady_clock does not
// on Linux. For the age of information that becomes outdated even while this machine sleeps.

#include <time.h>

#include <chrono>

namespace cairn::engine {

struct WakingClock {
  using duration = std::chrono::steady_clock::duration;
  using time_point =
      std::chrono::steady_clock::time_point;  ///< compare it with others of this clock

  [[nodiscard]] static time_point now() noexcept {
#ifdef CLOCK_BOOTTIME
    timespec time{};
    if (::clock_gettime(CLOCK_BOOTTIME, &time) == 0)
      return time_point(std::chrono::duration_cast<duration>(
          std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec)));
#endif
    return std::chrono::steady_clock::now();
  }
};

}  // namespace cairn::engine
