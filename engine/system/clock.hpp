#pragma once
// The system's clock in the unit of the engine.

#include <chrono>
#include <cstdint>

namespace cairn::engine {

/// Microseconds since 1970 UTC by the system's clock. Whoever can be handed a time takes that instead.
[[nodiscard]] inline std::int64_t system_time() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(since).count();
}

}  // namespace cairn::engine
