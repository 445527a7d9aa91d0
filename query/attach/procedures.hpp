#pragma once
// Procedures: the calls, other than statements, that attached processes send to their host. Each procedure is one call of
// the public headers; engine/database/call_values.hpp defines how its arguments and result are represented.

#include "query/bolt/attached.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <string_view>

namespace cairn::query::attach {

/// Runs a procedure. Errors: unsupported for an unknown name; io_error for arguments that are missing or invalid; those
/// of the call itself.
[[nodiscard]] Result<Value> run_procedure(std::string_view name, const Map& arguments,
                                          const bolt::CallPlace& place);

}  // namespace cairn::query::attach
