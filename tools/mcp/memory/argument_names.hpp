#pragma once
// Finds the argument that a caller means by a name that a tool does not have.

#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools::mcp {

/// Returns the argument among `names` that other tools call `unknown`, or whose
/// name is like it; empty if there is none. Valid as long as the names.
[[nodiscard]] std::string_view meant_argument(std::string_view unknown,
                                              const std::vector<std::string>& names);

}  // namespace cairn::tools::mcp
