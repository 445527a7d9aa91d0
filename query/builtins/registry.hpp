#pragma once
// The functions of the language by name.

#include "query/functions/function_entry.hpp"

#include <string_view>
#include <vector>

namespace cairn::query {

/// The function of this name in any case, or null.
[[nodiscard]] const FunctionEntry* find_function(std::string_view name);
/// The most similar name, empty if none is near.
[[nodiscard]] std::string_view nearest_function(std::string_view name);
[[nodiscard]] std::vector<const FunctionEntry*> all_functions();

}  // namespace cairn::query
