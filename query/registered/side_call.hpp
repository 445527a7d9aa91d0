#pragma once
// SideCalls: work that cannot be stopped runs on another thread, so that the statement that waits for it can.

#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <functional>

namespace cairn::query {

/// Whether the work was done. Errors: those of the limits, within some milliseconds, whatever the work takes.
/// Then it goes on, and nobody waits for it: what it touches must be its own.
///
/// `work` throws nothing. Threads wait for some time for the next call, and there are at most 64 of them in
/// a process; where all of them are busy, the limits' time passes until one is free.
/// Cost: about a microsecond where another core is idle.
[[nodiscard]] Status call_beside(std::function<void()> work, engine::Limits& limits);

}  // namespace cairn::query
