#pragma once
// The processor time of the calling thread: searches of others go on while it is measured.

#include <algorithm>
#include <cstddef>
#include <ctime>

namespace cairn::engine {

inline constexpr double least_ns = 0.1;  ///< of anything that is timed

/// Since some moment of the past.
[[nodiscard]] inline double cpu_ns() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

/// What `work`, done three times, takes at best for each of `items`, in nanoseconds.
template <class Work>
[[nodiscard]] double time_each(std::size_t items, Work&& work) {
  double best = 1e18;
  for (int i = 0; i < 3; ++i) {
    const double begin = cpu_ns();
    work();
    best = std::min(best, cpu_ns() - begin);
  }
  return std::max(best / static_cast<double>(items), least_ns);
}

}  // namespace cairn::engine
