#pragma once

#include <string>
#include <string_view>

namespace cairn::query {

/// Puts a name in back quotes and doubles the back quotes in it.
[[nodiscard]] std::string in_backticks(std::string_view name);

}  // namespace cairn::query
