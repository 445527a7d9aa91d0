#pragma once
// Durations as options give them, within what a clock can add to its present time.

#include <algorithm>
#include <chrono>

namespace cairn::engine {

/// Clamps to between 0 and a hundred years: milliseconds::max() in nanoseconds would overflow.
[[nodiscard]] constexpr std::chrono::milliseconds bounded(std::chrono::milliseconds duration) {
  constexpr std::chrono::milliseconds for_ever = std::chrono::hours(24) * 365 * 100;
  return std::clamp(duration, std::chrono::milliseconds(0), for_ever);
}

}  // namespace cairn::engine
