#pragma once
// Procedures: what attached processes ask their host beside statements. Each is a call of the public headers, with the arguments
// and the result of engine/database/call_values.hpp.

#include "query/bolt/attached.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <string_view>

namespace cairn::query::attach {

/// Run one by its name. Errors: unsupported for an unknown one; io_error for arguments that it does not take; as of the call.
[[nodiscard]] Result<Value> run_procedure(std::string_view name, const Map& arguments,
                                          const bolt::CallPlace& place);

}  // namespace cairn::query::attach
