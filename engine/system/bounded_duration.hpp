#pragma once
// Limits durations from options to a range that can be added to the current time of a clock.

#include <algorithm>
#include <chrono>

namespace cairn::engine {

/// Clamps a duration to 0 to 100 years. milliseconds::max() would overflow when converted to nanoseconds.
[[nodiscard]] constexpr std::chrono::milliseconds bounded(std::chrono::milliseconds duration) {
  constexpr std::chrono::milliseconds for_ever = std::chrono::hours(24) * 365 * 100;
  return std::clamp(duration, std::chrono::milliseconds(0), for_ever);
}

}  // namespace cairn::engine
