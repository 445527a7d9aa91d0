#pragma once
// Whether another process runs, for error messages and for deciding how long to wait for it.

#include <cstdint>

namespace cairn::query::attach {

enum class ProcessState : std::uint8_t { absent, running, stopped };

/// Reads the state of a process from /proc. `stopped` means by a signal or a debugger; `absent` includes a zombie.
[[nodiscard]] ProcessState process_state(std::int64_t process);

}  // namespace cairn::query::attach
