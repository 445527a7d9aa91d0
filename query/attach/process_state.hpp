#pragma once
// What another process is doing, for messages and for how long it is waited for.

#include <cstdint>

namespace cairn::query::attach {

enum class ProcessState : std::uint8_t { absent, running, stopped };

/// Stopped: by a signal or a debugger. Cost: a read of /proc.
[[nodiscard]] ProcessState process_state(std::int64_t process);

}  // namespace cairn::query::attach
