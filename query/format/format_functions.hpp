#pragma once
// The functions format.* of the language.

#include "query/functions/function_entry.hpp"

namespace cairn::query {

[[nodiscard]] FunctionFamily format_functions();

}  // namespace cairn::query
