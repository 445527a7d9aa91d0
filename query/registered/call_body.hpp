#pragma once
// What a program's functions and procedures do, called so that nothing they do ends the process or holds up the
// statement.

#include "engine/system/limits.hpp"
#include "query/registered/registered_calls.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace cairn::query {

// SideCalls: work that cannot be stopped runs on another thread, so that the statement that waits for it can.

/// Whether the work was done. Errors: those of the limits, within some milliseconds, whatever the work takes.
/// Then it goes on, and nobody waits for it: what it touches must be its own.
///
/// `work` throws nothing. Threads wait for some time for the next call, and there are at most 64 of them in
/// a process; where all of them are busy, the limits' time passes until one is free.
/// Cost: about a microsecond where another core is idle.
[[nodiscard]] Status call_beside(std::function<void()> work, engine::Limits& limits);

/// The result, of the type of the signature. The arguments are as many as the signature takes; entities in
/// them are loaded.
///
/// Errors: type_error for an argument or a result of another type; what the body returns, with the name of the
/// function before it; invalid_argument for what it throws; those of the limits, also while it runs.
[[nodiscard]] Result<Value> call_function(const RegisteredFunction& function,
                                          std::span<const Value> arguments, engine::Limits& limits);

/// All rows. They may take `room` bytes. Errors: as call_function(), for each value of a row.
[[nodiscard]] Result<std::vector<std::vector<Value>>> call_procedure(
    const RegisteredProcedure& procedure, std::span<const Value> arguments, std::size_t room,
    engine::Limits& limits);

}  // namespace cairn::query
