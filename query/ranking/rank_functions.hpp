#pragma once
// The functions rank.* of the language.

#include "query/functions/function_entry.hpp"

namespace cairn::query {

[[nodiscard]] FunctionFamily rank_functions();

}  // namespace cairn::query
