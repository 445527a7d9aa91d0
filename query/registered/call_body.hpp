#pragma once
// Calls the functions and procedures of a program. An exception or a slow body neither ends the process nor blocks
// the statement.

#include "engine/system/limits.hpp"
#include "query/registered/registered_calls.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace cairn::query {

/// Runs `work` on another thread and waits for it. Returns success when the work is done.
///
/// Errors: the errors of the limits, within some milliseconds after they occur. The work then continues unattended, so
/// it must own everything that it uses.
///
/// `work` must not throw. A process has at most 64 such threads, and 64 more for each level of nested calls. If all
/// threads are busy, the call waits for a free thread within its limits.
/// Cost: about one microsecond if another core is idle.
[[nodiscard]] Status call_beside(std::function<void()> work, engine::Limits& limits);

/// Calls the body of a function and returns its result, converted to the declared type. There must be as many
/// arguments as parameters, and entities in them must be loaded. A null for a parameter that may not be null returns
/// null without a call.
///
/// Errors: type_error for an argument or a result of another type; the error of the body, prefixed with the name of
/// the function; invalid_argument for an exception; errors of the limits, also while the body runs.
[[nodiscard]] Result<Value> call_function(const RegisteredFunction& function,
                                          std::span<const Value> arguments, engine::Limits& limits);

/// Calls the body of a procedure and returns all rows. The rows may take `room` bytes of memory. Errors: as
/// call_function(), for each value of a row; also type_error for a null that a parameter does not allow.
[[nodiscard]] Result<std::vector<std::vector<Value>>> call_procedure(
    const RegisteredProcedure& procedure, std::span<const Value> arguments, std::size_t room,
    engine::Limits& limits);

}  // namespace cairn::query
