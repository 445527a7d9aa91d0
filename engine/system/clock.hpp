#pragma once
// The system clock, in microseconds, which is the time unit of the engine.

#include <chrono>
#include <cstdint>

namespace cairn::engine {

/// Returns the microseconds since 1970 UTC. Functions that can get the time as a parameter should do so instead of calling
/// this.
[[nodiscard]] inline std::int64_t system_time() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(since).count();
}

}  // namespace cairn::engine
